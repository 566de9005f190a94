"""The functions that the problem sets ask for: what is right, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import sdpa
from sdpa import backward, costs
from tutor import mistakes
from tutor.mistakes.bank import Family

# An answer may compute in float32, whose rounding over a few hundred terms stays below
# this; derivatives lose another digit.
VALUES, GRADIENTS = 1e-5, 1e-4


@dataclass(frozen=True, eq=False)
class Problem:
    """One function to write; every one is itself only.

    Attributes:
        name: what the student calls it.
        parameters: the names of its parameters, in order.
        oracle: the function that is right, on array-likes.
        known: its known mistakes.
        results: what it returns, by name; more than one means a tuple.
        kind: "reals", compared within a tolerance; "integers", exactly, where an integral
            float counts; "booleans", exactly, and no numbers.
        tolerance: how far real results may be off, relative to the largest of them.
        floor: the least size that the tolerance is relative to, where right results can
            be tiny though they come from larger numbers: p (1 - p) with p near 1.
        exponents: the largest magnitude that goes into an exp, from the arguments.
    """

    name: str
    parameters: tuple[str, ...]
    oracle: Callable
    known: Family
    results: tuple[str, ...] = ("the result",)
    kind: str = "reals"
    tolerance: float = VALUES
    floor: float = 0.0
    exponents: Callable = lambda *args, **kwargs: 0.0


def _largest(numbers) -> float:
    numbers = np.abs(_reals(numbers))
    return float(numbers[np.isfinite(numbers)].max(initial=0.0))


def _of_x(x, axis=-1):
    return _largest(x)


def _of_lookup(query, keys, values, temperature=1.0):
    return _largest(_reals(keys) @ _reals(query)) / float(temperature)


def _of_attention(query, key, value, *rest, **options):
    query, key = _reals(query), _reals(key)
    return _largest(query @ key.swapaxes(-1, -2)) / np.sqrt(query.shape[-1])


def _reals(array) -> np.ndarray:
    return np.asarray(array, dtype=np.float64)


def _softmax(x, axis=-1):
    return sdpa.softmax(_reals(x), axis)


def _soft_lookup(query, keys, values, temperature=1.0):
    return sdpa.soft_lookup(_reals(query), _reals(keys), _reals(values), float(temperature))


def _attention(query, key, value, attn_mask=None, is_causal=False):
    arrays = _reals(query), _reals(key), _reals(value)
    return sdpa.attention(*arrays, attn_mask, is_causal)


def _score_variance(queries, keys):
    products = (_reals(queries) * _reals(keys)).sum(axis=1)
    return products.var(ddof=1)


def _theoretical_variance(d_k, mean=0.0, std=1.0):
    return d_k * ((std**2 + mean**2) ** 2 - mean**4)


def _softmax_jacobian(p):
    return backward.softmax_jacobian(_reals(p))


def _jacobian_norm(scores):
    jacobian = backward.softmax_jacobian(sdpa.softmax(_reals(scores)))
    return np.sqrt((jacobian**2).sum())


def _attention_entropy(weights):
    weights = _reals(weights)
    return -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(axis=-1)


def _cached_decode(queries, keys, values, prefill=1):
    return _attention(queries, keys, values, is_causal=True)[0]


PROBLEMS = {
    "softmax": Problem("softmax", ("x", "axis"), _softmax, mistakes.SOFTMAX, exponents=_of_x),
    "soft_lookup": Problem(
        "soft_lookup",
        ("query", "keys", "values", "temperature"),
        _soft_lookup,
        mistakes.SOFT_LOOKUP,
        exponents=_of_lookup,
    ),
    "attention": Problem(
        "attention",
        ("query", "key", "value"),
        _attention,
        mistakes.ATTENTION,
        exponents=_of_attention,
        results=("output", "weights"),
    ),
    "score_variance": Problem(
        "score_variance", ("queries", "keys"), _score_variance, mistakes.SCORE_VARIANCE
    ),
    "theoretical_variance": Problem(
        "theoretical_variance",
        ("d_k", "mean", "std"),
        _theoretical_variance,
        mistakes.THEORETICAL_VARIANCE,
    ),
    "softmax_jacobian": Problem(
        "softmax_jacobian",
        ("p",),
        _softmax_jacobian,
        mistakes.SOFTMAX_JACOBIAN,
        tolerance=GRADIENTS,
        floor=0.01,
    ),
    "jacobian_norm": Problem(
        "jacobian_norm",
        ("scores",),
        _jacobian_norm,
        mistakes.JACOBIAN_NORM,
        exponents=_of_x,
        tolerance=GRADIENTS,
        floor=0.01,
    ),
    "attention_entropy": Problem(
        "attention_entropy", ("weights",), _attention_entropy, mistakes.ATTENTION_ENTROPY, floor=1.0
    ),
    "causal_mask": Problem(
        "causal_mask", ("n_q", "n_k"), sdpa.causal_mask, mistakes.CAUSAL_MASK, kind="booleans"
    ),
    "padding_mask": Problem(
        "padding_mask",
        ("lengths", "n_k"),
        lambda lengths, n_k: sdpa.padding_mask(np.asarray(lengths), n_k),
        mistakes.PADDING_MASK,
        kind="booleans",
    ),
    "masked_attention": Problem(
        "attention",
        ("query", "key", "value", "attn_mask", "is_causal"),
        _attention,
        mistakes.MASKED_ATTENTION,
        exponents=_of_attention,
        results=("output", "weights"),
    ),
    "attention_flops": Problem(
        "attention_flops",
        ("batch", "seq", "d_model"),
        costs.attention_flops,
        mistakes.ATTENTION_FLOPS,
        kind="integers",
    ),
    "kv_cache_bytes": Problem(
        "kv_cache_bytes",
        ("layers", "kv_heads", "head_dim", "seq", "batch", "bytes_per_element"),
        costs.kv_cache_bytes,
        mistakes.KV_CACHE_BYTES,
        kind="integers",
    ),
    "crossover_length": Problem(
        "crossover_length",
        ("d_model",),
        costs.crossover_length,
        mistakes.CROSSOVER_LENGTH,
        kind="integers",
    ),
    "cached_decode": Problem(
        "cached_decode",
        ("queries", "keys", "values", "prefill"),
        _cached_decode,
        mistakes.CACHED_DECODE,
        exponents=_of_attention,
    ),
}
