"""Who may attend to whom: masks over (n_q, n_k), built, combined and applied.

A boolean mask says True where a query may attend, as in torch's
``scaled_dot_product_attention``; a float mask is added to the scores.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Integer, Real

from sdpa import _arguments

Mask = Bool[np.ndarray, "..."] | Float[np.ndarray, "..."]


def causal_mask(n_q: int, n_k: int) -> Bool[np.ndarray, "n_q n_k"]:
    """Let each query see the keys up to its own position: j - i <= n_k - n_q.

    The mask is aligned bottom-right: the last query sits on the last key, which
    is what decoding with cached keys needs. With n_q > n_k the first n_q - n_k
    rows see nothing. (``is_causal`` of torch's function aligns top-left; the two
    agree when n_q == n_k.)

    Args:
        n_q: number of queries, >= 0.
        n_k: number of keys, >= 0.

    Raises:
        TypeError, ValueError: a size is no integer, or negative.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.3.
    """
    return _distance_to_key(n_q, n_k) >= 0


def sliding_window_mask(
    n_q: int, n_k: int, window: int, *, is_causal: bool = True
) -> Bool[np.ndarray, "n_q n_k"]:
    """Let each query see its own position and the ``window - 1`` nearest on a side.

    Causal: 0 <= distance < window, the past only. Otherwise |distance| < window,
    both sides. Positions are aligned bottom-right, as in :func:`causal_mask`.

    Args:
        n_q, n_k: numbers of queries and keys, >= 0.
        window: keys seen on a side, the own position included, >= 1.
        is_causal: whether the future is blocked.

    Raises:
        TypeError, ValueError: a size is no integer or out of range, or
            ``is_causal`` is no bool.

    Source: Beltagy et al. 2020 (arXiv:2004.05150), section 3.1; the causal form is
    that of Jiang et al. 2023 (arXiv:2310.06825), section 2.
    """
    distance = _distance_to_key(n_q, n_k)
    window = _arguments.count("window", window, minimum=1)
    if _arguments.flag("is_causal", is_causal):
        return (distance >= 0) & (distance < window)
    return np.abs(distance) < window


def _distance_to_key(n_q: int, n_k: int) -> Integer[np.ndarray, "n_q n_k"]:
    n_q = _arguments.count("n_q", n_q)
    n_k = _arguments.count("n_k", n_k)
    query_position = np.arange(n_q)[:, None] + (n_k - n_q)
    return query_position - np.arange(n_k)


def padding_mask(
    lengths: Integer[np.ndarray, "*batch"], n_k: int
) -> Bool[np.ndarray, "*batch 1 n_k"]:
    """Let every query of a sequence see its first ``length`` keys, not the padding.

    For input with heads, (batch, heads, n, d), pass ``lengths[:, None]``: the mask
    is then (batch, 1, 1, n_k). A (batch, 1, n_k) mask would line its batch axis up
    with the heads, silently where the two sizes are equal.

    Args:
        lengths: keys that are real, one number for each sequence, each 0..n_k.
        n_k: number of keys, padding included, >= 0.

    Raises:
        TypeError: ``lengths`` is no array of integers, or ``n_k`` no integer.
        ValueError: a length is negative or above n_k.

    Source: the shapes are those of torch's ``attn_mask``.
    """
    n_k = _arguments.count("n_k", n_k)
    if not isinstance(lengths, np.ndarray) or lengths.dtype.kind not in "iu":
        got = lengths.dtype if isinstance(lengths, np.ndarray) else type(lengths).__name__
        raise TypeError(f"lengths is {got}; wanted a NumPy array of integers")
    if lengths.size and (lengths.min() < 0 or lengths.max() > n_k):
        raise ValueError(
            f"lengths go from {lengths.min()} to {lengths.max()}; wanted 0 to {n_k} (n_k)"
        )
    return np.arange(n_k) < lengths[..., None, None]


def combine(*masks: Mask) -> Mask:
    """Apply several masks at once: a key must pass all of them.

    Boolean masks are joined by "and"; as soon as one is a float mask, all are
    added, a boolean one as 0 where it allows and -inf where it blocks. Shapes
    broadcast.

    Raises:
        TypeError: no mask was given, or one is neither boolean nor float.
        ValueError: the shapes do not broadcast, or a float mask holds NaN or +inf.
    """
    if not masks:
        raise TypeError("combine got no mask; wanted at least one")
    for position, mask in enumerate(masks):
        check_mask(mask, name=f"mask {position}")
    try:
        np.broadcast_shapes(*(mask.shape for mask in masks))
    except ValueError as error:
        shapes = ", ".join(str(mask.shape) for mask in masks)
        raise ValueError(f"masks have shapes {shapes}; wanted shapes that broadcast") from error
    combined = masks[0]
    for mask in masks[1:]:
        combined = _combine_pair(combined, mask)
    return combined


def _combine_pair(left: Mask, right: Mask) -> Mask:
    if left.dtype == right.dtype == bool:
        return np.asarray(left & right)  # of 0-d arrays NumPy makes a scalar
    if left.dtype == bool:
        left, right = right, left
    if right.dtype == bool:
        return apply_mask(left, right)
    with np.errstate(over="ignore"):  # what is below the dtype's range becomes -inf
        return np.asarray(left + right)


def apply_mask(scores: Real[np.ndarray, "..."], mask: Mask) -> Float[np.ndarray, "..."]:
    """Return the scores with blocked entries at -inf, or with a float mask added.

    Shapes broadcast. The scores are not changed; integer ones give float64.

    Raises:
        TypeError: the scores are no real array, or the mask is no boolean or float one.
        ValueError: a float mask holds NaN or +inf, or the shapes do not broadcast.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), section 3.2.3.
    """
    scores = np.asarray(scores, _arguments.floating_dtype(scores=scores))
    check_mask(mask, name="mask")
    _arguments.check_mask_broadcasts(mask.shape, scores.shape)
    if mask.dtype == bool:
        return np.where(mask, scores, scores.dtype.type(-np.inf))
    with np.errstate(over="ignore"):  # what is below the dtype's range becomes -inf
        return np.asarray(scores + mask.astype(scores.dtype))


def check_mask(mask: Mask, name: str = "attn_mask") -> None:
    """Require a boolean mask, or a float one without NaN and +inf.

    Raises:
        TypeError, ValueError: as said, naming the mask by ``name``.
    """
    if not isinstance(mask, np.ndarray):
        raise TypeError(f"{name} is a {type(mask).__name__}; wanted a NumPy array")
    if mask.dtype != bool and mask.dtype.type not in _arguments.FLOAT_DTYPES:
        raise TypeError(
            f"{name} has dtype {mask.dtype}; wanted bool (True = may attend) "
            "or float16, float32 or float64 (added to the scores)"
        )
    if mask.dtype != bool and not (mask < np.inf).all():  # NaN compares False as well
        raise ValueError(f"{name} holds NaN or +inf; wanted finite numbers or -inf")
