"""Calls of an answer: silenced, on copies, and what came of them."""

from __future__ import annotations

import contextlib
import io
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tutor.checks.problems import Problem
from tutor.checks.values import NotNumbers, agree, fresh, plain_array, public_name, same, size_of


@dataclass(frozen=True)
class Case:
    """The arguments of one call."""

    args: tuple
    kwargs: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def content(self) -> bytes:
        """The arguments as bytes: the same for equal cases."""
        return pickle.dumps((self.args, self.kwargs))

    @classmethod
    def of(cls, content: bytes) -> Case:
        """Return the case with this content."""
        return cls(*pickle.loads(content))

    def copy(self) -> tuple[tuple, dict[str, Any]]:
        """Return arguments that a call may do with as it likes."""
        copied: dict[int, Any] = {}
        return fresh(self.args, copied), {n: fresh(v, copied) for n, v in self.kwargs.items()}


@dataclass(frozen=True)
class Outcome:
    """What a call gave.

    Attributes:
        arrays: the results in float64; None where there are none.
        fault: what is wrong whatever was expected: "" or "unwritten", "raised",
            "changed", "type", "dtype", "unsteady".
        brief: the fault in words that tell nothing of the case.
        detail: what can be told beside it where the case is visible.
    """

    arrays: tuple[np.ndarray, ...] | None
    fault: str = ""
    brief: str = ""
    detail: str = ""


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Let code print, warn and divide by zero without a word.

    The stock grader scores anything on stderr as 0, and an answer may have told NumPy
    to raise on what it would else warn of.
    """
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield


@runtime_checkable
class Remote(Protocol):
    """An answer that runs elsewhere, where each call on its own costs a way there and back.

    A grader need not know this module: whatever has the method is one.
    """

    def announce(
        self, calls: Sequence[tuple[tuple, Mapping[str, Any]]], times: int
    ) -> Iterator[Callable | None]:
        """Be told ahead what calls will come.

        Args:
            calls: arguments and keyword arguments, in the order of the calls.
            times: how often in a row each of them is made.

        Yields:
            For each call the function to make it with; None where a repeated call is
            known to give the very same as the one before.
        """


def outcomes(
    problem: Problem, answer: Callable | Remote, cases: Sequence[Case]
) -> Iterator[tuple[Outcome, Outcome]]:
    """Call an answer twice on each case: a second call finds what the first left behind.

    Args:
        problem: which function it is to be.
        answer: the function.
        cases: with what to call it.

    Yields:
        What came of the two calls on each case.
    """
    if isinstance(answer, Remote):
        with silence():
            calls = answer.announce([(case.args, case.kwargs) for case in cases], times=2)
            for case in cases:
                first = attempt(problem, next(calls), case)
                again = next(calls)
                yield first, first if again is None else attempt(problem, again, case)
    else:
        for case in cases:
            yield outcome(problem, answer, case), outcome(problem, answer, case)


def outcome(problem: Problem, function: Callable, case: Case) -> Outcome:
    """Call a function once on copies of a case's arguments, in silence."""
    # Each call anew: a call may have told NumPy to raise.
    with silence():
        return attempt(problem, function, case)


def attempt(problem: Problem, function: Callable, case: Case) -> Outcome:
    """Do what :func:`outcome` does where there is silence already."""
    args, kwargs = case.copy()
    try:
        result = function(*args, **kwargs)
    except NotImplementedError:
        return Outcome(None, "unwritten", "it is not written yet")
    # Whatever an answer raises, it is the answer that is wrong, not the check.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        name = public_name(type(error))
        return Outcome(None, "raised", f"it raised {name}", _text_of(error))
    read = _read(problem, result)
    changed = _changed(problem, case, args, kwargs)
    if changed and not read.fault:
        return Outcome(read.arrays, "changed", f"it changed its argument {changed}")
    return read


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - the exception's own class is the answer's
        return ""


def _changed(problem: Problem, case: Case, args: tuple, kwargs: dict[str, Any]) -> str:
    for name, before, after in zip(problem.parameters, case.args, args, strict=False):
        if not same(before, after):
            return name
    for name, before in case.kwargs.items():
        if not same(before, kwargs[name]):
            return name
    return ""


