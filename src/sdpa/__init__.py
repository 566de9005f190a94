"""Scaled dot-product attention, in NumPy here and on tensors in :mod:`sdpa.pytorch`.

What is counted stands in :mod:`sdpa.costs`, the cache for decoding in
:mod:`sdpa.decoding`. Importing this package loads neither torch nor matplotlib.
"""

from sdpa.backward import softmax_jacobian
from sdpa.lookup import hard_lookup, kernel_regression, nearest_lookup, soft_lookup
from sdpa.masks import apply_mask, causal_mask, combine, padding_mask, sliding_window_mask
from sdpa.reference import attention, scaled_dot_product_attention, softmax

# The version of the whole course; pyproject.toml reads it from here.
__version__ = "0.1.0"

__all__ = [
    "apply_mask",
    "attention",
    "causal_mask",
    "combine",
    "hard_lookup",
    "kernel_regression",
    "nearest_lookup",
    "padding_mask",
    "scaled_dot_product_attention",
    "sliding_window_mask",
    "soft_lookup",
    "softmax",
    "softmax_jacobian",
]
