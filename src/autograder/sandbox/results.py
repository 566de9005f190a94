"""Makes of a function's result what can cross: plain values, arrays and containers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.wire.values import Opaque, is_tensor

_MAX_DEPTH = 32
_MAX_ITEMS = 2**18
_MAX_ELEMENTS = 8 * 2**20


def plain(value: Any, depth: int = 0) -> Any:
    """Return a value as plain data; what cannot be is an ``Opaque`` of its type's name.

    Subclasses of arrays, lists and tuples become arrays, lists and tuples; what NumPy
    reads as an array of numbers becomes that.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    if depth > _MAX_DEPTH:
        return Opaque.of(type(value).__name__)
    try:
        return _plain(value, depth)
    # A student's object may do anything when it is looked at.
    except BaseException:  # noqa: BLE001
        return Opaque.of(type(value).__name__)


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        if len(value) > _MAX_ITEMS:
            return Opaque.of(type(value).__name__)
        kind = tuple if isinstance(value, tuple) else list
        return kind(plain(item, depth + 1) for item in value)
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if is_tensor(value):
        return value if value.numel() <= _MAX_ELEMENTS else Opaque.of(type(value).__name__)
    if isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__array__"):
        return _numbers(value)
    return Opaque.of(type(value).__name__)


def _numbers(value: Any) -> Any:
    if getattr(value, "size", 0) > _MAX_ELEMENTS:
        return Opaque.of(type(value).__name__)
    array = np.array(value, subok=False)
    if array.dtype.kind not in "biufc" or array.size > _MAX_ELEMENTS:
        return Opaque.of(type(value).__name__)
    if array.dtype.itemsize > 8 and array.dtype.kind == "f":
        array = array.astype(np.float64)  # a long double has another size elsewhere
    return array[()] if isinstance(value, np.generic) else array
