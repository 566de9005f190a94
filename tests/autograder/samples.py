"""Verdicts to write down, made of the real fourth problem set."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from tests.notebooks import ROOT

from autograder.assignment import load_assignment
from autograder.model import Assignment, CellOutput, Step, TestResult, Verdict

NAME = "ps4_masking"
SUBMITTED = datetime(2026, 11, 12, 21, 40, tzinfo=UTC)
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
ANSWERS = {
    "causal-mask": (
        "def causal_mask(n_q, n_k):\n"
        '    """Return True where query i may attend to key j."""\n'
        "    return np.tril(np.ones((n_q, n_k), dtype=bool))  # my own way"
    ),
    "question": "Rows **no longer** sum to 1: $\\sum_j w_j < 1$.\n\n- It *underflows*.",
}


@cache
def assignment() -> Assignment:
    """Return the problem set."""
    return load_assignment(NAME, ROOT / "solutions", ROOT / "exercises")


def steps(answers: dict[str, str] | None = None, added: tuple[str, ...] = ()) -> tuple[Step, ...]:
    """Return a rebuilt notebook: these answers, the rest as given; own cells after the imports."""
    answers = ANSWERS if answers is None else answers
    rebuilt = []
    for cell in assignment().cells:
        source = cell.source if cell.role == "test" else assignment().released[cell.grade_id].source
        source = answers.get(cell.grade_id, source)
        rebuilt.append(Step(cell.role, cell.grade_id, source, cell.kind == "code", cell.points))
        if cell.grade_id == "imports":
            own = enumerate(added, start=1)
            rebuilt += [Step("added", f"added-{number}", text) for number, text in own]
    return tuple(rebuilt)


def results(scores: dict[str, float] | None = None, hint: str = "") -> tuple[TestResult, ...]:
    """Return a result for each test: full points, but for these scores."""
    scores = scores or {}
    found = []
    for cell in assignment().cells:
        if cell.role == "written":
            found.append(TestResult(cell.grade_id, cell.points, None, "ungraded"))
        elif cell.role == "test":
            score = scores.get(cell.grade_id, cell.points)
            outcome = "passed" if score == cell.points else "partial" if score else "failed"
            promise = f"causal_mask: the promise of `{cell.grade_id}`."
            told = "" if outcome == "passed" else hint
            found.append(TestResult(cell.grade_id, cell.points, score, outcome, promise, told))
    return tuple(found)


def verdict(student_id: str = "ada", **changes) -> Verdict:
    """Return what came of one submission: all right, written answer included."""
    usual = Verdict(
        student_id=student_id,
        assignment=NAME,
        status="graded",
        tests=results(),
        outputs={"added-1": CellOutput("hello\n", (PICTURE,))},
        steps=steps(added=("print('hello')",)),
        submitted_at=SUBMITTED,
        late_seconds=0.0,
    )
    return replace(usual, **changes)


def refused(student_id: str = "bob") -> Verdict:
    """Return what comes of a file that is none."""
    lost = tuple(
        replace(test, score=None if test.outcome == "ungraded" else 0.0, outcome="failed")
        for test in results()
    )
    reason = "The file ends in the middle: it is not a whole notebook."
    return Verdict(student_id, NAME, "refused", reason, lost, submitted_at=SUBMITTED)
