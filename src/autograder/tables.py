r"""grades.csv and results.jsonl: the same verdicts give the same bytes.

Texts in grades.csv may come from students, and spreadsheets run what looks like a
formula. Two rules make them harmless; ``plain_text`` undoes both, exactly.

1. Control characters (but line feeds), lone surrogates and marks that turn the direction
   of writing are written ``\uXXXX``; a backslash is written twice.
2. Where a text, or what follows a semicolon or a line feed in it, begins with one of
   ``= + - @`` or an apostrophe (spaces before it aside), an apostrophe is put before that.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from pathlib import Path

from autograder.files import write_atomically
from autograder.model import TestResult, Verdict

COLUMNS = (
    *("student_id", "assignment", "score", "max_score"),
    *("status", "reason", "flags", "late_seconds"),
)
UNSEEN = re.compile(
    r"[\\\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
WRITTEN = re.compile(r"\\(?:\\|u([0-9a-f]{4}))")
# In some countries the semicolon separates cells.
FORMULA = re.compile(r"((?:^|[;\n])\s*)(?=['=+\-@＝＋－＠])")
APOSTROPHE = re.compile(r"((?:^|[;\n])\s*)'")


def write_grades(path: Path, verdicts: Iterable[Verdict]) -> None:
    """Write one line for each verdict, in order of students.

    Raises:
        OSError: the file cannot be written.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(_row, _in_order(verdicts)))
    write_atomically(path, text.getvalue().encode())


def write_results(path: Path, verdicts: Iterable[Verdict]) -> None:
    """Write one JSON object for each test of each verdict, one a line.

    Raises:
        OSError: the file cannot be written.
    """
    lines = [
        json.dumps(_result(verdict, test)) + "\n"
        for verdict in _in_order(verdicts)
        for test in verdict.tests
    ]
    write_atomically(path, "".join(lines).encode())


def spreadsheet_text(text: str) -> str:
    """Return a text as grades.csv holds it: nothing that a spreadsheet would run."""
    visible = UNSEEN.sub(_as_written, text)
    return FORMULA.sub(r"\1'", visible)


def plain_text(cell: str) -> str:
    """Return the text that ``spreadsheet_text`` made this cell of."""
    visible = APOSTROPHE.sub(r"\1", cell)
    return WRITTEN.sub(lambda match: chr(int(match[1], 16)) if match[1] else "\\", visible)


def number_text(value: float | None) -> str:
    """Return a number as people write it: 7, 2.5; nothing for None."""
    if value is None:
        return ""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _row(verdict: Verdict) -> list[str]:
    # Nobody has a score of 0 because we failed.
    score = None if verdict.status == "infrastructure" else verdict.score
    return [
        spreadsheet_text(verdict.student_id),
        spreadsheet_text(verdict.assignment),
        number_text(score),
        number_text(verdict.max_score),
        verdict.status,
        spreadsheet_text(verdict.reason),
        spreadsheet_text("; ".join((*verdict.mended, *verdict.flags))),
        number_text(verdict.late_seconds),
    ]


def _result(verdict: Verdict, test: TestResult) -> dict[str, str | float | None]:
    return {
        "student_id": verdict.student_id,
        "assignment": verdict.assignment,
        "test_id": test.test_id,
        "points": _canonical(test.points),
        "score": _canonical(test.score),
        "outcome": test.outcome,
        "hint": test.hint,
    }


def _canonical(value: float | None) -> float | None:
    """Return 7 for 7.0, so that a number is written in one way only."""
    return None if value is None else json.loads(number_text(value))


def _in_order(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return sorted(verdicts, key=lambda verdict: (verdict.student_id, verdict.assignment))


def _as_written(match: re.Match[str]) -> str:
    return "\\\\" if match[0] == "\\" else f"\\u{ord(match[0]):04x}"
