"""Checks of arguments, shared by the NumPy and the torch functions.

Every error names the argument, what it got and what was wanted instead.
"""

from __future__ import annotations

import math
from numbers import Integral, Real

import numpy as np

Shape = tuple[int, ...]

FLOAT_DTYPES = (np.float16, np.float32, np.float64)


def floating_dtype(**arrays: np.ndarray) -> np.dtype:
    """Return the dtype in which a result over these named arrays is given.

    Integers become float64 and mixed inputs follow ``np.result_type``.

    Raises:
        TypeError: an argument is no NumPy array, or holds neither integers nor
            float16, float32 or float64.
    """
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{name} is a {type(array).__name__}; wanted a NumPy array")
        if array.dtype.kind not in "iu" and array.dtype.type not in FLOAT_DTYPES:
            raise TypeError(
                f"{name} has dtype {array.dtype}; wanted integers or float16, float32 or float64"
            )
    dtype = np.result_type(*arrays.values())
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


def accumulation_dtype(dtype: np.dtype) -> np.dtype:
    """Return the dtype to compute in: float16 would overflow at 65504."""
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def scores_shape(query: Shape, key: Shape, value: Shape) -> Shape:
    """Return the shape (..., n_q, n_k) of the scores, after checking the inputs'.

    Raises:
        ValueError: an input has fewer than two axes, or the sizes do not fit.
    """
    for name, shape in (("query", query), ("key", key), ("value", value)):
        if len(shape) < 2:
            raise ValueError(
                f"{name} has shape {shape}; wanted at least two axes, (..., tokens, features)"
            )
    if key[-1] != query[-1]:
        raise ValueError(
            f"key has shape {key}; wanted {query[-1]} features in its last axis, "
            f"as query of shape {query} has"
        )
    if value[-2] != key[-2]:
        raise ValueError(
            f"value has shape {value}; wanted {key[-2]} tokens in its second last axis, "
            f"one for each key of shape {key}"
        )
    batch = _broadcast_batch(query[:-2], "query", key[:-2], "key")
    batch = _broadcast_batch(batch, "query and key", value[:-2], "value")
    return (*batch, query[-2], key[-2])


def _broadcast_batch(left: Shape, left_name: str, right: Shape, right_name: str) -> Shape:
    try:
        return np.broadcast_shapes(left, right)
    except ValueError as error:
        raise ValueError(
            f"{right_name} has batch axes {right}; "
            f"wanted axes that broadcast with {left}, those of {left_name}"
        ) from error


def check_mask_shape(mask: Shape, scores: Shape) -> None:
    """Require that a mask broadcasts to the scores without adding axes to them."""
    try:
        fits = np.broadcast_shapes(mask, scores) == scores
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"attn_mask has shape {mask}; wanted one that broadcasts to {scores}, "
            "the scores' (..., n_q, n_k)"
        )


def check_mask_broadcasts(mask: Shape, scores: Shape) -> None:
    """Require that a mask and scores broadcast, whichever of the two it enlarges."""
    try:
        np.broadcast_shapes(mask, scores)
    except ValueError as error:
        raise ValueError(
            f"mask has shape {mask}; wanted one that broadcasts with the scores' {scores}"
        ) from error


def grouped_query_factor(query: Shape, key: Shape, value: Shape) -> int:
    """Return how many query heads share one key head; heads are the third last axis.

    Raises:
        ValueError: an input has no head axis, key and value differ in heads, or
            the query's heads are no multiple of the key's.
    """
    for name, shape in (("query", query), ("key", key), ("value", value)):
        if len(shape) < 3:
            raise ValueError(
                f"{name} has shape {shape}; with enable_gqa wanted at least three axes, "
                "(..., heads, tokens, features)"
            )
    if value[-3] != key[-3]:
        raise ValueError(f"value has {value[-3]} heads; wanted {key[-3]}, as many as key")
    if key[-3] == 0 or query[-3] % key[-3]:
        raise ValueError(
            f"query has {query[-3]} heads; wanted a multiple of the {key[-3]} heads of key"
        )
    return query[-3] // key[-3]


def resolve_scale(scale: float | None, head_dim: int) -> float:
    """Return ``scale``, or 1/sqrt(head_dim) where it is None."""
    if scale is None:
        if head_dim == 0:
            raise ValueError("query has head_dim 0; wanted at least 1, or an explicit scale")
        return 1.0 / math.sqrt(head_dim)
    return finite_real("scale", scale)


def finite_real(name: str, number: float) -> float:
    """Return ``number`` as a float; it must be one finite real number."""
    if isinstance(number, (bool, np.bool_)) or not isinstance(number, Real):
        raise TypeError(f"{name} is a {type(number).__name__}; wanted a real number")
    try:
        number = float(number)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} is {number}; wanted a finite number")
    return number


def positive_real(name: str, number: float) -> float:
    """Return ``number`` as a float; it must be finite and above zero."""
    number = finite_real(name, number)
    if number <= 0:
        raise ValueError(f"{name} is {number}; wanted a number above 0")
    return number


def count(name: str, number: int, minimum: int = 0) -> int:
    """Return ``number`` as an int of at least ``minimum``."""
    if isinstance(number, (bool, np.bool_)) or not isinstance(number, Integral):
        raise TypeError(f"{name} is a {type(number).__name__}; wanted an integer")
    if number < minimum:
        raise ValueError(f"{name} is {number}; wanted at least {minimum}")
    return int(number)


def flag(name: str, value: bool) -> bool:
    """Return ``value`` as a bool; anything else is likely a misplaced argument."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is a {type(value).__name__}; wanted True or False")
    return bool(value)


def check_axis(axis: int, ndim: int) -> None:
    """Require that an array ``x`` of ``ndim`` axes has the axis ``axis``."""
    if isinstance(axis, bool) or not isinstance(axis, Integral):
        raise TypeError(f"axis is a {type(axis).__name__}; wanted an integer")
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis is {axis}; wanted one of the {ndim} axes of x")


def check_has_axis(name: str, shape: Shape) -> None:
    """Require at least one axis."""
    if not shape:
        raise ValueError(f"{name} has shape (); wanted at least one axis, (..., n)")


def check_chunk_shapes(key: Shape, value: Shape) -> None:
    """Require key (..., m, d_k) and value (..., m, d_v) with the same batch axes and m."""
    if len(key) < 2:
        raise ValueError(f"key has shape {key}; wanted at least two axes, (..., tokens, features)")
    if value[:-1] != key[:-1]:
        raise ValueError(
            f"value has shape {value}; wanted {(*key[:-1], 'd_v')}, for a key of shape {key}"
        )


def check_step_shapes(query: Shape, key: Shape) -> None:
    """Require a query of the key's shape: a token brings one of each."""
    if query != key:
        raise ValueError(f"query has shape {query}; wanted {key}, that of key")


def check_lookup_shapes(query: Shape, keys: Shape, values: Shape) -> None:
    """Require query (d,), keys (n, d) and values (n, d_v), with n >= 1."""
    if len(query) != 1:
        raise ValueError(f"query has shape {query}; wanted one vector, (d,)")
    if len(keys) != 2 or keys[1] != query[0] or keys[0] == 0:
        raise ValueError(
            f"keys have shape {keys}; wanted (n, {query[0]}) with n >= 1, "
            f"for a query of shape {query}"
        )
    if len(values) != 2 or values[0] != keys[0]:
        raise ValueError(
            f"values have shape {values}; wanted ({keys[0]}, d_v), one row for each key"
        )
