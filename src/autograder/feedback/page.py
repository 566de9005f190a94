"""The page: its words on the whole submission, and the template that holds them."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.feedback.blocks import blocks
from autograder.feedback.results import Result, heading, results
from autograder.feedback.text import shortened, visible, with_code
from autograder.files import write_atomically
from autograder.model import Assignment, Verdict
from autograder.names import folder_name
from autograder.tables import number_text

UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
LONGEST_NOTE = 1_000
MOST_NOTES = 50


def write_feedback(verdict: Verdict, assignment: Assignment, folder: Path) -> Path:
    """Write a student's page into ``folder/STUDENT/SET.html``; return its path.

    Raises:
        OSError: the folder cannot be written to.
    """
    path = folder / folder_name(verdict.student_id) / f"{verdict.assignment}.html"
    write_atomically(path, feedback_page(verdict, assignment).encode(), durable=False)
    return path


def feedback_page(verdict: Verdict, assignment: Assignment) -> str:
    """Return a student's page: HTML that is complete in itself, under 2 MB.

    It shows no source of a test, and of the student's own texts nothing that a browser
    would take for markup.
    """
    listed = results(verdict, assignment)
    title = _title(assignment)
    return _template().render(
        verdict=verdict,
        assignment=assignment.name,
        student=shortened(verdict.student_id, LONGEST_NOTE),
        title=title.replace("`", ""),
        headline=with_code(title),
        reason=shortened(verdict.reason, LONGEST_NOTE),
        came=came(verdict.submitted_at, verdict.late_seconds),
        summary=_summary(listed),
        results=listed,
        mended=[with_code(shortened(note, LONGEST_NOTE)) for note in verdict.mended[:MOST_NOTES]],
        blocks=blocks(verdict, assignment, listed),
    )


def came(submitted_at: datetime | None, late_seconds: float | None) -> str:
    """Return when a submission came in, and how late, as far as it is known."""
    if submitted_at is None:
        return "When it was handed in is not known."
    offset = f"{submitted_at:%z}"
    zone = "UTC" if offset in ("+0000", "") else f"UTC{offset[:3]}:{offset[3:5]}"
    moment = f"{submitted_at.day} {submitted_at:%B %Y, %H:%M} ({zone})"
    if late_seconds is None:
        return f"Handed in on {moment}."
    lateness = f"{duration(late_seconds)} late" if late_seconds > 0 else "in time"
    return f"Handed in on {moment}, {lateness}."


def duration(seconds: float) -> str:
    """Return a length of time in its two largest units: "1 day 2 hours"."""
    left, parts = max(round(seconds), 1), []
    for name, size in UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {name}{'' if count == 1 else 's'}")
    return " ".join(parts[:2])


def _title(assignment: Assignment) -> str:
    for cell in assignment.cells:
        level, text, _ = heading(cell.source) if cell.kind == "markdown" else (0, "", "")
        if level == 1:
            return text
    return assignment.name


def _summary(listed: list[Result]) -> dict[str, str]:
    """Return the points in numbers: what was had, of how many, and how many wait."""
    waiting = sum(result.points for result in listed if result.kind == "waits")
    possible = sum(result.points for result in listed) - waiting
    return {
        "score": number_text(sum(result.score for result in listed)),
        "possible": number_text(possible),
        "waiting": number_text(waiting) if waiting else "",
    }


def _shown(value: object) -> Markup:
    """Make anything that the template writes safe, so that it cannot be forgotten there."""
    return value if isinstance(value, Markup) else visible(str(value))


@cache
def _template() -> Template:
    loader = PackageLoader("autograder.feedback")
    environment = Environment(
        loader=loader,
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style, _, _ = loader.get_source(environment, "feedback.css")
    environment.globals["style"] = Markup(style)
    return environment.get_template("feedback.html")
