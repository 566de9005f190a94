"""Compare a student's function with an oracle, case by case, and say what is wrong.

Everything that is wrong with an answer comes out as an ``AssertionError`` whose
message states the promise that was broken; a visible check adds the case itself.
"""

from __future__ import annotations

import contextlib
import copy
import io
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# An answer may compute in float32, whose rounding over a few hundred terms stays below this.
RELATIVE_TOLERANCE = 1e-5


@dataclass(frozen=True)
class Case:
    """The arguments of one call."""

    args: tuple
    kwargs: dict[str, Any] = field(default_factory=dict)

    def describe(self) -> str:
        """Return the call as a reader would write it, arrays by shape and dtype."""
        parts = [_summary(value) for value in self.args]
        parts += [f"{name}={_summary(value)}" for name, value in self.kwargs.items()]
        return ", ".join(parts)


def case(*args: Any, **kwargs: Any) -> Case:
    """Return the case of a call with these arguments."""
    return Case(args, kwargs)


def check(
    answer: Callable,
    oracle: Callable,
    cases: Iterable[Case],
    *,
    promise: str,
    results: tuple[str, ...] = ("result",),
    hidden: bool = False,
) -> None:
    """Require that answer and oracle agree on every case.

    The answer is called twice on each case, may print and warn as it likes, and must
    leave its arguments as they were. Results may be anything ``np.asarray`` takes, or
    tensors.

    Args:
        answer: the student's function.
        oracle: the function that is right.
        cases: the calls to compare.
        promise: what the problem asks for, one sentence.
        results: what the function returns, by name; more than one means a tuple.
        hidden: keep arguments, expected and got out of the message.

    Raises:
        AssertionError: the answer is wrong in some case.
    """
    for one in cases:
        expected = _as_arrays(oracle(*one.args, **one.kwargs), results)
        try:
            for _ in range(2):  # a second call finds what the first left behind
                got = _as_arrays(_call(answer, one), results)
                for name, right, given in zip(results, expected, got, strict=True):
                    _compare(name, right, given)
        except _Wrong as wrong:
            raise AssertionError(_message(answer, one, promise, wrong, hidden)) from None


class _Wrong(Exception):
    """What is wrong with an answer: in brief, and in detail that tells of the case."""

    def __init__(self, brief: str, detail: str = ""):
        super().__init__(brief)
        self.detail = detail


def _call(answer: Callable, one: Case) -> Any:
    args, kwargs = copy.deepcopy((one.args, one.kwargs))
    silence = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
    with warnings.catch_warnings(), silence[0], silence[1]:
        warnings.simplefilter("ignore")
        try:
            result = answer(*args, **kwargs)
        except NotImplementedError:
            raise _Wrong("it is not written yet") from None
        except Exception as error:  # noqa: BLE001 - any failure of an answer is a wrong answer
            raise _Wrong(f"it raised {type(error).__name__}", str(error)) from None
    for before, after in zip(one.args, args, strict=True):
        if not _same(before, after):
            raise _Wrong("it changed its arguments")
    if not all(_same(one.kwargs[name], kwargs[name]) for name in kwargs):
        raise _Wrong("it changed its arguments")
    return result


def _same(before: Any, after: Any) -> bool:
    return np.array_equal(np.asarray(before), np.asarray(after), equal_nan=True)


def _as_arrays(result: Any, names: tuple[str, ...]) -> list[np.ndarray]:
    if len(names) == 1:
        return [_as_array(names[0], result)]
    if not isinstance(result, tuple | list) or len(result) != len(names):
        raise _Wrong(f"the result is no tuple ({', '.join(names)})", f"It is {_summary(result)}.")
    return [_as_array(name, part) for name, part in zip(names, result, strict=True)]


def _as_array(name: str, result: Any) -> np.ndarray:
    if hasattr(result, "detach"):
        result = result.detach().cpu()
    try:
        array = np.asarray(result)
    except (TypeError, ValueError):  # rows of different lengths, for one
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf":
        raise _Wrong(f"{name} is no array of real numbers but a {type(result).__name__}")
    return array.astype(np.float64)


def _compare(name: str, expected: np.ndarray, got: np.ndarray) -> None:
    if got.shape != expected.shape:
        detail = f"It has shape {got.shape}, wanted {expected.shape}."
        raise _Wrong(f"{name} has the wrong shape", detail)
    scale = np.abs(expected).max(initial=0)
    if not np.allclose(got, expected, rtol=RELATIVE_TOLERANCE, atol=RELATIVE_TOLERANCE * scale):
        with np.printoptions(precision=4, suppress=True, threshold=40):
            raise _Wrong(f"{name} has wrong numbers", f"Expected\n{expected}\ngot\n{got}")


def _message(answer: Callable, one: Case, promise: str, wrong: _Wrong, hidden: bool) -> str:
    name = getattr(answer, "__name__", "the answer")
    lines = [f"{name}: {promise}", f"Here {wrong}."]
    if not hidden:
        lines += [f"The call was {name}({one.describe()}).", wrong.detail]
    return "\n".join(line for line in lines if line)


def _summary(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}, {value.dtype}" if value.size > 6 else f"{value!r}"
    return repr(value)
