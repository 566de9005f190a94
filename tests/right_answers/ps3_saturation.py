"""Right answers to problem set 3, written differently: FUNCTION__style."""

import math

import numpy as np
import scipy.special
import scipy.stats
import torch


def softmax_jacobian__loops(p):
    n = len(p)
    return [[p[i] * ((i == j) - p[j]) for j in range(n)] for i in range(n)]


def softmax_jacobian__eye(p):
    p = np.asarray(p, dtype=float)
    return p[:, None] * (np.eye(p.size) - p)


def softmax_jacobian__einsum(p):
    p = np.array(p, dtype=float)
    return np.diag(p) - np.einsum("i,j->ij", p, p)


def softmax_jacobian__fill(p):
    p = np.asarray(p, dtype=float)
    jacobian = -p[:, None] @ p[None]
    jacobian[np.diag_indices(len(p))] += p
    return jacobian


def softmax_jacobian__torch(p):
    p = torch.tensor(np.array(p, dtype=float), requires_grad=True)
    return torch.diag(p) - torch.outer(p, p)


def softmax_jacobian__autograd(p):
    scores = torch.log(torch.tensor(np.array(p, dtype=float)))
    jacobian = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)
    return torch.nan_to_num(jacobian)


def softmax_jacobian__float32(p):
    p = np.asarray(p).astype(np.float32)
    return np.diagflat(p) - np.multiply.outer(p, p)


def softmax_jacobian__cases(p):
    p = np.asarray(p, dtype=float)
    same = np.arange(p.size)[:, None] == np.arange(p.size)
    return np.where(same, p * (1 - p), -np.outer(p, p))


def jacobian_norm__linalg(scores):
    return np.linalg.norm(softmax_jacobian(scipy.special.softmax(np.asarray(scores, float))))


def jacobian_norm__closed_form(scores):
    p = scipy.special.softmax(np.asarray(scores, dtype=float))
    off = np.outer(p, p)
    np.fill_diagonal(off, p * (1 - p))
    return math.sqrt(np.sum(off**2))


def jacobian_norm__loops(scores):
    top = max(scores)
    e = [math.exp(s - top) for s in scores]
    p = [x / sum(e) for x in e]
    total = 0.0
    for i, a in enumerate(p):
        for j, b in enumerate(p):
            total += (a * ((i == j) - b)) ** 2
    return total**0.5


def jacobian_norm__torch(scores):
    p = torch.softmax(torch.as_tensor(np.array(scores), dtype=torch.float64), -1)
    return torch.linalg.matrix_norm(torch.diag(p) - torch.outer(p, p))


def jacobian_norm__trace(scores):
    scores = np.asarray(scores, dtype=float)
    p = np.exp(scores - scipy.special.logsumexp(scores))
    jacobian = softmax_jacobian(p)
    return np.sqrt(np.trace(jacobian @ jacobian.T))


def jacobian_norm__float32(scores):
    scores = np.asarray(scores, dtype=np.float32)
    e = np.exp(scores - scores.max())
    p = e / e.sum()
    return np.linalg.norm(np.diag(p) - np.outer(p, p), "fro")


def jacobian_norm__singular(scores):
    jacobian = softmax_jacobian(scipy.special.softmax(np.array(scores, dtype=float)))
    return np.array(np.sqrt((np.linalg.svd(jacobian, compute_uv=False) ** 2).sum()))


def attention_entropy__xlogy(weights):
    weights = np.asarray(weights, dtype=float)
    return -scipy.special.xlogy(weights, weights).sum(-1)


def attention_entropy__entr(weights):
    return scipy.special.entr(np.asarray(weights, dtype=float)).sum(axis=-1)


def attention_entropy__nansum(weights):
    weights = np.asarray(weights, dtype=float)
    return -np.nansum(weights * np.log(weights), axis=-1)


def attention_entropy__loops(weights):
    weights = np.asarray(weights, dtype=float)
    result = np.zeros(weights.shape[:-1])
    for index in np.ndindex(result.shape):
        result[index] = sum(-p * math.log(p) for p in weights[index] if p > 0)
    return result


def attention_entropy__torch(weights):
    return torch.special.entr(torch.tensor(np.array(weights, dtype=float))).sum(dim=-1)


def attention_entropy__scipy(weights):
    return scipy.stats.entropy(np.asarray(weights, dtype=float), axis=-1)


