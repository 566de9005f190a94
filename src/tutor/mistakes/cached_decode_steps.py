"""Decoding with a cache, with knobs: right by default and wrong in many ways."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.attention_steps import SCALES, attention

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
