"""Mistakes of the soft lookup of one query."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes import softmax
from tutor.mistakes.bank import family

# What the scores are divided by, from temperature, d and n.
DIVISORS: dict[str, Callable] = {
    "temperature": lambda t, d, n: t,
    "one": lambda t, d, n: 1.0,
    "times temperature": lambda t, d, n: 1.0 / t,
    "with sqrt d": lambda t, d, n: t * np.sqrt(d),
    "sqrt d": lambda t, d, n: np.sqrt(d),
    "with d": lambda t, d, n: t * d,
    "squared": lambda t, d, n: t * t,
    "root": lambda t, d, n: np.sqrt(t),
    "with sqrt n": lambda t, d, n: t * np.sqrt(n),
}

MIXES: dict[str, Callable] = {
    "blend": lambda w, keys, values: w @ values,
    "best": lambda w, keys, values: values[np.argmax(w)],
    "weights": lambda w, keys, values: w,
    "keys": lambda w, keys, values: w @ keys,
    "plain mean": lambda w, keys, values: values.mean(axis=0),
    "number": lambda w, keys, values: (w @ values).sum(),
    "divided": lambda w, keys, values: (w @ values) / len(values),
    "terms": lambda w, keys, values: w[:, None] * values,
    "row": lambda w, keys, values: (w @ values)[None],
}

SIMILARITIES: dict[str, Callable] = {
    "dot": lambda q, k: k @ q,
    "distance": lambda q, k: -((k - q) ** 2).sum(axis=1),
    "cosine": lambda q, k: k @ q / np.sqrt((q @ q) * (k * k).sum(axis=1)),
    "negated": lambda q, k: -(k @ q),
    "turned": lambda q, k: k.T @ q,
    "absolute": lambda q, k: abs(k @ q),
}


def soft_lookup(
    query,
    keys,
    values,
    temperature=1.0,
    *,
    divisor="temperature",
    mix="blend",
    similarity="dot",
    cooled="scores",
    writes=False,
    **knobs,
):
    """Return the blended value, made wrong by the knobs that are turned."""
    if writes and isinstance(query, np.ndarray) and query.dtype.kind == "f":
        query /= temperature
        temperature = 1.0
    query, keys, values = (np.asarray(a).astype(float) for a in (query, keys, values))
    divided_by = DIVISORS[divisor](temperature, query.size, len(keys))
    scores = SIMILARITIES[similarity](query, keys)
    weights = softmax.softmax(scores / divided_by if cooled == "scores" else scores, **knobs)
    if cooled == "weights":
        weights = weights / divided_by
    return MIXES[mix](weights, keys, values)


FAMILY = family(
    "soft_lookup",
    soft_lookup,
    (
        "temperature-ignored",
        "The scores are not divided by the temperature.",
        "Your blend is that of temperature 1: divide the scores by `temperature`.",
        {"divisor": "one"},
    ),
    (
        "temperature-multiplied",
        "The scores are multiplied by the temperature.",
        "Your blend gets sharper as the temperature rises: divide by it.",
        {"divisor": "times temperature"},
    ),
    (
        "sqrt-d-added",
        "The scores are divided by sqrt(d) as well.",
        "There is no sqrt(d) here: divide by the temperature alone.",
        {"divisor": "with sqrt d"},
    ),
    (
        "sqrt-d-for-temperature",
        "The scores are divided by sqrt(d), not by the temperature.",
        "Divide by `temperature`, not by sqrt(d).",
        {"divisor": "sqrt d"},
    ),
    (
        "d-added",
        "The scores are divided by d as well.",
        "Divide by the temperature alone, not by the size of the query.",
        {"divisor": "with d"},
    ),
    (
        "sqrt-n-added",
        "The scores are divided by the root of the number of keys as well.",
        "Divide by the temperature alone, not by the number of keys.",
        {"divisor": "with sqrt n"},
    ),
    (
        "temperature-squared",
        "The scores are divided by the square of the temperature.",
        "Divide by the temperature once.",
        {"divisor": "squared"},
    ),
    (
        "temperature-root",
        "The scores are divided by the root of the temperature.",
        "Divide by the temperature itself, not by its root.",
        {"divisor": "root"},
    ),
    (
        "temperature-on-weights",
        "The weights are divided by the temperature, not the scores.",
        "The temperature belongs inside the softmax: divide the scores by it.",
        {"cooled": "weights"},
    ),
    (
        "best-value",
        "The value of the best key is returned.",
        "You return the best key's value alone: blend all values by the weights.",
        {"mix": "best"},
    ),
    (
        "weights-returned",
        "The weights are returned.",
        "You return the weights: multiply them by the values.",
        {"mix": "weights"},
    ),
    (
        "keys-blended",
        "The keys are blended, not the values.",
        "You blend the keys: multiply the weights by the values.",
        {"mix": "keys"},
    ),
    (
        "plain-mean",
        "The plain mean of the values is returned.",
        "You return the mean of all values: use the weights.",
        {"mix": "plain mean"},
    ),
    (
        "one-number",
        "The blended value is summed up to one number.",
        "The result has d_v entries: sum over the keys only.",
        {"mix": "number"},
    ),
    (
        "divided-by-keys",
        "The blend is divided by the number of keys.",
        "The weights sum to 1 already: do not divide by the number of keys.",
        {"mix": "divided"},
    ),
    (
        "not-summed",
        "The weighted values are not summed.",
        "Sum the weighted values over the keys.",
        {"mix": "terms"},
    ),
    (
        "extra-axis",
        "The result is (1, d_v).",
        "The result is (d_v,), without an axis of size 1.",
        {"mix": "row"},
    ),
    (
        "distance",
        "The scores are negative squared distances.",
        "Your scores are distances: take the dot products keys @ query.",
        {"similarity": "distance"},
    ),
    (
        "cosine",
        "The scores are cosines.",
        "You normalise query and keys: take plain dot products.",
        {"similarity": "cosine"},
    ),
    (
        "negated",
        "The scores change their sign.",
        "The key that fits worst gets the largest weight: check the sign.",
        {"similarity": "negated"},
    ),
    (
        "absolute",
        "The scores lose their sign.",
        "Negative scores count as positive ones: leave out the absolute value.",
        {"similarity": "absolute"},
    ),
    (
        "keys-turned",
        "The keys are transposed.",
        "keys is (n, d), so the scores are keys @ query.",
        {"similarity": "turned"},
    ),
    (
        "query-changed",
        "The query is divided by the temperature in place.",
        "Your function changes `query`: `query /= ...` writes into the caller's array, "
        "`query = query / ...` does not.",
        {"writes": True},
    ),
    *softmax.of_one_row(softmax.STABILITY),
    *softmax.of_one_row(softmax.SHAPE_OF_THE_CURVE),
)