def _read(problem: Problem, result: Any) -> Outcome:
    parts = [result]
    if len(problem.results) > 1:
        if not isinstance(result, (tuple, list)) or len(result) != len(problem.results):
            wanted = f"the tuple ({', '.join(problem.results)})"
            got = public_name(type(result))
            length = f"Its length is {len(result)}." if got in ("tuple", "list") else ""
            return Outcome(None, "type", f"the result is a {got}, not {wanted}", length)
        parts = list(result)
    try:
        arrays = [plain_array(part) for part in parts]
    except NotNumbers as error:
        wanted = "True and False" if problem.kind == "booleans" else "real numbers"
        return Outcome(None, "type", f"the result is a {error}, not an array of {wanted}")
    numbers = tuple(array.astype(np.float64) for array in arrays)
    return Outcome(numbers, *_dtype_fault(problem, arrays))


def _dtype_fault(problem: Problem, arrays: list[np.ndarray]) -> tuple[str, ...]:
    for name, array in zip(problem.results, arrays, strict=True):
        is_boolean = array.dtype.kind == "b"
        if problem.kind == "booleans" and not is_boolean:
            return "dtype", f"{name} holds numbers, not True and False"
        if problem.kind != "booleans" and is_boolean:
            return "dtype", f"{name} holds True and False, not numbers"
    return ()


@dataclass(frozen=True)
class Truth:
    """What is right for one case, and how far off a result may be."""

    arrays: tuple[np.ndarray, ...]
    tolerances: tuple[float, ...]

    def holds(self, got: Outcome) -> bool:
        """Say whether an outcome is right."""
        return not got.fault and self.close(got.arrays, self.arrays)

    def close(self, left: tuple[np.ndarray, ...], right: tuple[np.ndarray, ...]) -> bool:
        """Say whether two results agree within the tolerances."""
        return all(map(agree, left, right, self.tolerances))


def truth(problem: Problem, case: Case) -> Truth:
    """Ask the oracle, and how much float32 rounding of the arguments would change it.

    Hidden cases come again with every student, so what is right is remembered.
    """
    return _truth(problem, case.content)


@lru_cache(maxsize=4096)
def _truth(problem: Problem, content: bytes) -> Truth:
    case = Case.of(content)
    with silence():
        right = _arrays(problem, case, case.copy())
        if problem.kind != "reals":
            return Truth(right, (0.0,) * len(right))
        tolerances = [problem.tolerance * max(size_of(array), problem.floor) for array in right]
        for sign in (1, -1):
            nearby = _arrays(problem, case, _rounded(case, sign))
            for i, (array, other) in enumerate(zip(right, nearby, strict=True)):
                # 8: an answer rounds after every step, and not only the arguments.
                tolerances[i] = max(tolerances[i], 8 * size_of(array - other))
        # Or it subtracts a log-sum-exp that float32 has rounded. A large share is no
        # rounding any more, hence the bound.
        args, kwargs = case.copy()
        share = min(2.0**-23 * problem.exponents(*args, **kwargs), 1e-3)
        tolerances = [
            max(tolerance, share * size_of(array))
            for tolerance, array in zip(tolerances, right, strict=True)
        ]
    return Truth(right, tuple(tolerances))


def _arrays(problem: Problem, case: Case, arguments: tuple) -> tuple[np.ndarray, ...]:
    args, kwargs = arguments
    result = problem.oracle(*args, **kwargs)
    parts = result if len(problem.results) > 1 else (result,)
    return tuple(np.asarray(part, dtype=np.float64) for part in parts)


def _rounded(case: Case, sign: int) -> tuple[tuple, dict[str, Any]]:
    """Return the arguments, each float off by up to float32's rounding error.

    Neighbours are off in opposite directions, which changes their differences most.
    """

    def shaken(value: Any) -> Any:
        if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
            return value
        directions = np.where(np.arange(value.size) % 2, sign, -sign).reshape(value.shape)
        return value.astype(np.float64) * (1 + directions * 2.0**-24)

    args = tuple(map(shaken, case.args))
    return args, {name: shaken(value) for name, value in case.kwargs.items()}
