"""Mistakes of the softmax's derivative and of the entropy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes import softmax
from tutor.mistakes.bank import family

JACOBIANS: dict[str, Callable] = {
    "right": lambda p: np.diag(p) - np.outer(p, p),
    "diagonal": lambda p: np.diag(p * (1 - p)),
    "diagonal of p": lambda p: np.diag(p),
    "outer": lambda p: np.outer(p, p),
    "negated": lambda p: np.outer(p, p) - np.diag(p),
    "plus": lambda p: np.diag(p) + np.outer(p, p),
    "twice": lambda p: JACOBIANS["right"](softmax.softmax(p)),
    "ones": lambda p: np.eye(p.size) - np.outer(p, p),
    "vector": lambda p: p * (1 - p),
    "rows": lambda p: p[:, None] * np.ones(p.size) - np.outer(p, p),
    "square": lambda p: np.diag(p**2) - np.outer(p, p),
    "number": lambda p: np.asarray(p @ (1 - p)),
    "inner": lambda p: np.diag(p) - p @ p,
    "doubled": lambda p: 2 * (np.diag(p) - np.outer(p, p)),
    "scaled row": lambda p: (np.diag(p) - np.outer(p, p)) / np.where(p > 0, p, 1)[:, None],
}


def softmax_jacobian(p, *, jacobian="right", writes=False):
    """Return the softmax's Jacobian, made wrong by the knobs that are turned."""
    if writes and isinstance(p, np.ndarray) and p.dtype.kind == "f":
        result = JACOBIANS[jacobian](p.astype(float))
        p *= 1 - p
        return result
    return JACOBIANS[jacobian](np.asarray(p).astype(float))


OF_JACOBIAN = (
    (
        "diagonal-only",
        "The entries off the diagonal are missing.",
        "Each weight depends on every score: the entries off the diagonal are -p_i p_j.",
        {"jacobian": "diagonal"},
    ),
    (
        "outer-product-missing",
        "p p^T is not subtracted.",
        "The sum in the denominator depends on the scores too: subtract the outer product.",
        {"jacobian": "diagonal of p"},
    ),
    (
        "outer-product-only",
        "The diagonal is missing.",
        "diag(p) is missing: the Jacobian is diag(p) - p p^T.",
        {"jacobian": "outer"},
    ),
    (
        "jacobian-sign",
        "The Jacobian has the wrong sign.",
        "All signs are wrong: diag(p) - p p^T, so the diagonal is positive.",
        {"jacobian": "negated"},
    ),
    (
        "outer-product-added",
        "p p^T is added, not subtracted.",
        "Subtract the outer product: raising one score lowers the other weights.",
        {"jacobian": "plus"},
    ),
    (
        "softmax-again",
        "A softmax is taken of p, which is one already.",
        "p is the softmax's output already: do not take the softmax of it.",
        {"jacobian": "twice"},
    ),
    (
        "identity",
        "The identity stands in place of diag(p).",
        "On the diagonal stands p_i - p_i^2: use np.diag(p), not np.eye(n).",
        {"jacobian": "ones"},
    ),
    (
        "rows-for-diagonal",
        "p is added to whole rows, not to the diagonal.",
        "p belongs on the diagonal only: np.diag(p). p[:, None] broadcasts over whole rows.",
        {"jacobian": "rows"},
    ),
    (
        "squared-diagonal",
        "The diagonal holds p^2.",
        "diag(p) holds p itself, not its square.",
        {"jacobian": "square"},
    ),
    (
        "inner-product",
        "The inner product p @ p is subtracted.",
        "p @ p is one number: the outer product, np.outer(p, p), is a matrix.",
        {"jacobian": "inner"},
    ),
    (
        "doubled",
        "All entries are doubled.",
        "Your entries are twice the right ones.",
        {"jacobian": "doubled"},
    ),
    (
        "of-the-logarithm",
        "The derivative is that of the log-softmax.",
        "Your rows are divided by p_i: that is the derivative of the logarithm.",
        {"jacobian": "scaled row"},
    ),
)
SOFTMAX_JACOBIAN = family(
    "softmax_jacobian",
    softmax_jacobian,
    *OF_JACOBIAN,
    (
        "vector",
        "Only the diagonal is returned, as a vector.",
        "The Jacobian is a matrix (n, n): each weight by each score.",
        {"jacobian": "vector"},
    ),
    (
        "one-number",
        "One number is returned.",
        "The Jacobian is a matrix (n, n): each weight by each score.",
        {"jacobian": "number"},
    ),
    (
        "argument-changed",
        "p is changed in place.",
        "Your function changes `p`: `p *= ...` writes into the caller's array.",
        {"writes": True},
    ),
)

