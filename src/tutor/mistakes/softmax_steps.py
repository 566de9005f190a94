"""The softmax with knobs: right by default and wrong in many ways."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# How the axis is chosen, from the axis asked for and the number of axes.
AXES: dict[str, Callable[[int, int], int | None]] = {
    "asked": lambda axis, ndim: axis,
    "last": lambda axis, ndim: -1,
    "first": lambda axis, ndim: 0,
    "second": lambda axis, ndim: min(1, ndim - 1),
    "all": lambda axis, ndim: None,
    # The neighbour: the queries, where the softmax should run over the keys.
    "other": lambda axis, ndim: (axis - 1) % ndim if ndim > 1 else axis,
    "third last": lambda axis, ndim: -3 if ndim > 2 else axis,
}

SHIFTS: dict[str, Callable] = {
    "row": lambda x, axis: x.max(axis=axis, keepdims=True),
    "none": lambda x, axis: 0.0,
    "global": lambda x, axis: x.max(),
    "mean": lambda x, axis: x.mean(axis=axis, keepdims=True),
    "minimum": lambda x, axis: x.min(axis=axis, keepdims=True),
    "other": lambda x, axis: x.max(axis=axis - 1 if x.ndim > 1 else axis, keepdims=True),
    "added": lambda x, axis: -x.max(axis=axis, keepdims=True),
    "magnitude": lambda x, axis: abs(x).max(axis=axis, keepdims=True),
}

TOTALS: dict[str, Callable] = {
    "sum": lambda e, axis: e.sum(axis=axis, keepdims=True),
    "none": lambda e, axis: 1.0,
    "all": lambda e, axis: e.sum(),
    "length": lambda e, axis: np.sqrt((e * e).sum(axis=axis, keepdims=True)),
    "one more": lambda e, axis: 1.0 + e.sum(axis=axis, keepdims=True),
    "count": lambda e, axis: float(e.shape[axis]),
    "other": lambda e, axis: e.sum(axis=axis - 1 if e.ndim > 1 else axis, keepdims=True),
}

CURVES: dict[str, Callable] = {
    "exp": np.exp,
    "none": lambda x: x,
    "two": np.exp2,
    "ten": lambda x: np.power(10.0, x),
    "negated": lambda x: np.exp(-x),
    "square": lambda x: np.exp(x) ** 2,
    "expm1": np.expm1,
}


def softmax(
    x,
    axis=-1,
    *,
    along="asked",
    shift="row",
    total="sum",
    curve="exp",
    clip=None,
    ending="weights",
    blocked="kept",
    in_place=False,
    digits="double",
):
    """Return the softmax of x, made wrong by the knobs that are turned."""
    given = np.asarray(x)
    x = _blocked(given.astype(float), blocked)
    axis = AXES[along](axis, x.ndim)
    if clip is not None:
        x = np.clip(x, -clip, clip)
    if digits == "half":
        x = x.astype(np.float16)
    shifted = x - (SHIFTS[shift](x, axis) if axis is not None else SHIFTS["global"](x, axis))
    exponentials = CURVES[curve](shifted if curve != "none" else x)
    if in_place and given.flags.writeable:
        given[...] = np.asarray(shifted, dtype=given.dtype)
    denominator = TOTALS[total](exponentials, axis) if axis is not None else exponentials.sum()
    return _ending(exponentials / denominator, given, ending)


def _blocked(x, blocked):
    if blocked == "zero":
        return np.where(np.isneginf(x), 0.0, x)
    if blocked == "finite":
        return np.where(np.isneginf(x), -10.0, x)
    return x


def _ending(weights, given, ending):
    if ending == "log":
        return np.log(weights)
    if ending == "input":
        return given.astype(float)
    if ending == "integers" and given.dtype.kind in "iu":
        return weights.astype(given.dtype)
    if ending == "rounded":
        return np.round(weights, 3)
    return weights
