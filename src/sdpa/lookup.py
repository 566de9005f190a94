"""From a dictionary to attention: one query, looked up harder or softer.

All take query (d,), keys (n, d) and values (n, d_v), and return (d_v,).
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Real

from sdpa import _arguments
from sdpa.reference import softmax

Query = Real[np.ndarray, "d"]
Keys = Real[np.ndarray, "n d"]
Values = Real[np.ndarray, "n d_v"]
Blend = Float[np.ndarray, "d_v"]


def hard_lookup(query: Query, keys: Keys, values: Values) -> Real[np.ndarray, "d_v"]:
    """Return the value whose key equals the query in every entry, like a dict.

    Of several equal keys the last one counts, as in a dict display.

    Raises:
        KeyError: no key equals the query.
        TypeError, ValueError: an argument is no real array, or shapes do not fit.
    """
    _check(query, keys, values)
    matches = np.flatnonzero((keys == query).all(axis=1))
    if not matches.size:
        raise KeyError(f"no key equals the query {query}")
    return values[matches[-1]].copy()


def nearest_lookup(query: Query, keys: Keys, values: Values) -> Real[np.ndarray, "d_v"]:
    """Return the value of the key with the largest dot product; the first on a tie.

    Raises:
        TypeError, ValueError: an argument is no real array, or shapes do not fit.
    """
    dtype = _check(query, keys, values)
    return values[np.argmax(_similarities(query, keys, dtype))].copy()


def soft_lookup(query: Query, keys: Keys, values: Values, temperature: float = 1.0) -> Blend:
    """Return all values blended: softmax(keys @ query / temperature) @ values.

    Args:
        query: (d,). keys: (n, d). values: (n, d_v).
        temperature: near 0 the blend is the nearest key's value, and for large ones
            the plain mean. sqrt(d) makes it one row of scaled dot-product attention.

    Raises:
        TypeError: an argument is no real array, or the temperature no real number.
        ValueError: shapes do not fit, or the temperature is not above 0.

    Source: Graves, Wayne, Danihelka 2014 (arXiv:1410.5401), equation 5, with the dot
    product in place of the cosine.
    """
    dtype = _check(query, keys, values)
    temperature = _arguments.positive_real("temperature", temperature)
    return _blend(_similarities(query, keys, dtype), temperature, values, dtype)


def kernel_regression(query: Query, keys: Keys, values: Values, bandwidth: float = 1.0) -> Blend:
    """Predict at ``query`` from samples (keys, values): Nadaraya and Watson's mean.

    weights_i proportional to exp(-|query - key_i|^2 / (2 bandwidth^2))

    For keys of one common length this is :func:`soft_lookup` at the temperature
    bandwidth^2: |q - k|^2 = |q|^2 - 2 q.k + |k|^2, and what is the same for every
    key cancels in the softmax.

    Args:
        query: (d,). keys: (n, d). values: (n, d_v).
        bandwidth: the Gaussian kernel's standard deviation, in the keys' unit.

    Raises:
        TypeError: an argument is no real array, or the bandwidth no real number.
        ValueError: shapes do not fit, or the bandwidth is not above 0.

    Source: Nadaraya 1964, doi:10.1137/1109020; Watson 1964, Sankhya A 26, 359-372.
    """
    dtype = _check(query, keys, values)
    bandwidth = _arguments.positive_real("bandwidth", bandwidth)
    compute = _arguments.accumulation_dtype(dtype)
    differences = keys.astype(compute) - query.astype(compute)
    return _blend(-(differences**2).sum(axis=1) / 2, bandwidth * bandwidth, values, dtype)


def _check(query: Query, keys: Keys, values: Values) -> np.dtype:
    dtype = _arguments.floating_dtype(query=query, keys=keys, values=values)
    _arguments.check_lookup_shapes(query.shape, keys.shape, values.shape)
    return dtype


def _similarities(query: Query, keys: Keys, dtype: np.dtype) -> Float[np.ndarray, "n"]:
    compute = _arguments.accumulation_dtype(dtype)
    return keys.astype(compute) @ query.astype(compute)


def _blend(
    scores: Float[np.ndarray, "n"], temperature: float, values: Values, dtype: np.dtype
) -> Blend:
    # A temperature may be too small for the dtype, and scores divided by it too large.
    temperature = max(temperature, float(np.finfo(scores.dtype).tiny))
    with np.errstate(over="ignore"):
        scores = (scores - scores.max()) / temperature
    return (softmax(scores) @ values.astype(scores.dtype)).astype(dtype)
