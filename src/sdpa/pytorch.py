"""The functions of :mod:`sdpa` on torch tensors: any device, with gradients.

The contracts are those of the NumPy functions of the same names, bfloat16 added.
Two things differ, both because looking at a value would make the host wait for the
device: the entries of float masks are not examined, nor is anything else's value,
except in :func:`hard_lookup`, whose result depends on it, and in
:func:`padding_mask`, whose few lengths are worth the wait.
"""

from __future__ import annotations

from functools import reduce

import torch
from jaxtyping import Bool, Float, Integer, Real
from torch import Tensor

from sdpa import _arguments

FLOAT_DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)

Mask = Bool[Tensor, "..."] | Float[Tensor, "..."]
Query = Real[Tensor, "d"]
Keys = Real[Tensor, "n d"]
Values = Real[Tensor, "n d_v"]
Blend = Float[Tensor, "d_v"]


# Attention


def softmax(x: Real[Tensor, "*shape"], axis: int = -1) -> Float[Tensor, "*shape"]:
    """Turn scores into weights: see :func:`sdpa.softmax`.

    Where all entries along ``axis`` are -inf, weights and gradients are zeros.
    """
    dtype = _floating_dtype(x=x)
    _arguments.check_axis(axis, x.ndim)
    x = x.to(_accumulation_dtype(dtype))
    nothing_allowed = (x == -torch.inf).all(dim=axis, keepdim=True)
    # Both fills matter: without the first, 0 * NaN would reach the gradient.
    weights = torch.softmax(x.masked_fill(nothing_allowed, 0.0), dim=axis)
    return weights.masked_fill(nothing_allowed, 0.0).to(dtype)


