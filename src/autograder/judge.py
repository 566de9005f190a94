"""Runs the instructor's tests in this process, the student's functions in the sandbox.

A test calls ``attention(query, key, value)`` as if it were there; the call goes out to
the sandbox, and plain numbers come back. What is expected, how it is compared, and what
comes of it never leave this process.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.assignment import names_to_define
from autograder.definitions import parsed
from autograder.flags import notebook_flags
from autograder.libraries import modules_of
from autograder.model import Assignment, Cell, CellOutput, Outcome, Rebuilt, Step, TestResult
from autograder.sandbox import Arguments, Missing, Sandbox, Stopped
from autograder.session import Session
from autograder.slices import needless_checks, words

# What stands before the promise in the first line of a test, as students see it.
_POINTS = re.compile(r"^#\s*(Graded\s*\([^)]*\)\s*:)?\s*")


@dataclass(frozen=True)
class Judgement:
    """What came of a rebuilt notebook.

    Attributes:
        tests: of the tests and written answers, in the notebook's order.
        outputs: of the cells that ran, by step id.
        flags: what answers call that they were to write.
    """

    tests: tuple[TestResult, ...]
    outputs: dict[str, CellOutput]
    flags: tuple[str, ...]


class Judge:
    """Judges notebooks of one assignment.

    Args:
        assignment: whose tests it runs.
    """

    def __init__(self, assignment: Assignment):
        self.assignment = assignment
        if any(module.partition(".")[0] == "torch" for module in modules_of(assignment)):
            # Results are tensors then, from the first test of the first notebook on.
            importlib.import_module("torch")
        self._errors: dict[str, str] = {}
        self._tests = {
            cell.grade_id: _Test(cell, _promise(assignment.released.get(cell.grade_id)))
            for cell in assignment.cells
            if cell.role == "test"
        }

    @contextlib.contextmanager
    def telling(self) -> Iterator[dict[str, str]]:
        """Collect what tests raise in full: for the instructor, with all that it holds."""
        self._errors = {}
        yield self._errors

    @cached_property
    def answers(self) -> dict[str, bool]:
        """The names that answers define, and whether each is a function."""
        sources = {cell.grade_id: cell.source for cell in self.assignment.cells}
        return {
            name: name in _functions(sources[grade_id])
            for grade_id, names in names_to_define(self.assignment).items()
            for name in names
        }

    def judge(self, rebuilt: Rebuilt, sandbox: Sandbox) -> Judgement:
        """Run a notebook's cells in a sandbox, and its tests here, in their order.

        Raises:
            SandboxError: the sandbox failed, which is not the student's doing.
        """
        skipped = self._needless(rebuilt)
        with Session(sandbox) as session:
            bench = _Bench(session, self.answers, self._errors)
            tests = []
            for step in rebuilt.steps:
                if step.kind == "test":
                    tests.append(bench.run(self._tests[step.cell_id]))
                elif step.kind == "written":
                    tests.append(_written(step))
                elif step.is_code and not (step.kind == "locked" and step.source in skipped):
                    session.run(step)
                if step.cell_id in self._shared_cells:
                    bench.share(self._shared_cells[step.cell_id])
            flags = notebook_flags(rebuilt.own, self.answers)
            return Judgement(tuple(tests), session.outputs(), flags)

    def _needless(self, rebuilt: Rebuilt) -> set[str]:
        """Return the sources of visible checks that the student's cells can do without."""
        code = [step for step in rebuilt.steps if step.is_code]
        locked = [step.source for step in code if step.kind == "locked"]
        return needless_checks(locked, self.answers, [step.source for step in rebuilt.own])

    @cached_property
    def _shared_cells(self) -> dict[str, Any]:
        """The instructor's ungraded cells that tests need, compiled, by grade id."""
        locked = [c for c in self.assignment.cells if c.role == "locked" and c.kind == "code"]
        tests = [c.source for c in self.assignment.cells if c.role == "test"]
        needless = needless_checks([c.source for c in locked], self.answers, tests)
        return {
            cell.grade_id: compile(cell.source, f"<{cell.grade_id}>", "exec")
            for cell in locked
            if cell.source not in needless
        }


