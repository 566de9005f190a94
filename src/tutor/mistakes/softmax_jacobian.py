"""Mistakes of the softmax's derivative."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.bank import family
from tutor.mistakes.softmax_steps import softmax

# Of weights (..., n): all but "vector" and "number" are (..., n, n).
JACOBIANS: dict[str, Callable] = {
    "right": lambda p: _diagonal(p) - _outer(p),
    "diagonal": lambda p: _diagonal(p * (1 - p)),
    "diagonal of p": lambda p: _diagonal(p),
    "outer": lambda p: _outer(p),
    "negated": lambda p: _outer(p) - _diagonal(p),
    "plus": lambda p: _diagonal(p) + _outer(p),
    "twice": lambda p: JACOBIANS["right"](softmax(p)),
    "ones": lambda p: np.eye(p.shape[-1]) - _outer(p),
    "vector": lambda p: p * (1 - p),
    "rows": lambda p: p[..., :, None] - _outer(p),
    "square": lambda p: _diagonal(p**2) - _outer(p),
    "number": lambda p: (p * (1 - p)).sum(axis=-1),
    "inner": lambda p: _diagonal(p) - (p * p).sum(axis=-1)[..., None, None],
    "doubled": lambda p: 2 * JACOBIANS["right"](p),
    "scaled row": lambda p: JACOBIANS["right"](p) / np.where(p > 0, p, 1)[..., :, None],
}


def _diagonal(p):
    return p[..., :, None] * np.eye(p.shape[-1])


def _outer(p):
    return p[..., :, None] * p[..., None, :]


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
FAMILY = family(
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
