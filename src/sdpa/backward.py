"""Derivatives by hand: how weights answer to scores."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Real

from sdpa import _arguments


def softmax_jacobian(p: Real[np.ndarray, "*batch n"]) -> Float[np.ndarray, "*batch n n"]:
    """Return how each weight answers to each score: the softmax's Jacobian.

    d p_i / d s_j = p_i (1[i = j] - p_j),   that is   diag(p) - p p^T

    Args:
        p: weights, the softmax's output (not its input), (..., n). They are used as
            they are, whether they sum to 1 or not.

    Returns:
        The Jacobians (..., n, n), symmetric, in p's dtype (integers give float64). Where
        p sums to 1, rows and columns sum to 0: moving all scores alike changes nothing.

    Raises:
        TypeError: ``p`` is no real array.
        ValueError: ``p`` has no axis.

    Source: Goodfellow, Bengio, Courville 2016, Deep Learning, section 6.2.2.3, where the
    softmax is said to saturate; the formula is its derivative, entry by entry.
    """
    dtype = _arguments.floating_dtype(p=p)
    _arguments.check_has_axis("p", p.shape)
    p = p.astype(_arguments.accumulation_dtype(dtype))
    diagonal = p[..., None] * np.eye(p.shape[-1], dtype=p.dtype)
    return (diagonal - p[..., :, None] * p[..., None, :]).astype(dtype)
