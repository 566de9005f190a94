"""What the pictures say about weights, in numbers; attention.mjs has the same."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float


def entropy(weights: Float[np.ndarray, " n"]) -> float:
    """Return the entropy in nats: 0 where one weight is 1, log n where all are alike."""
    positive = weights[weights > 0]
    return float(-(positive * np.log(positive)).sum())


def softmax_jacobian(weights: Float[np.ndarray, " n"]) -> Float[np.ndarray, "n n"]:
    """Return how each weight changes with each score: diag(p) - p p^T."""
    return np.diag(weights) - np.outer(weights, weights)
