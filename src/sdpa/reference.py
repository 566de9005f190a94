"""Scaled dot-product attention in plain NumPy: the oracle of everything else."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Real

from sdpa import _arguments, masks


def softmax(x: Real[np.ndarray, "*shape"], axis: int = -1) -> Float[np.ndarray, "*shape"]:
    """Turn scores into weights that are positive and sum to 1 along ``axis``.

    softmax(x)_i = exp(x_i) / sum_j exp(x_j)
                 = exp(x_i - max x) / sum_j exp(x_j - max x)

    The second form is computed: no exponent is above 0, so nothing overflows.

    Args:
        x: real scores of any shape. An entry of -inf gets weight 0; where all are
            -inf, all weights are 0. A NaN or +inf makes the weights along it NaN.
        axis: the axis along which the weights sum to 1.

    Returns:
        Weights of x's shape and dtype (integers give float64).

    Raises:
        TypeError: ``x`` is no real array, or ``axis`` no integer.
        ValueError: ``x`` has no such axis.

    Source: Goodfellow, Bengio, Courville 2016, Deep Learning, section 4.1.
    """
    dtype = _arguments.floating_dtype(x=x)
    _arguments.check_axis(axis, x.ndim)
    x = x.astype(_arguments.accumulation_dtype(dtype))
    largest = x.max(axis=axis, keepdims=True, initial=-np.inf)
    # A row of -inf has no largest entry to subtract: -inf - (-inf) is NaN.
    largest = np.where(largest == -np.inf, 0, largest).astype(x.dtype)
    # Entries can be further apart than the dtype's range, and inf - inf is NaN.
    with np.errstate(over="ignore", invalid="ignore"):
        exponentials = np.exp(x - largest)
    total = exponentials.sum(axis=axis, keepdims=True)
    return (exponentials / np.where(total == 0, 1, total)).astype(dtype)


def attention(
    query: Real[np.ndarray, "*#batch n_q d_k"],
    key: Real[np.ndarray, "*#batch n_k d_k"],
    value: Real[np.ndarray, "*#batch n_k d_v"],
    attn_mask: masks.Mask | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> tuple[Float[np.ndarray, "*#batch n_q d_v"], Float[np.ndarray, "*#batch n_q n_k"]]:
    """Blend the values, each weighted by how well its key answers the query.

    scores  = query @ key^T * scale
    weights = softmax(scores)            over the keys, after masking
    output  = weights @ value

    Args:
        query: what is looked for, (..., n_q, d_k).
        key: what is offered, (..., n_k, d_k).
        value: what is handed over, (..., n_k, d_v). Batch axes broadcast.
        attn_mask: broadcasts to (..., n_q, n_k). Boolean: True = may attend.
            Float: added to the scores.
        is_causal: also apply :func:`sdpa.causal_mask`, aligned bottom-right.
            (torch's function forbids it together with ``attn_mask``.)
        scale: what the dot products are multiplied by; 1/sqrt(d_k) where None.

    Returns:
        output (..., n_q, d_v) and weights (..., n_q, n_k), in the inputs' common
        dtype; float16 accumulates in float32. A query that may attend to no key
        has zeros in both.

    Raises:
        TypeError: an argument is of the wrong type or dtype.
        ValueError: shapes do not fit, or a mask or the scale is not finite where
            it must be.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), equation 1.
    """
    dtype = _arguments.floating_dtype(query=query, key=key, value=value)
    shape = _arguments.scores_shape(query.shape, key.shape, value.shape)
    scale = _arguments.resolve_scale(scale, query.shape[-1])
    mask = _joint_mask(attn_mask, is_causal, shape)

    query, key, value = (
        array.astype(_arguments.accumulation_dtype(dtype)) for array in (query, key, value)
    )
    scores = query @ key.swapaxes(-1, -2) * scale
    if mask is not None:
        scores = masks.apply_mask(scores, mask)
    weights = softmax(scores)
    output = weights @ value
    return output.astype(dtype), weights.astype(dtype)


def _joint_mask(
    attn_mask: masks.Mask | None, is_causal: bool, shape: _arguments.Shape
) -> masks.Mask | None:
    if attn_mask is not None:
        masks.check_mask(attn_mask)
        _arguments.check_mask_shape(attn_mask.shape, shape)
    if not _arguments.flag("is_causal", is_causal):
        return attn_mask
    causal = masks.causal_mask(*shape[-2:])
    return causal if attn_mask is None else masks.combine(attn_mask, causal)


def scaled_dot_product_attention(
    query: Real[np.ndarray, "*batch_q n_q d_k"],
    key: Real[np.ndarray, "*batch_k n_k d_k"],
    value: Real[np.ndarray, "*batch_v n_k d_v"],
    attn_mask: masks.Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Float[np.ndarray, "*batch_out n_q d_v"]:
    """Compute attention with torch's signature (without ``dropout_p``).

    The output of :func:`attention`, with one option more.

    Args:
        query, key, value, attn_mask, is_causal, scale: as in :func:`attention`.
        enable_gqa: let groups of consecutive query heads share a key and value
            head: query (..., heads, n_q, d_k), key and value (..., kv_heads, n_k, .),
            heads a multiple of kv_heads.

    Returns:
        output (..., n_q, d_v).

    Raises:
        TypeError, ValueError: as :func:`attention`; with ``enable_gqa`` also where
            the head axes are missing or do not divide.

    Source: Ainslie et al. 2023 (arXiv:2305.13245), section 2.2, for grouped heads.
    """
    if _arguments.flag("enable_gqa", enable_gqa):
        _arguments.floating_dtype(query=query, key=key, value=value)
        group = _arguments.grouped_query_factor(query.shape, key.shape, value.shape)
        key, value = (np.repeat(array, group, axis=-3) for array in (key, value))
    output, _ = attention(query, key, value, attn_mask, is_causal, scale)
    return output
