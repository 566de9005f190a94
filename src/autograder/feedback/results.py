"""What each test came to, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from autograder.feedback.text import shortened, with_code
from autograder.model import Assignment, TestResult, Verdict
from autograder.tables import number_text

# For each outcome a kind, a sign that says the same, and words.
OUTCOMES = {
    "passed": ("right", "✓", "Passed"),
    "partial": ("part", "◐", "Partly right"),
    "failed": ("wrong", "✗", "Not yet right"),
    "error": ("wrong", "✗", "Could not be tested"),
    "time": ("wrong", "✗", "Took too long"),
    "memory": ("wrong", "✗", "Needed too much memory"),
    "crash": ("wrong", "✗", "Ended its process"),
    "ungraded": ("waits", "…", "Waits for a person"),
    "blank": ("wrong", "–", "No answer"),
}
LONGEST_HINT = 2_000


@dataclass(frozen=True)
class Result:
    """One line of the table of results.

    Attributes:
        test_id: the grade id.
        anchor: the id of its place in the page.
        label: what was tested.
        hint: what helps, "" where there is nothing to say.
        kind: "right", "part", "wrong" or "waits".
        sign: the kind as a sign.
        words: the outcome.
        points: what could be had.
        score: what was had, 0 while a person has yet to read.
    """

    test_id: str
    anchor: str
    label: Markup
    hint: str
    kind: str
    sign: str
    words: str
    points: float
    score: float

    @property
    def points_text(self) -> str:
        """Return "1 of 2", or "3" where nobody knows yet."""
        whole = number_text(self.points)
        return whole if self.kind == "waits" else f"{number_text(self.score)} of {whole}"


def results(verdict: Verdict, assignment: Assignment) -> list[Result]:
    """Return the results of a verdict's tests, in its order."""
    blank = assignment.blank_answers(verdict.steps)
    headings = dict(_headings(assignment))
    return [
        _result(number, test, headings, "blank" if test.test_id in blank else test.outcome)
        for number, test in enumerate(verdict.tests, start=1)
    ]


def heading(markdown: str) -> tuple[int, str, str]:
    """Return the level and text of the heading that a cell begins with, and the rest.

    The level is 0 where there is none.
    """
    first, _, rest = markdown.strip().partition("\n")
    level = len(first) - len(first.lstrip("#"))
    if level and first[level : level + 1] == " ":
        return level, first[level:].strip(), rest.strip()
    return 0, "", markdown.strip()


def _headings(assignment: Assignment) -> Iterator[tuple[str, str]]:
    """Yield the grade id of each graded cell, and the heading over it."""
    last = ""
    for cell in assignment.cells:
        if cell.role == "locked" and cell.kind == "markdown":
            last = heading(cell.source)[1] or last
        elif cell.points:
            yield cell.grade_id, last


def _result(number: int, test: TestResult, headings: dict[str, str], outcome: str) -> Result:
    kind, sign, words = OUTCOMES[outcome]
    label = test.promise or headings.get(test.test_id) or test.test_id
    return Result(
        test_id=test.test_id,
        anchor=f"test-{number}",
        label=with_code(shortened(label, LONGEST_HINT)),
        hint=shortened(test.hint, LONGEST_HINT),
        kind=kind,
        sign=sign,
        words=words,
        points=test.points,
        score=test.score or 0.0,
    )
