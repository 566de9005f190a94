"""Mistakes of decoding with a cache of keys and values."""

from __future__ import annotations

from tutor.mistakes.attention_scores import AXIS, PRODUCT, SCALE
from tutor.mistakes.bank import family
from tutor.mistakes.cached_decode_steps import cached_decode
from tutor.mistakes.softmax import SHAPE_OF_THE_CURVE, STABILITY, of_one_row

# These need a batch, or weights that are returned, to differ from others.
NOT_OF_ONE_SEQUENCE = (
    "scale-sqrt-n-q",
    "scale-first-axis",
    "scale-first-key-axis",
    "scale-second-axis",
    "scale-all-heads",
    "scale-of-output",
)


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
    *of_one_row(STABILITY),
    *(row for row in AXIS if row[0] == "softmax-over-queries"),
    *(row for row in PRODUCT if row[0] in ("cosine", "distance", "absolute")),
    *of_one_row(SHAPE_OF_THE_CURVE),
)
