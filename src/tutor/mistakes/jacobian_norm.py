"""Mistakes of the Jacobian's norm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.bank import family
from tutor.mistakes.softmax import SHAPE_OF_THE_CURVE, STABILITY, of_one_row
from tutor.mistakes.softmax_jacobian import JACOBIANS, OF_JACOBIAN
from tutor.mistakes.softmax_steps import softmax

# Of Jacobians (..., n, n).
NORMS: dict[str, Callable] = {
    "frobenius": lambda j: np.sqrt((j * j).sum(axis=(-2, -1))),
    "squared": lambda j: (j * j).sum(axis=(-2, -1)),
    "spectral": lambda j: np.sqrt(np.linalg.eigvalsh(j @ j.swapaxes(-1, -2)).max(axis=-1)),
    "absolute": lambda j: abs(j).sum(axis=(-2, -1)),
    "nuclear": lambda j: np.trace(j, axis1=-2, axis2=-1),
    "largest": lambda j: abs(j).max(axis=(-2, -1)),
    "one norm": lambda j: abs(j).sum(axis=-2).max(axis=-1),
    "mean": lambda j: np.sqrt((j * j).mean(axis=(-2, -1))),
    "sum": lambda j: np.sqrt(abs(j.sum(axis=(-2, -1)))),
    "per row": lambda j: np.sqrt((j * j).sum(axis=-1)),
    "per row sum": lambda j: np.sqrt((j * j).sum(axis=-1)).sum(axis=-1),
}


def jacobian_norm(scores, *, jacobian="right", norm="frobenius", of="weights", **knobs):
    """Return the norm of the Jacobian at some scores, made wrong by knobs."""
    scores = np.asarray(scores).astype(float)
    p = scores if of == "scores" else softmax(scores, **knobs)
    return NORMS[norm](JACOBIANS[jacobian](p))


FAMILY = family(
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
    *of_one_row(STABILITY),
    *of_one_row(SHAPE_OF_THE_CURVE),
)