def attention_entropy__einsum(weights):
    weights = np.asarray(weights).astype(np.float32)
    tiny = np.finfo(np.float32).tiny
    return -np.einsum("...n,...n->...", weights, np.log(np.maximum(weights, tiny)))


def attention_entropy__where(weights):
    weights = np.array(weights, dtype=float)
    logarithms = np.log(weights, where=weights > 0, out=np.zeros_like(weights))
    return np.negative((weights * logarithms).sum(-1))


def saturation_curve__vectorised(d_ks, n_keys, rng, scaled, n_trials=200):
    curve = []
    for d_k in d_ks:
        query, keys = rng.normal(size=(n_trials, d_k)), rng.normal(size=(n_trials, n_keys, d_k))
        scores = np.einsum("td,tkd->tk", query, keys)
        p = scipy.special.softmax(scores / d_k**0.5 if scaled else scores, axis=-1)
        jacobians = p[:, :, None] * (np.eye(n_keys) - p[:, None, :])
        curve.append(np.linalg.norm(jacobians, axis=(1, 2)).mean())
    return curve


def saturation_curve__keys_first(d_ks, n_keys, rng, scaled, n_trials=200):
    curve = np.zeros(len(d_ks))
    for i, d_k in enumerate(d_ks):
        for _ in range(n_trials):
            keys, query = rng.standard_normal((n_keys, d_k)), rng.standard_normal(d_k)
            curve[i] += jacobian_norm(keys @ query * (d_k**-0.5 if scaled else 1)) / n_trials
    return curve


def saturation_curve__one_draw(d_ks, n_keys, rng, scaled, n_trials=200):
    def trial(d_k):
        drawn = rng.normal(size=(1 + n_keys, d_k))
        scores = drawn[1:] @ drawn[0]
        return jacobian_norm(scores / math.sqrt(d_k)) if scaled else jacobian_norm(scores)

    return [sum(trial(d_k) for _ in range(n_trials)) / n_trials for d_k in d_ks]


def saturation_curve__trials_outside(d_ks, n_keys, rng, scaled, n_trials=200):
    norms = np.empty((n_trials, len(d_ks)))
    for t in range(n_trials):
        for i, d_k in enumerate(d_ks):
            query, keys = rng.normal(size=(d_k, 1)), rng.normal(size=(n_keys, d_k))
            if scaled:
                query = query / np.sqrt(d_k)
            norms[t, i] = jacobian_norm((keys @ query).ravel())
    return norms.mean(axis=0)


def saturation_curve__torch(d_ks, n_keys, rng, scaled, n_trials=200):
    curve = []
    for d_k in d_ks:
        q = torch.from_numpy(rng.normal(size=(n_trials, 1, d_k)))
        k = torch.from_numpy(rng.normal(size=(n_trials, n_keys, d_k)))
        p = torch.softmax((q @ k.mT)[:, 0] / (d_k**0.5 if scaled else 1.0), -1)
        jacobian = torch.diag_embed(p) - p[:, :, None] * p[:, None, :]
        curve.append(torch.linalg.matrix_norm(jacobian).mean())
    return torch.stack(curve)


def saturation_curve__float32(d_ks, n_keys, rng, scaled, n_trials=200):
    means = []
    for d_k in d_ks:
        q = rng.standard_normal((n_trials, d_k), dtype=np.float32)
        k = rng.standard_normal((n_trials, n_keys, d_k), dtype=np.float32)
        scores = (q[:, None] * k).sum(-1)
        scores = scores / np.float32(d_k) ** 0.5 if scaled else scores
        p = np.exp(scores - scores.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        squares = (p**2).sum(1) - 2 * (p**3).sum(1) + (p**2).sum(1) ** 2
        means.append(np.sqrt(np.maximum(squares, 0)).mean())
    return np.array(means)


def saturation_curve__columns(d_ks, n_keys, rng, scaled, n_trials=200):
    curve = []
    for d_k in d_ks:
        keys = rng.normal(size=(n_trials, d_k, n_keys))
        queries = rng.normal(size=(n_trials, 1, d_k))
        scores = (queries @ keys)[:, 0, :] / (np.sqrt(d_k) if scaled else 1)
        curve.append(np.mean([jacobian_norm(row) for row in scores]))
    return tuple(curve)
