"""What the parts of the grader hand to each other. Plain data, nothing that runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal


@dataclass(frozen=True)
class Submission:
    """One student's notebook as it was handed in: bytes that nobody has looked into.

    Attributes:
        student_id: in Unicode's NFC form, not empty; any script and any characters.
        origin: the file's name as it came, relative to the folder or zip.
        content: the file's bytes; None where ``refused`` says why there are none.
        refused: why the file cannot be taken, in a sentence for the student.
        submitted_at: with a time zone; None where the time is not known.
        flags: what an instructor may want to know of how it came.
    """

    student_id: str
    origin: str
    content: bytes | None
    refused: str = ""
    submitted_at: datetime | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook, without outputs.

    Attributes:
        kind: "code", "markdown" or "raw".
        source: its text.
        cell_id: the notebook format's id, "" without one.
        grade_id: nbgrader's, "" without one.
        role: what nbgrader's metadata say it is: "answer" (a solution cell that is not
            graded by hand), "written" (graded by hand), "test" (graded by running),
            "locked", or "" for a cell of the student's.
        points: of a test or a written answer.
    """

    kind: Literal["code", "markdown", "raw"]
    source: str
    cell_id: str = ""
    grade_id: str = ""
    role: Literal["answer", "written", "test", "locked", ""] = ""
    points: float = 0.0


@dataclass(frozen=True)
class Assignment:
    """A problem set: the instructor's cells, and what students were given.

    Attributes:
        name: such as "ps4_masking".
        cells: the instructor's, hidden tests and model answers included.
        released: the same cells as students got them, by grade id.
    """

    name: str
    cells: tuple[Cell, ...]
    released: Mapping[str, Cell]

    @property
    def max_score(self) -> float:
        """Return the points of everything, written answers included."""
        return sum(cell.points for cell in self.cells)

    def blank_answers(self, steps: Iterable[Step]) -> set[str]:
        """Return the ids of the answers that are still what students were given."""
        return {
            step.cell_id
            for step in steps
            if step.kind in ("answer", "written")
            and step.source.strip() == self.released[step.cell_id].source.strip()
        }


@dataclass(frozen=True)
class Step:
    """One cell of a rebuilt notebook.

    Attributes:
        kind: "locked", "answer", "written" or "test" (the instructor's place), or "added".
        cell_id: the grade id, or "added-1", "added-2", ... for what a student added.
        source: the student's for "answer", "written" and "added"; the released source
            for "locked"; the instructor's, hidden tests included, for "test".
        is_code: whether it is a cell of code.
        points: of a test or a written answer.
    """

    kind: Literal["locked", "answer", "written", "test", "added"]
    cell_id: str
    source: str
    is_code: bool = True
    points: float = 0.0


@dataclass(frozen=True)
class Rebuilt:
    """A notebook put together anew: the instructor's cells with the student's answers.

    Attributes:
        steps: in the order in which they run.
        flags: what was mended on the way, one sentence each.
    """

    steps: tuple[Step, ...]
    flags: tuple[str, ...] = ()

    @property
    def own(self) -> tuple[Step, ...]:
        """The student's own cells of code."""
        kinds = ("answer", "added")
        return tuple(step for step in self.steps if step.is_code and step.kind in kinds)


Outcome = Literal["passed", "partial", "failed", "error", "time", "memory", "crash", "ungraded"]


@dataclass(frozen=True)
class TestResult:
    """What one test, or one written answer, came to.

    Attributes:
        test_id: the grade id.
        points: what can be had.
        score: what was had, from 0 to ``points``; None while a person has yet to grade it.
        outcome: "passed", "partial" or "failed" by the test's own verdict; "time",
            "memory" or "crash" where the student's code ended its process; "error"
            where the test could make nothing of what it got; "ungraded" for written ones.
        promise: what the test asks for, one line.
        hint: what the student is told beyond that; "" where there is nothing to say.
    """

    test_id: str
    points: float
    score: float | None
    outcome: Outcome
    promise: str = ""
    hint: str = ""

    __test__ = False  # not one of pytest's


@dataclass(frozen=True)
class CellOutput:
    """What one of the student's cells put out in the sandbox.

    Attributes:
        text: what it printed, its result and its error, in the order they came, cut
            to a bounded length.
        images: PNG files.
        cut: whether anything was left out.
        error: the type of the exception that ended it, or why it was stopped; "" without.
    """

    text: str = ""
    images: tuple[bytes, ...] = ()
    cut: bool = False
    error: str = ""


@dataclass(frozen=True)
class Verdict:
    """Everything that came of one submission.

    Attributes:
        student_id: whose.
        assignment: its name.
        status: "graded"; "refused", where the file is nothing that can be graded; or
            "infrastructure", where we failed and it has to be tried again.
        reason: why it was refused, or what failed.
        tests: in the notebook's order; all of the assignment's, also when refused.
        outputs: of the cells that ran, by step id.
        steps: the rebuilt notebook's; empty when refused.
        flags: for the instructor only.
        submitted_at: with a time zone; None where it is not known.
        late_seconds: after the due time, 0 if not late; None where either is unknown.
        mended: what was mended in the file: the student is told as well.
    """

    student_id: str
    assignment: str
    status: Literal["graded", "refused", "infrastructure"]
    reason: str = ""
    tests: tuple[TestResult, ...] = ()
    outputs: Mapping[str, CellOutput] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    flags: tuple[str, ...] = ()
    submitted_at: datetime | None = None
    late_seconds: float | None = None
    mended: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """Return the points had so far, those of written answers left out."""
        return sum(test.score or 0.0 for test in self.tests)

    @property
    def max_score(self) -> float:
        """Return all points that can be had."""
        return sum(test.points for test in self.tests)

    def to_bytes(self) -> bytes:
        """Return the verdict as JSON: how it crosses processes and lies in files."""
        return json.dumps(asdict(self), default=_plain, ensure_ascii=True, sort_keys=True).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Verdict:
        """Return the verdict that ``to_bytes`` wrote."""
        fields: dict[str, Any] = json.loads(content)
        fields["tests"] = tuple(TestResult(**test) for test in fields["tests"])
        fields["steps"] = tuple(Step(**step) for step in fields["steps"])
        fields["flags"] = tuple(fields["flags"])
        fields["mended"] = tuple(fields["mended"])
        fields["outputs"] = {name: _output(kept) for name, kept in fields["outputs"].items()}
        if fields["submitted_at"]:
            fields["submitted_at"] = datetime.fromisoformat(fields["submitted_at"])
        return cls(**fields)


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"a verdict holds {value!r}, which is no plain data")


def _output(kept: dict[str, Any]) -> CellOutput:
    kept["images"] = tuple(bytes.fromhex(image) for image in kept["images"])
    return CellOutput(**kept)
