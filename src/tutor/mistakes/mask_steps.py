"""What masks do inside attention, with knobs to make it wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# Whether query i may see key j, from i, j, n_q and n_k.
CAUSAL: dict[str, Callable] = {
    "right": lambda i, j, n_q, n_k: j <= i + n_k - n_q,
    "top left": lambda i, j, n_q, n_k: j <= i,
    "strict": lambda i, j, n_q, n_k: j < i + n_k - n_q,
    "one ahead": lambda i, j, n_q, n_k: j <= i + n_k - n_q + 1,
    "upper": lambda i, j, n_q, n_k: j >= i + n_k - n_q,
    "strict upper": lambda i, j, n_q, n_k: j > i + n_k - n_q,
    "upper top left": lambda i, j, n_q, n_k: j >= i,
    "strict upper top left": lambda i, j, n_q, n_k: j > i,
    "strict top left": lambda i, j, n_q, n_k: j < i,
    "one ahead top left": lambda i, j, n_q, n_k: j <= i + 1,
    "wrong way": lambda i, j, n_q, n_k: j <= i + n_q - n_k,
    "by distance": lambda i, j, n_q, n_k: j <= i + abs(n_k - n_q),
    "never below zero": lambda i, j, n_q, n_k: j <= i + max(n_k - n_q, 0),
    "first key for all": lambda i, j, n_q, n_k: (j <= i + n_k - n_q) | (j == 0),
    "diagonal": lambda i, j, n_q, n_k: j == i + n_k - n_q,
    "all": lambda i, j, n_q, n_k: (j >= 0) & (i >= 0),
    "flipped": lambda i, j, n_q, n_k: j >= n_q - 1 - i,
}

JOINED: dict[str, Callable] = {
    "and": lambda mask, future: mask & future,
    "or": lambda mask, future: mask | future,
    "xor": lambda mask, future: mask ^ future,
    "mask wins": lambda mask, future: mask,
    "causal wins": lambda mask, future: future,
}

# Which mask each element of the batch gets.
BATCHES: dict[str, Callable] = {
    "own": lambda mask: mask,
    "first": lambda mask: mask[:1] if mask.ndim > 2 else mask,
    "last": lambda mask: mask[-1:] if mask.ndim > 2 else mask,
    "any": lambda mask: mask.any(0, keepdims=True) if mask.ndim > 2 else mask,
    "all": lambda mask: mask.all(0, keepdims=True) if mask.ndim > 2 else mask,
    "next": lambda mask: np.roll(mask, 1, axis=0) if mask.ndim > 2 else mask,
    "first head": lambda mask: mask[..., :1, :, :] if mask.ndim > 3 else mask,
    "turned": lambda mask: mask.swapaxes(-1, -2) if mask.ndim > 1 else mask[:, None],
    "first row": lambda mask: mask[..., :1, :] if mask.ndim > 1 else mask,
    "last row": lambda mask: mask[..., -1:, :] if mask.ndim > 1 else mask,
    "keys only": lambda mask: mask.all(-2, keepdims=True) if mask.ndim > 1 else mask,
}

APPLIED: dict[str, Callable] = {
    "replaced": lambda scores, allowed, fill: np.where(allowed, scores, fill),
    "added": lambda scores, allowed, fill: scores + np.where(allowed, 0.0, fill),
    "as numbers": lambda scores, allowed, fill: scores + allowed,
    "multiplied": lambda scores, allowed, fill: scores * allowed,
    "times fill": lambda scores, allowed, fill: scores * np.where(allowed, 1.0, fill),
    "zeros replaced": lambda scores, allowed, fill: np.where(
        scores * allowed == 0, fill, scores * allowed
    ),
    "after": lambda scores, allowed, fill: scores,
    "after, renormalised": lambda scores, allowed, fill: scores,
}

EMPTY: dict[str, Callable] = {
    "zeros": lambda n_k: np.zeros(n_k),
    "uniform": lambda n_k: np.full(n_k, 1.0 / n_k),
    "nan": lambda n_k: np.full(n_k, np.nan),
    "ones": lambda n_k: np.ones(n_k),
    "first": lambda n_k: np.eye(n_k)[0],
    "last": lambda n_k: np.eye(n_k)[-1],
}


def causal(n_q: int, n_k: int, how: str = "right") -> np.ndarray:
    """Return who may see whom, as True."""
    i, j = np.arange(n_q)[:, None], np.arange(n_k)
    return CAUSAL[how](i, j, n_q, n_k)


def allowed(
    attn_mask,
    is_causal,
    shape,
    *,
    polarity="keep",
    batch="own",
    joined="and",
    causal_part="right",
    mask_part="used",
):
    """Return which scores count, of shape (..., n_q, n_k); None where all do."""
    mask = None if attn_mask is None or mask_part == "ignored" else np.asarray(attn_mask)
    if mask is not None:
        mask = BATCHES[batch](~mask.astype(bool) if polarity == "block" else mask.astype(bool))
    future = causal(*shape[-2:], causal_part) if is_causal else None
    if mask is None or future is None:
        both = future if mask is None else mask
    else:
        both = JOINED[joined](mask, future)
    return None if both is None else np.broadcast_to(both, shape)


def masked(scores, allowed, *, applied="replaced", fill=-np.inf, maximum="allowed"):
    """Return the scores as the softmax gets them."""
    if allowed is None:
        return scores
    if maximum == "all":
        scores = scores - scores.max(axis=-1, keepdims=True)
    return APPLIED[applied](scores, allowed, fill)


def finished(weights, allowed, *, applied="replaced", empty="zeros", empty_returned="same"):
    """Return the weights that blend the values, and those that are handed out."""
    if allowed is None:
        return weights, weights
    if applied.startswith("after"):
        weights = weights * allowed
    if applied == "after, renormalised":
        weights = weights / weights.sum(axis=-1, keepdims=True)
    blending = _emptied(weights, allowed, empty)
    if empty_returned == "same":
        return blending, blending
    return blending, _emptied(weights, allowed, empty_returned)


def _emptied(weights, allowed, empty):
    if empty == "left":
        return weights
    nothing = ~allowed.any(axis=-1, keepdims=True)
    return np.where(nothing, EMPTY[empty](weights.shape[-1]), weights)
