"""Right answers to problem set 2, written differently: FUNCTION__style."""

import math
import statistics
from fractions import Fraction

import numpy as np
import torch


def score_variance__einsum(queries, keys):
    scores = np.einsum("nd,nd->n", np.asarray(queries, float), np.asarray(keys, float))
    return np.var(scores, ddof=1)


def score_variance__statistics(queries, keys):
    pairs = zip(queries, keys, strict=True)
    return statistics.variance(
        [float(sum(a * b for a, b in zip(q, k, strict=True))) for q, k in pairs]
    )


def score_variance__torch(queries, keys):
    q, k = (torch.tensor(np.array(a, dtype=float)) for a in (queries, keys))
    return (q * k).sum(dim=-1).var()


def score_variance__diagonal(queries, keys):
    scores = np.diag(np.asarray(queries, float) @ np.asarray(keys, float).T)
    return float(scores.std(ddof=1) ** 2)


def score_variance__formula(queries, keys):
    scores = np.array([np.dot(q, k) for q, k in zip(queries, keys, strict=True)], dtype=float)
    centred = scores - scores.mean()
    return (centred @ centred) / (len(scores) - 1)


def score_variance__float32(queries, keys):
    products = np.multiply(queries, keys, dtype=np.float32)
    return np.var(products.sum(1), ddof=1, dtype=np.float32)


def score_variance__differences(queries, keys):
    x = (np.asarray(queries, float) * np.asarray(keys, float)).sum(1)
    n = x.size
    return np.array(((x[:, None] - x) ** 2).sum() / (2 * n * (n - 1)))


def variance_experiment__loops(d_k, n_pairs, rng):
    scores = [rng.standard_normal(d_k) @ rng.standard_normal(d_k) for _ in range(n_pairs)]
    return statistics.variance(scores)


def variance_experiment__one_draw(d_k, n_pairs, rng):
    pairs = rng.standard_normal((n_pairs, 2, d_k))
    return pairs.prod(axis=1).sum(axis=1).var(ddof=1)


def variance_experiment__keys_first(d_k, n_pairs, rng):
    keys, queries = rng.normal(0, 1, (n_pairs, d_k)), rng.normal(0, 1, (n_pairs, d_k))
    return float(score_variance(queries, keys))


def variance_experiment__stacked(d_k, n_pairs, rng):
    queries, keys = rng.normal(size=(2, n_pairs, d_k))
    return np.einsum("nd,nd->n", queries, keys).var(ddof=1)


def variance_experiment__turned(d_k, n_pairs, rng):
    drawn = rng.normal(size=(2 * d_k, n_pairs))
    return np.var((drawn[:d_k] * drawn[d_k:]).sum(0), ddof=1)


def variance_experiment__float32(d_k, n_pairs, rng):
    q = rng.standard_normal((n_pairs, d_k), dtype=np.float32)
    k = rng.standard_normal((n_pairs, d_k), dtype=np.float32)
    return torch.from_numpy((q * k).sum(1)).var()


def variance_experiment__columns(d_k, n_pairs, rng):
    scores = np.zeros(n_pairs)
    for _ in range(d_k):
        scores += rng.normal(size=n_pairs) * rng.normal(size=n_pairs)
    return np.array(scores.var(ddof=1))


def theoretical_variance__expanded(d_k, mean=0.0, std=1.0):
    return d_k * (std**4 + 2 * mean**2 * std**2)


def theoretical_variance__factored(d_k, mean=0.0, std=1.0):
    return d_k * std**2 * (std**2 + 2 * mean**2)


def theoretical_variance__moments(d_k, mean=0.0, std=1.0):
    second_moment = std * std + mean * mean
    return np.float64(d_k * (second_moment * second_moment - (mean * mean) ** 2))


def theoretical_variance__loop(d_k, mean=0.0, std=1.0):
    total = 0.0
    for _ in range(d_k):
        total += std**4 + mean**2 * std**2 + std**2 * mean**2
    return total


def theoretical_variance__torch(d_k, mean=0.0, std=1.0):
    m, s = torch.tensor(mean, dtype=torch.float64), torch.tensor(std, dtype=torch.float64)
    return d_k * ((s.square() + m.square()).square() - m**4)


def theoretical_variance__fraction(d_k, mean=0.0, std=1.0):
    m, s = Fraction(mean), Fraction(std)
    return float(d_k * ((s**2 + m**2) ** 2 - m**4))


def theoretical_variance__squares(d_k, mean=0.0, std=1.0):
    v = math.pow(std, 2)
    return np.array(v * v + 2 * v * mean**2) * d_k