class _Bench:
    """The names that the tests of one notebook share, and what came of each test."""

    def __init__(self, session: Session, answers: dict[str, bool], errors: dict[str, str]):
        self._session, self._answers, self._errors = session, answers, errors
        self._names: dict[str, Any] = {"__name__": "judge"}
        for name, is_function in answers.items():
            if is_function:
                self._names[name] = _StudentFunction(name, session)

    def share(self, cell: Any) -> None:
        """Run one of the instructor's ungraded cells, for what it defines."""
        # As in a notebook: a cell that fails, a visible check for one, leaves the rest of
        # itself undone.
        with _quiet(), contextlib.suppress(Exception, Stopped, Missing):
            exec(cell, self._names)

    def run(self, test: _Test) -> TestResult:
        """Run one test."""
        with _quiet():
            try:
                self._prepare(test)
                score = test.score(self._names)
            except AssertionError as error:
                return test.result(0.0, "failed", test.message(error))
            except Stopped as stopped:
                outcome = stopped.cause if stopped.cause in ("time", "memory") else "crash"
                return test.result(0.0, outcome, f"Your code was called, but {stopped}.")
            except Missing as missing:
                return test.result(0.0, "failed", self._session.why_missing(str(missing)))
            # A result that the test can make nothing of. Its message may hold inputs.
            except Exception as error:  # noqa: BLE001
                self._errors[test.test_id] = f"{type(error).__name__}: {error}"
                hint = f"The test could not use what it got: {type(error).__name__}."
                return test.result(0.0, "error", hint)
        outcome = "passed" if score == test.points else "partial" if score else "failed"
        return test.result(score, outcome, "")

    def _prepare(self, test: _Test) -> None:
        for name, is_function in self._answers.items():
            if not is_function and name in test.words:
                self._names[name] = self._session.read(name)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep what tests print from the grader's own output."""
    nowhere = io.StringIO()
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        warnings.simplefilter("ignore")
        yield


class _StudentFunction:
    """A function of the student's: called like one, it runs in the sandbox."""

    def __init__(self, name: str, session: Session):
        self.__name__ = self.__qualname__ = name
        self._session = session

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._session.call(self.__name__, args, kwargs)

    def announce(self, calls: Sequence[Arguments], times: int) -> Iterator[Callable | None]:
        """Send calls ahead, all at once: the course's checks make use of that."""
        return self._session.announce(self.__name__, calls, times)


class _Test:
    """One of the instructor's tests, compiled."""

    def __init__(self, cell: Cell, promise: str):
        self.test_id, self.points, self.promise = cell.grade_id, cell.points, promise
        self.words = words(cell.source)
        tree = ast.parse(cell.source)
        self._told = {
            node.msg.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assert) and isinstance(node.msg, ast.Constant)
        }
        name = f"<{cell.grade_id}>"
        self._last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
            self._last = compile(last, name, "eval")
        self._body = compile(tree, name, "exec")

    def score(self, names: dict[str, Any]) -> float:
        """Run the test, and return its points: all, or what its last line says."""
        exec(self._body, names)
        value = None if self._last is None else eval(self._last, names)
        if value is None or isinstance(value, bool):
            return self.points
        value = float(value)
        if not math.isfinite(value):
            raise ValueError("a test's score is no finite number")
        return min(max(value, 0.0), self.points)

    def message(self, error: AssertionError) -> str:
        """Return what a student may read of a failed test.

        That is what a check says it made for students, and texts that stand in the test
        as they are. Any other message may hold inputs or expected values.
        """
        made = getattr(error, "feedback", None)
        if isinstance(made, str):
            return made
        return str(error) if str(error) in self._told else ""

    def result(self, score: float, outcome: Outcome, hint: str) -> TestResult:
        """Return what came of it."""
        return TestResult(self.test_id, self.points, score, outcome, self.promise, hint)


def _functions(source: str) -> set[str]:
    body = parsed(source).body
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}


def _promise(released: Cell | None) -> str:
    """Return what a test says of itself in the first line that students see."""
    first = released.source.strip().partition("\n")[0] if released else ""
    return _POINTS.sub("", first) if first.startswith("#") else ""


def _written(step: Step) -> TestResult:
    return TestResult(step.cell_id, step.points, None, "ungraded")
