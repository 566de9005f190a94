"""Right answers to problem set 1, written differently: FUNCTION__style."""

import functools
import math
import warnings

import einops
import numpy as np
import scipy.special
import torch


def softmax__logsumexp(x, axis=-1):
    x = np.asarray(x, dtype=float)
    return np.exp(x - scipy.special.logsumexp(x, axis=axis, keepdims=True))


def softmax__scipy(x, axis=-1):
    return scipy.special.softmax(np.asarray(x, dtype=np.float64), axis=axis)


def softmax__torch(x, axis=-1):
    return torch.softmax(torch.as_tensor(np.array(x), dtype=torch.float64), dim=axis)


def softmax__float32(x, axis=-1):
    x = np.asarray(x).astype(np.float32)
    e = np.exp(x - np.max(x, axis, keepdims=True))
    return e / np.sum(e, axis, keepdims=True)


def softmax__loops(x, axis=-1):
    x = np.array(x, dtype=float)
    moved = np.moveaxis(x, axis, -1)
    result = np.empty_like(moved)
    for index in np.ndindex(moved.shape[:-1]):
        row = moved[index]
        top = max(row)
        terms = [math.exp(value - top) for value in row]
        for j, term in enumerate(terms):
            result[(*index, j)] = term / sum(terms)
    return np.moveaxis(result, -1, axis)


def softmax__along_axis(x, axis=-1):
    def one(row):
        row = row - row.max()
        return np.exp(row) / np.exp(row).sum()

    return np.apply_along_axis(one, axis, np.asarray(x, dtype=float))


def softmax__reduce(x, axis=-1):
    x = np.asarray(x) + 0.0
    shifted = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    e = np.exp(shifted)
    return (e / np.add.reduce(e, axis=axis, keepdims=True)).tolist()


def softmax__pairwise(x, axis=-1):
    x = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    x = np.where(np.isneginf(x), -np.inf, x - np.max(x, axis=-1, keepdims=True))
    differences = x[..., None, :] - np.where(np.isneginf(x), 0, x)[..., :, None]
    ratios = np.exp(differences).sum(-1)
    return np.moveaxis(np.where(np.isneginf(x), 0.0, 1.0 / ratios), -1, axis)


def softmax__warns(x, axis=-1):
    warnings.warn("working on it", stacklevel=2)
    print("softmax of", np.shape(x))
    x = np.asarray(x, dtype=float)
    np.float64(1.0) / np.float64(0.0)
    e = np.exp(np.subtract(x, np.amax(x, axis=axis, keepdims=True)))
    return e / np.expand_dims(e.sum(axis), axis)


def soft_lookup__einsum(query, keys, values, temperature=1.0):
    scores = np.einsum("nd,d->n", np.asarray(keys, float), np.asarray(query, float)) / temperature
    e = np.exp(scores - scores.max())
    return np.einsum("n,nv->v", e, np.asarray(values, float)) / e.sum()


def soft_lookup__loops(query, keys, values, temperature=1.0):
    scores = [sum(q * k for q, k in zip(query, key)) / temperature for key in keys]  # noqa: B905
    top = max(scores)
    weights = [math.exp(score - top) for score in scores]
    blended = [0.0] * len(values[0])
    for weight, value in zip(weights, values):  # noqa: B905
        for j, entry in enumerate(value):
            blended[j] += weight * entry / sum(weights)
    return blended


def soft_lookup__torch(query, keys, values, temperature=1.0):
    q, k, v = (
        torch.tensor(np.array(a, dtype=float), requires_grad=True) for a in (query, keys, values)
    )
    return torch.softmax(k @ q / float(temperature), dim=0) @ v


def soft_lookup__float32(query, keys, values, temperature=1.0):
    q, k, v = (np.array(a, dtype=np.float32) for a in (query, keys, values))
    scores = k.dot(q) / np.float32(temperature)
    scores -= scores.max()
    return np.average(v, axis=0, weights=np.exp(scores))


def soft_lookup__query_first(query, keys, values, temperature=1.0):
    query = np.asarray(query, dtype=float) / temperature
    weights = softmax(np.asarray(keys) @ query)
    return (weights[:, None] * np.asarray(values)).sum(axis=0)


