"""What a failed check says. A hidden case tells promise, kind of fault and hint only."""

from __future__ import annotations

from typing import Any

import numpy as np

from tutor.checks.calls import Case
from tutor.checks.diagnosis import Record
from tutor.checks.problems import Problem


def failure(text: str) -> AssertionError:
    """Return the error of a failed check: the one way in which a check speaks.

    Its text may be shown to the student, whether the check is visible or hidden: of a
    hidden one it tells no argument, no expected value and no word of the answer's own.
    A grader cannot know that of any exception, so the text stands in the attribute
    ``feedback`` too, which no other exception has.
    """
    error = AssertionError(text)
    error.feedback = text
    return error


def message(problem: Problem, promise: str, record: Record, hint: str, hidden: bool) -> str:
    """Return the whole message about the first case that went wrong."""
    place = _wrong_result(problem, record)
    fault = record.got.brief or _fault_of(problem, record, place)
    lines = [f"{problem.name}: {promise}", f"Here {fault}."]
    if not hidden:
        detail = record.got.detail if place is None else _compared(record, place)
        lines += [f"The call was {problem.name}({describe(record.case)}).", detail]
    if hint:
        lines.append(f"Hint: {hint}")
    return "\n".join(line for line in lines if line)


def _wrong_result(problem: Problem, record: Record) -> int | None:
    """Return which result is the first that is wrong; None where none can be compared."""
    if record.got.arrays is None:
        return None
    for i in range(len(problem.results)):
        got, right = record.got.arrays[i], record.truth.arrays[i]
        alike = record.truth.close(record.got.arrays[i : i + 1], record.truth.arrays[i : i + 1])
        if got.shape != right.shape or not alike:
            return i
    return None


def _fault_of(problem: Problem, record: Record, place: int) -> str:
    name = problem.results[place]
    has_shape = record.got.arrays[place].shape == record.truth.arrays[place].shape
    return f"{name} is wrong" if has_shape else f"{name} has the wrong shape"


def _compared(record: Record, place: int) -> str:
    got, right = record.got.arrays[place], record.truth.arrays[place]
    if got.shape != right.shape:
        return f"Its shape is {got.shape}, wanted {right.shape}."
    return f"Expected\n{_short(right)}\ngot\n{_short(got)}"


def _short(array: np.ndarray) -> str:
    with np.printoptions(
        precision=4, suppress=bool(array.size) and np.abs(array).max() < 1e4, threshold=40
    ):
        return str(array)


def describe(case: Case) -> str:
    """Return the arguments as a reader would write them, larger arrays by shape and dtype."""
    parts = [_summary(value) for value in case.args]
    parts += [f"{name}={_summary(value)}" for name, value in case.kwargs.items()]
    return ", ".join(parts)


def _summary(value: Any) -> str:
    if isinstance(value, np.ndarray):
        if value.size > 6:
            return f"array of shape {value.shape}, {value.dtype}"
        return np.array2string(value, separator=", ", prefix="array(")
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