NORMS: dict[str, Callable] = {
    "frobenius": lambda j: np.sqrt((j * j).sum()),
    "squared": lambda j: (j * j).sum(),
    "spectral": lambda j: np.sqrt(np.linalg.eigvalsh(j @ j.T).max()),
    "absolute": lambda j: abs(j).sum(),
    "nuclear": lambda j: np.trace(j),
    "largest": lambda j: abs(j).max(),
    "one norm": lambda j: abs(j).sum(axis=0).max(),
    "mean": lambda j: np.sqrt((j * j).mean()),
    "sum": lambda j: np.sqrt(abs(j.sum())),
    "per row": lambda j: np.sqrt((j * j).sum(axis=1)),
    "per row sum": lambda j: np.sqrt((j * j).sum(axis=1)).sum(),
}


def jacobian_norm(scores, *, jacobian="right", norm="frobenius", of="weights", **knobs):
    """Return the norm of the Jacobian at some scores, made wrong by knobs."""
    scores = np.asarray(scores).astype(float)
    p = scores if of == "scores" else softmax.softmax(scores, **knobs)
    return NORMS[norm](JACOBIANS[jacobian](p))


JACOBIAN_NORM = family(
    "jacobian_norm",
    jacobian_norm,
    *(
        (name, sentence, hint, {"norm": norm})
        for name, sentence, hint, norm in (
            (
                "norm-squared",
                "The squared norm is returned.",
                "The square root is missing.",
                "squared",
            ),
            (
                "spectral",
                "The largest singular value is returned.",
                "That is the spectral norm, ord=2: the Frobenius norm sums all squares.",
                "spectral",
            ),
            (
                "absolute-sum",
                "The magnitudes are summed, not the squares.",
                "You sum magnitudes: sum squares, and take the root.",
                "absolute",
            ),
            ("trace", "The trace is returned.", "That is the trace, not the norm.", "nuclear"),
            (
                "largest-entry",
                "The largest entry is returned.",
                "That is the largest entry: the Frobenius norm uses all of them.",
                "largest",
            ),
            (
                "one-norm",
                "The largest column sum is returned.",
                "That is the 1-norm, ord=1: the Frobenius norm is the default of np.linalg.norm.",
                "one norm",
            ),
            (
                "root-mean-square",
                "The squares are averaged, not summed.",
                "Sum the squares, do not average them.",
                "mean",
            ),
            (
                "sum-before-square",
                "The entries are summed before squaring.",
                "The entries of each row sum to 0: square them first.",
                "sum",
            ),
            (
                "norm-per-row",
                "One norm for each row is returned.",
                "The result is one number, over all entries: no axis.",
                "per row",
            ),
            (
                "sum-of-row-norms",
                "The norms of the rows are summed.",
                "Sum all squares before the root, not the norms of rows.",
                "per row sum",
            ),
        )
    ),
    *(row for row in OF_JACOBIAN if row[0] != "jacobian-sign"),  # a norm has no sign
    (
        "no-softmax",
        "The scores are used as if they were weights.",
        "The Jacobian is that at p = softmax(scores): take the softmax first.",
        {"of": "scores"},
    ),
    *softmax.of_one_row(softmax.STABILITY),
    *softmax.of_one_row(softmax.SHAPE_OF_THE_CURVE),
)

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


ATTENTION_ENTROPY = family(
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