def attention(
    query: Real[Tensor, "*#batch n_q d_k"],
    key: Real[Tensor, "*#batch n_k d_k"],
    value: Real[Tensor, "*#batch n_k d_v"],
    attn_mask: Mask | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> tuple[Float[Tensor, "*#batch n_q d_v"], Float[Tensor, "*#batch n_q n_k"]]:
    """Return (output, weights): see :func:`sdpa.attention`.

    A query that may attend to no key has zeros in output, weights and gradient.

    Raises:
        TypeError, ValueError: as the NumPy function; ValueError also where the
            tensors are on different devices.

    Source: Vaswani et al. 2017 (arXiv:1706.03762), equation 1.
    """
    dtype = _floating_dtype(query=query, key=key, value=value)
    shape = _arguments.scores_shape(*(tuple(x.shape) for x in (query, key, value)))
    scale = _arguments.resolve_scale(scale, query.shape[-1])
    mask = _joint_mask(attn_mask, is_causal, shape, query.device)

    query, key, value = (x.to(_accumulation_dtype(dtype)) for x in (query, key, value))
    scores = query @ key.transpose(-1, -2) * scale
    if mask is not None:
        scores = apply_mask(scores, mask)
    weights = softmax(scores)
    output = weights @ value
    return output.to(dtype), weights.to(dtype)


def scaled_dot_product_attention(
    query: Real[Tensor, "*batch_q n_q d_k"],
    key: Real[Tensor, "*batch_k n_k d_k"],
    value: Real[Tensor, "*batch_v n_k d_v"],
    attn_mask: Mask | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Float[Tensor, "*batch_out n_q d_v"]:
    """Return the output alone: see :func:`sdpa.scaled_dot_product_attention`.

    ``torch.nn.functional.scaled_dot_product_attention`` differs in three points: its
    ``is_causal`` aligns top-left, forbids ``attn_mask`` beside it, and its
    ``dropout_p`` is not here.
    """
    if _arguments.flag("enable_gqa", enable_gqa):
        _floating_dtype(query=query, key=key, value=value)
        group = _arguments.grouped_query_factor(*(tuple(x.shape) for x in (query, key, value)))
        key, value = (x.repeat_interleave(group, dim=-3) for x in (key, value))
    output, _ = attention(query, key, value, attn_mask, is_causal, scale)
    return output


# Masks


def causal_mask(
    n_q: int, n_k: int, *, device: torch.device | str | None = None
) -> Bool[Tensor, "n_q n_k"]:
    """Let each query see the keys up to its own position: see :func:`sdpa.causal_mask`."""
    return _distance_to_key(n_q, n_k, device) >= 0


def sliding_window_mask(
    n_q: int,
    n_k: int,
    window: int,
    *,
    is_causal: bool = True,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "n_q n_k"]:
    """Let each query see its neighbourhood: see :func:`sdpa.sliding_window_mask`."""
    distance = _distance_to_key(n_q, n_k, device)
    window = _arguments.count("window", window, minimum=1)
    if _arguments.flag("is_causal", is_causal):
        return (distance >= 0) & (distance < window)
    return distance.abs() < window


def padding_mask(lengths: Integer[Tensor, "*batch"], n_k: int) -> Bool[Tensor, "*batch 1 n_k"]:
    """Hide the keys beyond each sequence's length: see :func:`sdpa.padding_mask`."""
    n_k = _arguments.count("n_k", n_k)
    if not isinstance(lengths, Tensor) or not _is_integer(lengths.dtype):
        got = lengths.dtype if isinstance(lengths, Tensor) else type(lengths).__name__
        raise TypeError(f"lengths is {got}; wanted a tensor of integers")
    lengths = lengths.long()  # torch has no min of its larger unsigned types
    if lengths.numel() and (lengths.min() < 0 or lengths.max() > n_k):
        raise ValueError(
            f"lengths go from {lengths.min()} to {lengths.max()}; wanted 0 to {n_k} (n_k)"
        )
    return torch.arange(n_k, device=lengths.device) < lengths[..., None, None]


def combine(*masks: Mask) -> Mask:
    """Apply several masks at once: see :func:`sdpa.combine`."""
    if not masks:
        raise TypeError("combine got no mask; wanted at least one")
    for position, mask in enumerate(masks):
        _check_mask(mask, name=f"mask {position}")
    try:
        torch.broadcast_shapes(*(mask.shape for mask in masks))
    except RuntimeError as error:
        shapes = ", ".join(str(tuple(mask.shape)) for mask in masks)
        raise ValueError(f"masks have shapes {shapes}; wanted shapes that broadcast") from error
    return reduce(_combine_pair, masks)


def apply_mask(scores: Real[Tensor, "..."], mask: Mask) -> Float[Tensor, "..."]:
    """Return the scores with blocked entries at -inf: see :func:`sdpa.apply_mask`."""
    dtype = _floating_dtype(scores=scores)
    scores = scores.to(dtype)
    _check_mask(mask, name="mask")
    _arguments.check_mask_broadcasts(tuple(mask.shape), tuple(scores.shape))
    if mask.dtype == torch.bool:
        return scores.masked_fill(~mask, -torch.inf)
    return scores + mask.to(scores.dtype)


# Lookup


def hard_lookup(query: Query, keys: Keys, values: Values) -> Real[Tensor, "d_v"]:
    """Return the value whose key equals the query: see :func:`sdpa.hard_lookup`."""
    _check_lookup(query, keys, values)
    matches = (keys == query).all(dim=1).nonzero()
    if not len(matches):
        raise KeyError(f"no key equals the query {query.tolist()}")
    return values[matches[-1, 0]].clone()


def nearest_lookup(query: Query, keys: Keys, values: Values) -> Real[Tensor, "d_v"]:
    """Return the value of the most similar key: see :func:`sdpa.nearest_lookup`."""
    dtype = _check_lookup(query, keys, values)
    return values[_similarities(query, keys, dtype).argmax()].clone()


def soft_lookup(query: Query, keys: Keys, values: Values, temperature: float = 1.0) -> Blend:
    """Return all values blended: see :func:`sdpa.soft_lookup`."""
    dtype = _check_lookup(query, keys, values)
    temperature = _arguments.positive_real("temperature", temperature)
    return _blend(_similarities(query, keys, dtype), temperature, values, dtype)


def kernel_regression(query: Query, keys: Keys, values: Values, bandwidth: float = 1.0) -> Blend:
    """Return Nadaraya and Watson's weighted mean: see :func:`sdpa.kernel_regression`."""
    dtype = _check_lookup(query, keys, values)
    bandwidth = _arguments.positive_real("bandwidth", bandwidth)
    compute = _accumulation_dtype(dtype)
    differences = keys.to(compute) - query.to(compute)
    return _blend(-(differences**2).sum(dim=1) / 2, bandwidth * bandwidth, values, dtype)


# Derivatives


def softmax_jacobian(p: Real[Tensor, "*batch n"]) -> Float[Tensor, "*batch n n"]:
    """Return how each weight answers to each score: see :func:`sdpa.softmax_jacobian`."""
    dtype = _floating_dtype(p=p)
    _arguments.check_has_axis("p", tuple(p.shape))
    p = p.to(_accumulation_dtype(dtype))
    return (torch.diag_embed(p) - p[..., :, None] * p[..., None, :]).to(dtype)


# Helpers


def _is_integer(dtype: torch.dtype) -> bool:
    return not (dtype.is_floating_point or dtype.is_complex or dtype == torch.bool)


def _floating_dtype(**tensors: Tensor) -> torch.dtype:
    """Return the dtype of a result over these named tensors, after checking them."""
    first_name, first = next(iter(tensors.items()))
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name} is a {type(tensor).__name__}; wanted a torch.Tensor")
        if tensor.dtype not in FLOAT_DTYPES and not _is_integer(tensor.dtype):
            raise TypeError(
                f"{name} has dtype {tensor.dtype}; "
                "wanted integers or float16, bfloat16, float32 or float64"
            )
        if tensor.device != first.device:
            raise ValueError(
                f"{name} is on {tensor.device}; wanted {first.device}, as {first_name} is"
            )
    dtype = reduce(torch.promote_types, (tensor.dtype for tensor in tensors.values()))
    return dtype if dtype.is_floating_point else torch.float64


def _accumulation_dtype(dtype: torch.dtype) -> torch.dtype:
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype


def _check_mask(mask: Mask, name: str = "attn_mask") -> None:
    if not isinstance(mask, Tensor):
        raise TypeError(f"{name} is a {type(mask).__name__}; wanted a torch.Tensor")
    if mask.dtype != torch.bool and mask.dtype not in FLOAT_DTYPES:
        raise TypeError(
            f"{name} has dtype {mask.dtype}; wanted bool (True = may attend) "
            "or float16, bfloat16, float32 or float64 (added to the scores)"
        )


def _joint_mask(
    attn_mask: Mask | None, is_causal: bool, shape: _arguments.Shape, device: torch.device
) -> Mask | None:
    if attn_mask is not None:
        _check_mask(attn_mask)
        _arguments.check_mask_shape(tuple(attn_mask.shape), shape)
        if attn_mask.device != device:
            raise ValueError(f"attn_mask is on {attn_mask.device}; wanted {device}, as query is")
    if not _arguments.flag("is_causal", is_causal):
        return attn_mask
    causal = causal_mask(*shape[-2:], device=device)
    return causal if attn_mask is None else combine(attn_mask, causal)


def _combine_pair(left: Mask, right: Mask) -> Mask:
    if left.dtype == right.dtype == torch.bool:
        return left & right
    if left.dtype == torch.bool:
        left, right = right, left
    return apply_mask(left, right) if right.dtype == torch.bool else left + right


def _distance_to_key(
    n_q: int, n_k: int, device: torch.device | str | None
) -> Integer[Tensor, "n_q n_k"]:
    n_q = _arguments.count("n_q", n_q)
    n_k = _arguments.count("n_k", n_k)
    query_position = torch.arange(n_q, device=device)[:, None] + (n_k - n_q)
    return query_position - torch.arange(n_k, device=device)


def _check_lookup(query: Query, keys: Keys, values: Values) -> torch.dtype:
    dtype = _floating_dtype(query=query, keys=keys, values=values)
    _arguments.check_lookup_shapes(tuple(query.shape), tuple(keys.shape), tuple(values.shape))
    return dtype


def _similarities(query: Query, keys: Keys, dtype: torch.dtype) -> Float[Tensor, "n"]:
    compute = _accumulation_dtype(dtype)
    return keys.to(compute) @ query.to(compute)


def _blend(
    scores: Float[Tensor, "n"], temperature: float, values: Values, dtype: torch.dtype
) -> Blend:
    # A temperature may be too small for the dtype, and scores divided by it too large.
    temperature = max(temperature, torch.finfo(scores.dtype).tiny)
    scores = (scores - scores.max().detach()) / temperature
    return (softmax(scores) @ values.to(scores.dtype)).to(dtype)
