"""Right answers to problem set 4, written differently: FUNCTION__style."""

import math

import einops
import numpy as np
import scipy.special
import torch


def causal_mask__tri(n_q, n_k):
    return np.tri(n_q, n_k, n_k - n_q, dtype=bool)


def causal_mask__tril(n_q, n_k):
    return np.tril(np.ones((n_q, n_k), dtype=bool), k=n_k - n_q)


def causal_mask__loops(n_q, n_k):
    return [[j <= i + n_k - n_q for j in range(n_k)] for i in range(n_q)]


def causal_mask__triu(n_q, n_k):
    return ~np.triu(np.ones((n_q, n_k)), k=n_k - n_q + 1).astype(bool)


def causal_mask__torch(n_q, n_k):
    return torch.ones(n_q, n_k, dtype=torch.bool).tril(diagonal=n_k - n_q)


def causal_mask__from_the_end(n_q, n_k):
    from_end_q, from_end_k = np.arange(n_q)[::-1], np.arange(n_k)[::-1]
    return from_end_k[None, :] >= from_end_q[:, None]


def causal_mask__rows(n_q, n_k):
    mask = np.zeros((n_q, n_k), dtype=bool)
    for i in range(n_q):
        mask[i, : max(0, n_k - n_q + i + 1)] = True
    return mask


def causal_mask__indices(n_q, n_k):
    i, j = np.indices((n_q, n_k))
    return (j - i) <= (n_k - n_q)


def padding_mask__reshape(lengths, n_k):
    lengths = np.asarray(lengths)
    return np.arange(n_k) < lengths.reshape(*lengths.shape, 1, 1)


def padding_mask__loops(lengths, n_k):
    lengths = np.asarray(lengths)
    mask = np.zeros((*lengths.shape, 1, n_k), dtype=bool)
    for index in np.ndindex(lengths.shape):
        mask[index][0, : lengths[index]] = True
    return mask


def padding_mask__torch(lengths, n_k):
    lengths = torch.tensor(np.array(lengths))
    return torch.arange(n_k) < lengths[..., None, None]


def padding_mask__outer(lengths, n_k):
    return np.expand_dims(np.greater.outer(np.asarray(lengths), np.arange(n_k)), -2)


def padding_mask__list(lengths, n_k):
    def build(length):
        if np.ndim(length):
            return [build(each) for each in length]
        return [[j < length for j in range(n_k)]]

    return build(lengths)


def padding_mask__expand(lengths, n_k):
    lengths = np.expand_dims(lengths, axis=(-1, -2))
    return np.logical_not(np.arange(n_k)[None] >= lengths)


def padding_mask__cumsum(lengths, n_k):
    ones = np.ones((*np.shape(lengths), 1, n_k), dtype=int)
    return ones.cumsum(axis=-1) <= np.asarray(lengths)[..., None, None]