def soft_lookup__scipy(query, keys, values, temperature=1.0):
    scores = np.inner(np.asarray(keys, float), np.asarray(query, float)) * (1 / temperature)
    return scipy.special.softmax(scores).reshape(1, -1).dot(np.asarray(values, float))[0]


def soft_lookup__reduce(query, keys, values, temperature=1.0):
    scores = np.asarray(keys, float) @ np.asarray(query, float) / temperature
    total = functools.reduce(np.logaddexp, scores)
    return sum(np.exp(s - total) * np.asarray(v, float) for s, v in zip(scores, values))  # noqa: B905


def attention__einsum(query, key, value):
    query, key, value = (np.asarray(a, dtype=float) for a in (query, key, value))
    scores = np.einsum("...qd,...kd->...qk", query, key) / math.sqrt(query.shape[-1])
    weights = scipy.special.softmax(scores, axis=-1)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


def attention__prescaled(query, key, value):
    query = np.asarray(query, dtype=float) * np.shape(query)[-1] ** -0.5
    weights = softmax(np.matmul(query, np.swapaxes(np.asarray(key, float), -1, -2)))
    return [np.matmul(weights, np.asarray(value, float)), weights]


def attention__both_sides(query, key, value):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    fourth = q.shape[-1] ** -0.25
    scores = (q * fourth) @ np.moveaxis(k * fourth, -1, -2)
    weights = np.exp(scores - scipy.special.logsumexp(scores, axis=-1, keepdims=True))
    return weights @ v, weights


def attention__loops(query, key, value):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    output = np.zeros((*q.shape[:-1], v.shape[-1]))
    weights = np.zeros((*q.shape[:-1], k.shape[-2]))
    for index in np.ndindex(q.shape[:-1]):
        scores = [q[index] @ row / q.shape[-1] ** 0.5 for row in k[index[:-1]]]
        e = [math.exp(score - max(scores)) for score in scores]
        for j, term in enumerate(e):
            weights[(*index, j)] = term / sum(e)
            output[index] += term / sum(e) * v[index[:-1]][j]
    return output, weights


def attention__torch(query, key, value):
    q, k, v = (torch.as_tensor(np.array(a, dtype=np.float64)) for a in (query, key, value))
    weights = (q @ k.mT / q.size(-1) ** 0.5).softmax(-1)
    return weights @ v, weights


def attention__torch_sdpa(query, key, value):
    q, k, v = (torch.tensor(np.array(a, dtype=np.float64)) for a in (query, key, value))
    output = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return output, torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)


def attention__float32(query, key, value):
    q, k, v = (np.array(a, dtype=np.float32) for a in (query, key, value))
    scores = (q / np.sqrt(np.float32(q.shape[-1]))) @ k.swapaxes(-2, -1)
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return scores @ v, scores


def attention__float32_both_sides(query, key, value):
    q, k, v = (torch.tensor(np.array(a), dtype=torch.float32) for a in (query, key, value))
    root = q.shape[-1] ** -0.25
    weights = torch.softmax((q * root) @ (k * root).transpose(-1, -2), dim=-1)
    return weights @ v, weights


def attention__sum_of_products(query, key, value):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    scores = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / np.sqrt(k.shape[-1])
    e = np.exp(scores - scores.max(-1)[..., None])
    output = (e[..., None] * v[..., None, :, :]).sum(-2) / e.sum(-1)[..., None]
    return output, e / e.sum(-1)[..., None]


def attention__einops(query, key, value):
    q, k, v = (np.asarray(a, dtype=float) for a in (query, key, value))
    scores = einops.einsum(q, k, "... q d, ... k d -> ... q k") / q.shape[-1] ** 0.5
    weights = softmax(scores, axis=scores.ndim - 1)
    return einops.einsum(weights, v, "... q k, ... k v -> ... q v"), weights


def attention__recursive(query, key, value):
    query, key, value = (np.asarray(a, dtype=float) for a in (query, key, value))
    if query.ndim > 2:
        pairs = [attention(*parts) for parts in zip(query, key, value, strict=True)]
        return tuple(np.stack(part) for part in zip(*pairs, strict=True))
    scores = query.dot(key.T) / np.sqrt(query.shape[1])
    weights = np.stack([softmax(row) for row in scores])
    return weights.dot(value), weights
