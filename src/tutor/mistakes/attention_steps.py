"""Attention with knobs: every step of it, right by default and wrong in many ways."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tutor.mistakes import mask_steps
from tutor.mistakes.softmax_steps import softmax

# The number the dot products are multiplied by.
SCALES: dict[str, Callable] = {
    "sqrt d_k": lambda q, k, v: q.shape[-1] ** -0.5,
    "none": lambda q, k, v: 1.0,
    "d_k": lambda q, k, v: 1.0 / q.shape[-1],
    "sqrt d_v": lambda q, k, v: v.shape[-1] ** -0.5,
    "sqrt n_k": lambda q, k, v: k.shape[-2] ** -0.5,
    "sqrt n_q": lambda q, k, v: q.shape[-2] ** -0.5,
    "first axis": lambda q, k, v: q.shape[0] ** -0.5,
    "first axis of key": lambda q, k, v: k.shape[0] ** -0.5,
    "second axis": lambda q, k, v: q.shape[1] ** -0.5,
    "times sqrt d_k": lambda q, k, v: q.shape[-1] ** 0.5,
    "times d_k": lambda q, k, v: float(q.shape[-1]),
    "whole root": lambda q, k, v: 1.0 / int(q.shape[-1] ** 0.5),
    "fourth root": lambda q, k, v: q.shape[-1] ** -0.25,
    "square": lambda q, k, v: q.shape[-1] ** -2.0,
    "log": lambda q, k, v: 1.0 / np.log(q.shape[-1]),
    "half": lambda q, k, v: (q.shape[-1] / 2) ** -0.5,
    "all heads": lambda q, k, v: (q.shape[-1] * (q.shape[-3] if q.ndim > 2 else 1)) ** -0.5,
    "negative": lambda q, k, v: -(q.shape[-1] ** -0.5),
}

PRODUCTS: dict[str, Callable] = {
    "query key": lambda q, k: q @ k.swapaxes(-1, -2),
    "key query": lambda q, k: k @ q.swapaxes(-1, -2),
    "key as it is": lambda q, k: q @ k,
    "all axes turned": lambda q, k: q @ k.T,
    "key reshaped": lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]),
    "first key for all": lambda q, k: q @ k[(0,) * (k.ndim - 2)].swapaxes(-1, -2),
    "cosine": lambda q, k: _unit(q) @ _unit(k).swapaxes(-1, -2),
    "distance": lambda q, k: -((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(-1),
    "absolute": lambda q, k: abs(q @ k.swapaxes(-1, -2)),
    "whole": lambda q, k: np.trunc(q @ k.swapaxes(-1, -2)),
    "query query": lambda q, k: q @ q.swapaxes(-1, -2),
    "key key": lambda q, k: k @ k.swapaxes(-1, -2),
}

MIXES: dict[str, Callable] = {
    "weights value": lambda p, k, v: p @ v,
    "turned weights": lambda p, k, v: p.swapaxes(-1, -2) @ v,
    "weights key": lambda p, k, v: p @ k,
    "first value for all": lambda p, k, v: p @ v[(0,) * (v.ndim - 2)],
    "best only": lambda p, k, v: (p == p.max(-1, keepdims=True)).astype(float) @ v,
    "plain mean": lambda p, k, v: np.full_like(p, 1.0 / p.shape[-1]) @ v,
    "divided by n_k": lambda p, k, v: p @ v / v.shape[-2],
    "summed over queries": lambda p, k, v: (p @ v).sum(-2),
}


def _unit(x):
    return x / np.sqrt((x * x).sum(-1, keepdims=True))


def attention(query, key, value, attn_mask=None, is_causal=False, **knobs: Any):
    """Return (output, weights), made wrong by the knobs that are turned.

    The knobs are those of the steps: each step takes the ones it knows.
    """
    query, key, value = _inputs(query, key, value, attn_mask, **_of(_inputs, knobs))
    scores, factor = _scores(query, key, value, **_of(_scores, knobs))
    counts = mask_steps.allowed(
        attn_mask, is_causal, scores.shape, **_of(mask_steps.allowed, knobs)
    )
    masked = mask_steps.masked(scores, counts, **_of(mask_steps.masked, knobs))
    weights = softmax(masked, **_of(softmax, knobs))
    blending, shown = mask_steps.finished(weights, counts, **_of(mask_steps.finished, knobs))
    output = _mixed(blending, key, value, factor, **_of(_mixed, knobs))
    return _returned(output, shown, scores, masked, factor, **_of(_returned, knobs))


def _of(step: Callable, knobs: dict[str, Any]) -> dict[str, Any]:
    return {name: knobs[name] for name in knobs if name in _knobs_of(step)}


@cache
def _knobs_of(step: Callable) -> frozenset[str]:
    parameters = inspect.signature(step).parameters.values()
    return frozenset(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


def _inputs(query, key, value, attn_mask, *, writes_to=None, swapped=None, inputs="floats"):
    if writes_to is not None:
        _write({"query": query, "key": key, "mask": attn_mask}[writes_to])
    arrays = {"query": query, "key": key, "value": value}
    if swapped is not None:
        first, second = swapped
        arrays[first], arrays[second] = arrays[second], arrays[first]
    arrays = [np.asarray(array).astype(float) for array in arrays.values()]
    if inputs == "half":
        return [array.astype(np.float16).astype(float) for array in arrays]
    return arrays


def _write(array):
    if isinstance(array, np.ndarray) and array.dtype == bool:
        np.logical_not(array, out=array)
    elif isinstance(array, np.ndarray) and array.dtype.kind == "f":
        array *= array.shape[-1] ** -0.5


def _scores(query, key, value, *, product="query key", scale="sqrt d_k", scaled="scores"):
    factor = SCALES[scale](query, key, value)
    scores = PRODUCTS[product](query, key)
    return scores * factor if scaled == "scores" else scores, factor


def _mixed(weights, key, value, factor, *, mix="weights value", scaled="scores"):
    if scaled == "weights":
        weights = weights * factor
    output = MIXES[mix](weights, key, value)
    return output * factor if scaled == "output" else output


def _returned(
    output, weights, scores, masked, factor, *, shown="weights", order="output first", scaled=""
):
    if scaled == "weights":
        weights = weights * factor
    weights = {
        "weights": weights,
        "scores": masked,
        "unmasked scores": scores,
        "raw scores": scores / factor,
        "turned weights": weights.swapaxes(-1, -2),
    }[shown]
    return {
        "output first": (output, weights),
        "weights first": (weights, output),
        "output only": output,
        "output twice": (output, output),
    }[order]