def attention__scipy(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    scores = np.einsum("...qd,...kd->...qk", q, k) / q.shape[-1] ** 0.5
    allowed = np.ones(scores.shape, dtype=bool)
    if attn_mask is not None:
        allowed = allowed & attn_mask
    if is_causal:
        allowed = allowed & np.tri(
            *scores.shape[-2:], scores.shape[-1] - scores.shape[-2], dtype=bool
        )
    weights = np.nan_to_num(scipy.special.softmax(np.where(allowed, scores, -np.inf), axis=-1))
    return np.einsum("...qk,...kv->...qv", weights, v), weights


def attention__torch(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (torch.tensor(np.array(a, dtype=np.float64)) for a in (query, key, value))
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if is_causal:
        future = torch.ones(scores.shape[-2:]).triu(1 + scores.shape[-1] - scores.shape[-2]).bool()
        scores = scores.masked_fill(future, -math.inf)
    if attn_mask is not None:
        scores = scores.masked_fill(~torch.tensor(np.array(attn_mask)), -math.inf)
    weights = torch.softmax(scores, -1).nan_to_num(0.0)
    return weights @ v, weights


def attention__torch_sdpa(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (torch.tensor(np.array(a, dtype=np.float64)) for a in (query, key, value))
    shape = (*q.shape[:-1], k.shape[-2])
    mask = torch.ones(shape, dtype=torch.bool)
    if attn_mask is not None:
        mask &= torch.tensor(np.array(attn_mask))
    if is_causal:
        mask &= torch.tensor(np.array(causal_mask(*shape[-2:])))
    sdpa = torch.nn.functional.scaled_dot_product_attention
    identity = torch.eye(k.shape[-2], dtype=torch.float64).expand(*k.shape[:-2], -1, -1)
    empty = ~mask.any(-1, keepdim=True)
    return (
        sdpa(q, k, v, attn_mask=mask).masked_fill(empty, 0.0),
        sdpa(q, k, identity, attn_mask=mask).masked_fill(empty, 0.0),
    )


def attention__float32(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (np.array(a, dtype=np.float32) for a in (query, key, value))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(np.float32(q.shape[-1]))
    if attn_mask is not None:
        scores = np.where(attn_mask, scores, np.float32(-np.inf))
    if is_causal:
        scores = np.where(causal_mask(*scores.shape[-2:]), scores, np.float32(-np.inf))
    top = np.maximum(scores.max(-1, keepdims=True), np.finfo(np.float32).min)
    e = np.exp(scores - top)
    weights = e / np.maximum(e.sum(-1, keepdims=True), np.float32(1e-30))
    return weights @ v, weights


def attention__mask_before_scale(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    scores = q @ k.swapaxes(-1, -2)
    mask = np.ones(scores.shape[-2:], bool) if attn_mask is None else np.array(attn_mask)
    if is_causal:
        mask = mask & causal_mask(*scores.shape[-2:])
    scores = np.where(mask, scores, -np.inf) / math.sqrt(q.shape[-1])
    lse = scipy.special.logsumexp(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isneginf(lse), 0.0, lse))
    return weights @ v, weights


def attention__loops(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    n_q, n_k = q.shape[-2], k.shape[-2]
    shape = (*q.shape[:-2], n_q, n_k)
    mask = np.broadcast_to(True if attn_mask is None else attn_mask, shape)
    weights, output = np.zeros(shape), np.zeros((*shape[:-1], v.shape[-1]))
    for index in np.ndindex(shape[:-1]):
        seen = [
            j
            for j in range(n_k)
            if mask[(*index, j)] and (not is_causal or j <= index[-1] + n_k - n_q)
        ]
        if not seen:
            continue
        scores = [q[index] @ k[index[:-1]][j] / math.sqrt(q.shape[-1]) for j in seen]
        e = [math.exp(score - max(scores)) for score in scores]
        for j, term in zip(seen, e, strict=True):
            weights[(*index, j)] = term / sum(e)
        output[index] = weights[index] @ v[index[:-1]]
    return output, weights


def attention__both_sides(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    root = q.shape[-1] ** -0.25
    scores = (q * root) @ (k * root).swapaxes(-1, -2)
    bias = np.zeros(scores.shape)
    if attn_mask is not None:
        bias = bias + np.where(attn_mask, 0.0, -np.inf)
    if is_causal:
        bias = bias + np.where(causal_mask(*scores.shape[-2:]), 0.0, -np.inf)
    scores = scores + bias
    empty = np.isneginf(scores).all(-1, keepdims=True)
    weights = np.where(empty, 0.0, scipy.special.softmax(np.where(empty, 0.0, scores), axis=-1))
    return weights @ v, weights


def attention__lowest(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    scores = q / math.sqrt(q.shape[-1]) @ k.swapaxes(-1, -2)
    allowed = np.full(scores.shape, True)
    if attn_mask is not None:
        allowed &= attn_mask
    if is_causal:
        allowed &= causal_mask(*scores.shape[-2:])
    scores[~allowed] = np.finfo(float).min
    scores -= scores.max(-1, keepdims=True)
    e = np.exp(scores) * allowed
    total = e.sum(-1, keepdims=True)
    weights = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    return weights @ v, weights


def attention__einops(query, key, value, attn_mask=None, is_causal=False):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    scores = einops.einsum(q, k, "... q d, ... k d -> ... q k") / np.sqrt(k.shape[-1])
    mask = True if attn_mask is None else attn_mask
    mask = np.logical_and(mask, causal_mask(*scores.shape[-2:])) if is_causal else mask
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    e = np.exp(scores - np.nan_to_num(top, neginf=0.0))
    weights = np.nan_to_num(e / e.sum(-1, keepdims=True))
    return [einops.einsum(weights, v, "... q k, ... k v -> ... q v"), weights.tolist()]
