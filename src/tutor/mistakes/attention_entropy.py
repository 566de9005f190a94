"""Mistakes of the entropy of rows of weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.bank import family

LOGARITHMS: dict[str, Callable] = {
    "nats": lambda p: np.log(p),
    "bits": lambda p: np.log2(p),
    "tens": lambda p: np.log10(p),
    "one more": lambda p: np.log1p(p),
    "shifted": lambda p: np.log(p + 1e-3),
}


def attention_entropy(
    weights,
    *,
    logarithm="nats",
    sign=-1.0,
    zeros="none",
    axis="keys",
    total="sum",
    factor="weights",
    writes=False,
):
    """Return the entropy of rows of weights, made wrong by the knobs that are turned."""
    given = weights
    weights = np.asarray(weights).astype(float)
    positive = np.where(weights > 0, weights, 1.0) if zeros == "none" else weights
    terms = LOGARITHMS[logarithm](positive)
    if factor == "weights":
        terms = terms * weights
    elif factor == "counts":
        terms = np.where(weights > 0, terms, 0.0)
    if zeros == "uniform":
        terms = np.nan_to_num(terms, nan=1.0)
    if writes and isinstance(given, np.ndarray) and given.dtype.kind == "f":
        given += 1e-12
    axis = {"keys": -1, "queries": -2 if weights.ndim > 1 else -1, "first": 0, "all": None}[axis]
    result = sign * (terms.mean(axis=axis) if total == "mean" else terms.sum(axis=axis))
    if total == "relative":
        return result / np.log(weights.shape[-1])
    if total == "exponential":
        return np.exp(result)
    return result[..., None] if total == "kept axis" else result


FAMILY = family(
    "attention_entropy",
    attention_entropy,
    (
        "bits",
        "The entropy is in bits.",
        "Your entropy is in bits: nats are wanted, so use np.log.",
        {"logarithm": "bits"},
    ),
    (
        "base-ten",
        "The logarithm is that to base 10.",
        "Your logarithm is to base 10: use np.log.",
        {"logarithm": "tens"},
    ),
    (
        "sign",
        "The minus sign is missing.",
        "Your entropy is negative: the minus sign is missing.",
        {"sign": 1.0},
    ),
    (
        "nan-at-zero",
        "A weight of 0 makes NaN.",
        "0 * log(0) is NaN in floating point: a weight of 0 should add nothing.",
        {"zeros": "left"},
    ),
    (
        "logarithm-of-one-more",
        "log(1 + p) is taken in place of log(p).",
        "You take log(1 + p): use log(p), and leave out the weights of 0.",
        {"logarithm": "one more"},
    ),
    (
        "shifted-logarithm",
        "Something is added to the weights inside the logarithm.",
        "What you add inside the logarithm changes the result: leave out the weights of 0 instead.",
        {"logarithm": "shifted"},
    ),
    (
        "over-queries",
        "The sum runs over the queries.",
        "The sum runs over the keys, axis=-1.",
        {"axis": "queries"},
    ),
    (
        "over-first-axis",
        "The sum runs over axis 0.",
        "The sum runs over the keys, axis=-1, not axis 0.",
        {"axis": "first"},
    ),
    (
        "over-everything",
        "All rows are summed to one number.",
        "Each row has an entropy of its own: sum along axis=-1 only.",
        {"axis": "all"},
    ),
    (
        "mean",
        "The terms are averaged, not summed.",
        "Sum the terms, do not average them.",
        {"total": "mean"},
    ),
    (
        "relative",
        "The entropy is divided by log(n).",
        "You divide by log(n): the plain entropy is wanted.",
        {"total": "relative"},
    ),
    (
        "perplexity",
        "The exponential of the entropy is returned.",
        "That is the perplexity: leave out the exp.",
        {"total": "exponential"},
    ),
    (
        "axis-kept",
        "The summed axis is kept.",
        "The result is (...): leave out keepdims.",
        {"total": "kept axis"},
    ),
    (
        "no-weights",
        "The logarithms are summed without their weights.",
        "Each logarithm is multiplied by its weight: -sum p log p.",
        {"factor": "counts"},
    ),
    (
        "argument-changed",
        "Something is added to the weights in place.",
        "Your function changes `weights`: `weights += ...` writes into the caller's array.",
        {"writes": True},
    ),
)
