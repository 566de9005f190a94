"""Mistakes of decoding with a cache of keys and values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes import softmax
from tutor.mistakes.attention import AXIS, PRODUCT, SCALE
from tutor.mistakes.attention_steps import SCALES, attention
from tutor.mistakes.bank import family

# Which tokens a step sees, from its position, the number of tokens n and the prefill.
SEEN: dict[str, Callable] = {
    "all so far": lambda t, n, prefill: np.arange(t + 1),
    "own only": lambda t, n, prefill: np.array([t]),
    "without own": lambda t, n, prefill: np.arange(max(t, 1)),
    "everything": lambda t, n, prefill: np.arange(n),
    "one ahead": lambda t, n, prefill: np.arange(min(t + 2, n)),
    "prefill only": lambda t, n, prefill: np.arange(min(prefill, n)),
    "without prefill": lambda t, n, prefill: np.arange(min(prefill, t), t + 1),
    "first lost": lambda t, n, prefill: np.arange(min(1, t), t + 1),
    "prefill and own": lambda t, n, prefill: np.append(np.arange(min(prefill, t)), t),
    "prefill overwritten": lambda t, n, prefill: np.append(np.arange(prefill - 1), t),
    "own twice": lambda t, n, prefill: np.append(np.arange(t + 1), t),
    "last two": lambda t, n, prefill: np.arange(max(t - 1, 0), t + 1),
    "prefill last twice": lambda t, n, prefill: np.append(np.arange(t + 1), prefill - 1),
    "prefill twice": lambda t, n, prefill: np.append(np.arange(t + 1), np.arange(prefill)),
}

# These need a batch, or weights that are returned, to differ from others.
NOT_OF_ONE_SEQUENCE = (
    "scale-sqrt-n-q",
    "scale-first-axis",
    "scale-first-key-axis",
    "scale-second-axis",
    "scale-all-heads",
    "scale-of-output",
)


def cached_decode(
    queries,
    keys,
    values,
    prefill=1,
    *,
    seen="all so far",
    chunk="causal",
    query="own",
    value="own",
    result="all",
    writes=False,
    **knobs,
):
    """Return the outputs of causal attention, step by step, made wrong by knobs."""
    if writes and isinstance(queries, np.ndarray) and queries.dtype.kind == "f":
        queries *= SCALES["sqrt d_k"](queries, keys, values)
        knobs = {**knobs, "scale": "none"}
    queries, keys, values = (np.asarray(a).astype(float) for a in (queries, keys, values))
    n = len(queries)
    rows = [
        _row(queries, keys, values, t, _seen_in_chunk(t, n, prefill, chunk), "own", "own", knobs)
        for t in range(prefill)
    ] + [
        _row(queries, keys, values, t, SEEN[seen](t, n, prefill), query, value, knobs)
        for t in range(prefill, n)
    ]
    output = np.stack(rows)
    return {
        "all": lambda: output,
        "decoded": lambda: output[prefill:],
        "last": lambda: output[-1],
        "chunk": lambda: output[:prefill],
        "zeros first": lambda: np.where(np.arange(n)[:, None] < prefill, 0.0, output),
        "stacked": lambda: output[:, None],
        "backwards": lambda: output[::-1],
    }[result]()


def _seen_in_chunk(t, n, prefill, chunk):
    return {
        "causal": np.arange(t + 1),
        "open": np.arange(prefill),
        "everything": np.arange(n),
        "own only": np.array([t]),
        "without own": np.arange(max(t, 1)),
    }[chunk]


def _row(queries, keys, values, t, seen, query, value, knobs):
    row = {"own": t, "before": max(t - 1, 0), "first": 0, "last": len(queries) - 1}[query]
    blended = values[seen]
    if value == "before" and len(seen) > 1:
        blended = np.concatenate([blended[:1], blended[:-1]])
    if not len(seen):
        return np.full(values.shape[1], np.nan)
    return attention(queries[row : row + 1], keys[seen], blended, **knobs)[0][0]


FAMILY = family(
    "cached_decode",
    cached_decode,
    *(
        (name, sentence, hint, {"seen": seen})
        for name, sentence, hint, seen in (
            (
                "cache-overwritten",
                "Each step sees its own key and value only.",
                "Each token sees itself alone: append to the cache, do not overwrite it.",
                "own only",
            ),
            (
                "own-key-missing",
                "The new key is appended after the step.",
                "A token does not see itself: append its key and value before you attend.",
                "without own",
            ),
            (
                "future-seen",
                "Each step sees all keys, those of the future too.",
                "Steps see the future: the cache holds the tokens so far only.",
                "everything",
            ),
            (
                "one-ahead",
                "Each step sees the next key too.",
                "Each step sees one token of the future: check where your slice ends.",
                "one ahead",
            ),
            (
                "cache-not-grown",
                "The steps see the prefill only.",
                "The cache does not grow: append each new key and value.",
                "prefill only",
            ),
            (
                "prefill-lost",
                "The steps do not see the prefill.",
                "The prefill's keys and values are missing from the cache.",
                "without prefill",
            ),
            (
                "first-token-lost",
                "The first token falls out of the cache.",
                "The first token is missing from the cache.",
                "first lost",
            ),
            (
                "newest-overwritten",
                "Each step's key overwrites the one of the step before.",
                "All new tokens share one place in the cache: move on by one each step.",
                "prefill and own",
            ),
            (
                "off-by-one",
                "The new key overwrites the last one of the prefill.",
                "The first new token belongs behind the prefill, at position `prefill`.",
                "prefill overwritten",
            ),
            (
                "own-key-twice",
                "The new key is appended twice.",
                "Each token is in the cache twice.",
                "own twice",
            ),
            (
                "window",
                "Only the last two tokens are seen.",
                "Each step sees two tokens only: keep the whole cache.",
                "last two",
            ),
            (
                "prefill-last-twice",
                "The last token of the prefill is in the cache twice.",
                "The last token of the prefill enters twice: the steps begin at `prefill`.",
                "prefill last twice",
            ),
            (
                "prefill-twice",
                "The prefill is in the cache twice.",
                "The prefill enters the cache twice.",
                "prefill twice",
            ),
        )
    ),
    *(
        (name, sentence, hint, {"chunk": chunk})
        for name, sentence, hint, chunk in (
            (
                "prefill-not-causal",
                "The tokens of the prefill see each other, later ones too.",
                "The prefill is causal as well: its tokens see only earlier ones.",
                "open",
            ),
            (
                "prefill-sees-everything",
                "The tokens of the prefill see all tokens.",
                "The prefill sees tokens that come later: it is causal.",
                "everything",
            ),
            (
                "prefill-alone",
                "Each token of the prefill sees itself only.",
                "Each token of the prefill sees the earlier ones too.",
                "own only",
            ),
            (
                "prefill-strict",
                "The tokens of the prefill do not see themselves.",
                "A token of the prefill sees itself too.",
                "without own",
            ),
        )
    ),
    *(
        (name, sentence, hint, {"query": query})
        for name, sentence, hint, query in (
            (
                "query-of-step-before",
                "Each step uses the query of the step before.",
                "Each step asks with the query of the step before.",
                "before",
            ),
            (
                "first-query-for-all",
                "Each step uses the first query.",
                "Each step asks with the first query: use its own.",
                "first",
            ),
            (
                "last-query-for-all",
                "Each step uses the last query.",
                "Each step asks with the last query: use its own.",
                "last",
            ),
        )
    ),
    (
        "values-shifted",
        "The values are one step behind the keys.",
        "Keys and values are out of step: append both at once.",
        {"value": "before"},
    ),
    *(
        (name, sentence, hint, {"result": result})
        for name, sentence, hint, result in (
            (
                "decoded-only",
                "The prefill's outputs are missing.",
                "Return all n outputs, those of the prefill too.",
                "decoded",
            ),
            ("last-only", "Only the last output is returned.", "Return all n outputs.", "last"),
            (
                "chunk-only",
                "Only the prefill's outputs are returned.",
                "Return all n outputs, those of the steps too.",
                "chunk",
            ),
            (
                "prefill-zero",
                "The prefill's outputs are zeros.",
                "The rows of the prefill are never filled in.",
                "zeros first",
            ),
            (
                "extra-axis",
                "The result is (n, 1, d_v).",
                "The result is (n, d_v): join the steps along the first axis.",
                "stacked",
            ),
            (
                "backwards",
                "The outputs stand in reverse order.",
                "Your outputs are in reverse order.",
                "backwards",
            ),
        )
    ),
    (
        "queries-changed",
        "The queries are scaled in place.",
        "Your function changes `queries`: `queries /= ...` writes into the caller's array.",
        {"writes": True},
    ),
    *(row for row in SCALE if row[0] not in NOT_OF_ONE_SEQUENCE),
    *softmax.of_one_row(softmax.STABILITY),
    *(row for row in AXIS if row[0] == "softmax-over-queries"),
    *(row for row in PRODUCT if row[0] in ("cosine", "distance", "absolute")),
    *softmax.of_one_row(softmax.SHAPE_OF_THE_CURVE),
)
