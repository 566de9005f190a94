"""Arguments copied as they lie in memory, results made plain arrays, both compared.

Names of NumPy are bound here once: an answer that replaces one of NumPy's functions,
by accident or not, does not change what a check computes.
"""

from __future__ import annotations

import builtins
import types
from typing import Any

import numpy as np
from numpy import abs as magnitude
from numpy import array as new_array
from numpy import isfinite, isnan, ndarray, where
from numpy import max as largest


class NotNumbers(Exception):
    """A result that is no array of real numbers; the message says what it is."""


def fresh(value: Any, copied: dict[int, Any] | None = None) -> Any:
    """Return a copy of an argument: strides, write protection and aliases included."""
    if not isinstance(value, (ndarray, list, tuple)):
        return value
    copied = {} if copied is None else copied
    if id(value) in copied:
        return copied[id(value)]
    if isinstance(value, ndarray):
        copy = _copy_array(value)
    else:
        copy = type(value)(fresh(item, copied) for item in value)
    copied[id(value)] = copy
    return copy


def _copy_array(array: np.ndarray) -> np.ndarray:
    """Copy an array into a buffer of its own, with the same strides."""
    if array.flags.c_contiguous:
        copy = array.copy()
        copy.flags.writeable = array.flags.writeable
        return copy
    # Strides are never negative here: torch could not read such an array.
    spans = [(n - 1) * stride for n, stride in zip(array.shape, array.strides, strict=True)]
    buffer = np.zeros(max(sum(spans), 0) + array.itemsize, dtype=np.uint8)
    copy = ndarray(array.shape, array.dtype, buffer, strides=array.strides)
    copy[...] = array
    copy.flags.writeable = array.flags.writeable
    return copy


def same(before: Any, after: Any) -> bool:
    """Say whether an argument is what it was, NaN included."""
    if isinstance(before, ndarray):
        if not isinstance(after, ndarray) or before.shape != after.shape:
            return False
        return before.dtype == after.dtype and before.tobytes() == after.tobytes()
    if isinstance(before, (list, tuple)):
        return (
            type(before) is type(after)
            and len(before) == len(after)
            and all(map(same, before, after))
        )
    return isinstance(before, np.random.Generator) or repr(before) == repr(after)


def plain_array(result: Any) -> np.ndarray:
    """Return what an answer gave as a plain array, in its own dtype.

    A subclass, or an object that compares as it likes, does not come through: what
    is left is a copy, of NumPy's own type, of numbers.

    Raises:
        NotNumbers: it cannot be read as an array of real numbers.
    """
    if type(result).__module__.partition(".")[0] == "torch" and hasattr(result, "detach"):
        result = result.detach().cpu()
    if isinstance(result, (list, tuple)):
        result = type(result)(_detached(item) for item in result)
    try:
        array = new_array(result, subok=False)
    except Exception:  # noqa: BLE001 - an answer's object may fail in any way
        raise NotNumbers(_kind(result)) from None
    if type(array) is not ndarray or array.dtype.kind not in "biuf":
        raise NotNumbers(_kind(result))
    return array


def _detached(item: Any) -> Any:
    is_tensor = type(item).__module__.partition(".")[0] == "torch" and hasattr(item, "detach")
    return plain_array(item) if is_tensor else item


def _kind(result: Any) -> str:
    name = public_name(type(result))
    return f"{name} of other things" if name in ("ndarray", "list", "tuple") else name


# Nearest ancestors go by identity: a class may say that it equals another.
_PUBLIC = {
    id(found): found.__name__
    for module in (builtins, types, np)
    for found in vars(module).values()
    if isinstance(found, type)
}


def public_name(kind: type) -> str:
    """Return the name of the nearest ancestor of a class that Python or NumPy defines.

    A class of the answer's own could carry what the answer was given in its name.
    """
    return next(_PUBLIC[id(ancestor)] for ancestor in type.mro(kind) if id(ancestor) in _PUBLIC)


def agree(got: np.ndarray, expected: np.ndarray, tolerance: float) -> bool:
    """Say whether two float64 arrays hold the same numbers, NaN and infinities included."""
    if got.shape != expected.shape:
        return False
    if not got.size:
        return True
    finite = isfinite(expected)
    if not (isfinite(got) == finite).all():
        return False
    if not finite.all():
        others = ~finite
        if not ((got == expected) | (isnan(got) & isnan(expected)))[others].all():
            return False
        got, expected = got[finite], expected[finite]
    return bool((magnitude(got - expected) <= tolerance).all())


def agreeing(stack: np.ndarray, expected: np.ndarray, tolerance: float) -> np.ndarray:
    """Say of each array of a stack whether it would ``agree`` with what is expected.

    Args:
        stack: float64, of shape (n, *expected.shape).
        expected: float64.
        tolerance: how far off a finite number may be.
    """
    same = (stack == expected) | (isnan(stack) & isnan(expected))
    near = magnitude(stack - expected) <= tolerance
    return where(isfinite(expected), near, same).reshape(len(stack), -1).all(axis=1)


def size_of(array: np.ndarray | np.floating) -> float:
    """Return the largest magnitude among the finite entries, 0 without any."""
    finite = array[isfinite(array)]
    return float(largest(magnitude(finite))) if finite.size else 0.0
