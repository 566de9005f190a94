"""One random case of every promise of a function, to tell whether a survivor is right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.checks import array, attention_case, case, far_rows, large_scores, mask, qkv
from tutor.checks.calls import Case

KINDS = ("float64", "float32", "whole", "list", "whole list", "turned", "every second")


def _size(rng, low=1, high=7) -> int:
    return int(rng.integers(low, high + 1))


def _kind(rng) -> str:
    return str(rng.choice(KINDS))


def _softmax(rng) -> Case:
    shape = [_size(rng) for _ in range(_size(rng, 1, 4))]
    axis = int(rng.integers(-len(shape), len(shape)))
    what = rng.integers(5)
    if what == 0 and len(shape) > 1:
        return case(far_rows(rng, *shape), axis=axis)
    kind = _kind(rng)  # whole numbers go up to 2^63 only
    scale = float(rng.choice([1.0, 1e4, 1e4 if kind.startswith("whole") else 1e30]))
    x = array(rng, *shape, kind=kind, scale=scale)
    if what == 1:
        x = array(rng, *shape) + float(rng.choice([-1e4, 800.0, 1e4]))
    if what == 2:
        x = array(rng, *shape)
        first = np.arange(shape[axis]) == 0
        first = np.expand_dims(first, tuple(i for i in range(len(shape)) if i != axis % len(shape)))
        x[(rng.random(size=shape) < 0.4) & ~first] = -np.inf
    return case(x, axis=axis)


def _soft_lookup(rng) -> Case:
    n, d, d_v, kind = _size(rng), _size(rng), _size(rng), _kind(rng)
    scale = float(rng.choice([1.0, 1.0, 1e3]))
    query = array(rng, d, kind=kind, scale=scale)
    arrays = query, array(rng, n, d, kind=kind), array(rng, n, d_v, kind=kind)
    if rng.random() < 0.4:
        return case(*arrays)
    return case(*arrays, temperature=float(rng.choice([0.01, 0.5, 3.0, 20.0])))


def _sizes(rng) -> dict:
    return {name: _size(rng) for name in ("n_q", "n_k", "d_k", "d_v")}


def _attention(rng) -> Case:
    batch = [_size(rng, 1, 3) for _ in range(_size(rng, 0, 2))]
    scale = float(rng.choice([1.0, 1.0, 2e3]))
    return attention_case(rng, *batch, **_sizes(rng), kind=_kind(rng), scale=scale)


def _masked_attention(rng) -> Case:
    batch, sizes = [_size(rng, 1, 3) for _ in range(_size(rng, 0, 2))], _sizes(rng)
    if rng.random() < 0.2:
        keys = mask(rng, sizes["n_k"], keep=0.5)
        size, toward = float(rng.choice([3.0, 30.0, 1e4])), str(rng.choice(["blocked", "allowed"]))
        arrays = large_scores(
            rng, keys, *batch, sizes["n_q"], d_k=sizes["d_k"], d_v=sizes["d_v"], size=size,
            toward=toward,
        )  # fmt: skip
        return case(*arrays, attn_mask=keys)
    options = {"is_causal": True} if rng.random() < 0.5 else {}
    if rng.random() < 0.7:
        full = [*batch, sizes["n_q"], sizes["n_k"]]
        shape = [n if rng.random() < 0.8 else 1 for n in full[int(rng.integers(len(full))) :]]
        options["attn_mask"] = mask(rng, *shape[:-1], sizes["n_k"])
        if len(shape) > 1 and rng.random() < 0.3:
            options["attn_mask"][..., 0, :] = False
    scale = float(rng.choice([1.0, 1.0, 2e3]))
    return attention_case(rng, *batch, **sizes, kind=_kind(rng), scale=scale, **options)


def _padding_mask(rng) -> Case:
    n_k = _size(rng)
    lengths = rng.integers(0, n_k + 1, size=[_size(rng, 1, 3) for _ in range(_size(rng, 0, 2))])
    return case(np.array(lengths) if rng.random() < 0.7 else lengths.tolist(), n_k)


def _cached_decode(rng) -> Case:
    n, d, d_v = _size(rng), _size(rng), _size(rng)
    scale = float(rng.choice([1.0, 1.0, 2e3]))
    arrays = qkv(rng, n_q=n, n_k=n, d_k=d, d_v=d_v, kind=_kind(rng), scale=scale)
    return case(*arrays) if rng.random() < 0.2 else case(*arrays, prefill=_size(rng, 1, n))


def _score_variance(rng) -> Case:
    shape = _size(rng, 2, 9), _size(rng)
    return case(array(rng, *shape, kind=_kind(rng)), array(rng, *shape, kind=_kind(rng)))


def _theoretical_variance(rng) -> Case:
    d_k, mean, std = _size(rng, 1, 99), float(rng.normal()), float(rng.uniform(0.1, 3))
    return [case(d_k), case(d_k, mean, std), case(d_k, std=std), case(d_k, mean=mean)][
        rng.integers(4)
    ]


def _softmax_jacobian(rng) -> Case:
    p = rng.dirichlet(np.ones(_size(rng, 1, 9)))
    if p.size > 2 and rng.random() < 0.3:
        p = np.append(p, 0.0)
    return case([p, p.tolist(), p.astype(np.float32)][rng.integers(3)])


def _jacobian_norm(rng) -> Case:
    shift = float(rng.choice([0.0, 0.0, 800.0, -800.0]))
    scores = array(rng, _size(rng, 1, 9), scale=float(rng.choice([1.0, 1e3]))) + shift
    return case(scores if rng.random() < 0.7 else scores.tolist())


def _attention_entropy(rng) -> Case:
    weights = rng.dirichlet(np.ones(_size(rng, 1, 6)), size=[_size(rng, 1, 3)] * _size(rng, 0, 3))
    weights = np.where(weights < 0.1, 0.0, weights)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return case([weights, weights.tolist(), weights.astype(np.float32)][rng.integers(3)])


def _counts(number: int) -> Callable:
    return lambda rng: case(*(int(rng.integers(1, 300)) for _ in range(number)))


RANDOM_CASES: dict[tuple[str, str], tuple[str, Callable]] = {
    ("ps1_soft_lookup", "softmax"): ("softmax", _softmax),
    ("ps1_soft_lookup", "soft_lookup"): ("soft_lookup", _soft_lookup),
    ("ps1_soft_lookup", "attention"): ("attention", _attention),
    ("ps2_variance", "score_variance"): ("score_variance", _score_variance),
    ("ps2_variance", "theoretical_variance"): ("theoretical_variance", _theoretical_variance),
    ("ps3_saturation", "softmax_jacobian"): ("softmax_jacobian", _softmax_jacobian),
    ("ps3_saturation", "jacobian_norm"): ("jacobian_norm", _jacobian_norm),
    ("ps3_saturation", "attention_entropy"): ("attention_entropy", _attention_entropy),
    ("ps4_masking", "causal_mask"): (
        "causal_mask",
        lambda rng: case(_size(rng, 1, 9), _size(rng, 1, 9)),
    ),
    ("ps4_masking", "padding_mask"): ("padding_mask", _padding_mask),
    ("ps4_masking", "attention"): ("masked_attention", _masked_attention),
    ("ps5_costs", "attention_flops"): ("attention_flops", _counts(3)),
    ("ps5_costs", "kv_cache_bytes"): ("kv_cache_bytes", _counts(6)),
    ("ps5_costs", "crossover_length"): ("crossover_length", _counts(1)),
    ("ps5_costs", "cached_decode"): ("cached_decode", _cached_decode),
}


# What draws random numbers has no single right value: calls of it, whose results are
# compared as distributions.
DRAWS: dict[str, tuple[Callable, ...]] = {
    "variance_experiment": (
        lambda f, rng: f(1, 2, rng),
        lambda f, rng: f(7, 3, rng),
        lambda f, rng: f(4, 30, rng),
    ),
    "saturation_curve": (
        lambda f, rng: f([3, 17], 4, rng, False, n_trials=1),
        lambda f, rng: f([5], 3, rng, True, n_trials=2),
        lambda f, rng: f([1, 9, 2], 2, rng, scaled=True, n_trials=1),
    ),
}
