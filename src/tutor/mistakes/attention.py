"""Mistakes of attention without a mask."""

from __future__ import annotations

from tutor.mistakes import softmax
from tutor.mistakes.attention_scores import AXIS, PRODUCT, SCALE
from tutor.mistakes.attention_steps import attention
from tutor.mistakes.bank import family

MIX = (
    (
        "results-swapped",
        "The weights are returned before the output.",
        "The two results have changed places: return (output, weights).",
        {"order": "weights first"},
    ),
    (
        "output-only",
        "The output is returned without the weights.",
        "Return both, the tuple (output, weights).",
        {"order": "output only"},
    ),
    (
        "scores-returned",
        "The scores are returned in place of the weights.",
        "The output is right, but you return the scores: return the weights after the softmax.",
        {"shown": "scores"},
    ),
    (
        "raw-scores-returned",
        "The unscaled scores are returned in place of the weights.",
        "The output is right, but you return the dot products: return the weights.",
        {"shown": "raw scores"},
    ),
    (
        "weights-turned",
        "The weights are returned transposed.",
        "Your weights are (n_k, n_q): one row for each query is wanted.",
        {"shown": "turned weights"},
    ),
    (
        "weights-turned-in-product",
        "The values are blended with the transposed weights.",
        "The output is weights @ value, without a transpose.",
        {"mix": "turned weights"},
    ),
    (
        "keys-blended",
        "The keys are blended, not the values.",
        "Your output is a blend of the keys: multiply the weights by value.",
        {"mix": "weights key"},
    ),
    (
        "first-value-for-all",
        "Every element of the batch blends the first element's values.",
        "All elements of the batch use the first one's values.",
        {"mix": "first value for all"},
    ),
    (
        "best-only",
        "The output is the best key's value, not a blend.",
        "Your output takes the best key's value alone: blend all values by the weights.",
        {"mix": "best only"},
    ),
    (
        "plain-mean",
        "The output is the plain mean of the values.",
        "Your output is the mean of all values: use the weights.",
        {"mix": "plain mean"},
    ),
    (
        "divided-by-keys",
        "The output is divided by the number of keys.",
        "The weights sum to 1 already: do not divide the output by n_k.",
        {"mix": "divided by n_k"},
    ),
    (
        "summed-over-queries",
        "The outputs of all queries are added up.",
        "You add up over the queries: the output has a row for each query.",
        {"mix": "summed over queries"},
    ),
)
PRECISION = (
    (
        "half-precision",
        "The inputs are stored in float16.",
        "Your numbers have three good digits only: compute in float64 or float32.",
        {"inputs": "half"},
    ),
    (
        "weights-rounded",
        "The weights are rounded.",
        "Your weights are right to three digits only: do not round them.",
        {"ending": "rounded"},
    ),
)
WRITES = (
    (
        "query-changed",
        "The query is scaled in place.",
        "Your function changes `query`: `query /= ...` writes into the caller's array, "
        "`query = query / ...` does not.",
        {"writes_to": "query", "scale": "none"},
    ),
    (
        "key-changed",
        "The key is scaled in place.",
        "Your function changes `key`: `key /= ...` writes into the caller's array, "
        "`key = key / ...` does not.",
        {"writes_to": "key", "scale": "none"},
    ),
)

UNMASKED = (
    *SCALE,
    *AXIS,
    *softmax.STABILITY,
    *softmax.SHAPE_OF_THE_CURVE,
    *PRODUCT,
    *MIX,
    *PRECISION,
    *WRITES,
)


def unmasked(query, key, value, **knobs):
    """Return (output, weights) of attention without a mask, made wrong by knobs."""
    return attention(query, key, value, **knobs)


FAMILY = family("attention", unmasked, *UNMASKED)
