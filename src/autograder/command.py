"""The grader's command line: ``python -m autograder --help``."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from autograder.doctor import findings
from autograder.errors import GradingError
from autograder.fingerprint import SECRET
from autograder.grading import Request, grade
from autograder.intake import read_time, read_zone
from autograder.model import Verdict

app = typer.Typer(
    help="Grade notebooks of a problem set: rebuilt from yours, run in a sandbox, judged "
    "outside it. Linux only; `doctor` says what this machine lacks.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
# Tables on stdout; progress and complaints on stderr.
out, err = Console(), Console(stderr=True)


@app.command("grade")
def grade_command(
    assignment: Annotated[str, typer.Argument(metavar="SET", help="such as ps4_masking")],
    submissions: Annotated[
        Path,
        typer.Option(
            help="what students handed in: a folder as nbgrader lays it out, or a folder or "
            "zip of notebooks"
        ),
    ],
    out_folder: Annotated[
        Path,
        typer.Option(
            "--out",
            help="the folder for grades.csv, results.jsonl, feedback/ and the gradebook; the "
            "same command again goes on where it was",
        ),
    ],
    workers: Annotated[
        int, typer.Option(min=1, help="processes that grade at the same time")
    ] = os.cpu_count() or 1,
    due: Annotated[
        str | None, typer.Option(help="when it was due, in ISO 8601: 2026-12-01T23:59")
    ] = None,
    timezone: Annotated[
        str, typer.Option(help="the course's, for times without one: Europe/Berlin")
    ] = "UTC",
    course: Annotated[
        Path, typer.Option(help="the folder that holds solutions/ and exercises/")
    ] = Path("."),
    unsafe_no_sandbox: Annotated[
        bool,
        typer.Option(
            "--unsafe-no-sandbox",
            help="run students' code as you, with all your files and the network",
        ),
    ] = False,
) -> None:
    """Grade all submissions of one problem set.

    Ends with 0 when every submission has a verdict, whatever it is, and with 1 when any
    could not be given one for reasons of our own.
    """
    try:
        zone = read_zone(timezone)
        due_time = read_time(due, zone) if due else None
    except ValueError as error:
        raise typer.BadParameter(
            f"{error}; wanted --due such as 2026-12-01T23:59 or 2026-12-01T23:59+01:00, and "
            "--timezone such as Europe/Berlin"
        ) from None
    request = Request(
        assignment,
        submissions,
        out_folder,
        course.resolve(),
        zone,
        workers=workers,
        due=due_time,
        isolated=not unsafe_no_sandbox,
    )
    if not os.environ.get(SECRET):
        err.print(
            f"[yellow]Note:[/] {SECRET} is not set, so hidden tests use a secret that is "
            "public. For real grading see README."
        )
    try:
        verdicts = _with_progress(request)
    except (GradingError, OSError) as error:
        err.print(f"[red]Not graded:[/] {error}", highlight=False)
        raise typer.Exit(1) from None
    _print_summary(verdicts, out_folder)
    if any(verdict.status == "infrastructure" for verdict in verdicts):
        raise typer.Exit(1)


@app.command()
def doctor() -> None:
    """Say what this machine lacks for grading, and how to get it."""
    table = Table("", "", box=None, show_header=False)
    found = []
    for finding in findings():
        found.append(finding)
        mark = "[green]ok[/]" if finding.is_good else "[red]missing[/]"
        table.add_row(mark, finding.subject, finding.text)
    out.print(table)
    if not all(finding.is_good for finding in found):
        raise typer.Exit(1)


def _with_progress(request: Request) -> list[Verdict]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=not err.is_terminal) as progress:
        task = progress.add_task(f"Grading {request.assignment}", total=None, rate="")

        def begin(total: int) -> None:
            progress.update(task, total=total)

        def advance(done: int, verdict: Verdict) -> None:
            speed = progress.tasks[0].speed
            progress.update(task, completed=done, rate=f"{speed:.1f}/s" if speed else "")

        return grade(request, begin, advance)


def _print_summary(verdicts: list[Verdict], folder: Path) -> None:
    counts = Counter(verdict.status for verdict in verdicts)
    graded = sorted(verdict.score for verdict in verdicts if verdict.status == "graded")
    table = Table(title=f"{len(verdicts)} submissions", title_justify="left", box=None)
    table.add_column("")
    table.add_column("", justify="right")
    for status in ("graded", "refused", "infrastructure"):
        table.add_row(status, str(counts[status]))
    if graded:
        most = next(verdict.max_score for verdict in verdicts if verdict.status == "graded")
        middle = graded[len(graded) // 2]
        table.add_row(
            "points: lowest, median, highest", f"{graded[0]:g}, {middle:g}, {graded[-1]:g}"
        )
        table.add_row("of at most", f"{most:g}")
    waiting = sum(any(test.score is None for test in verdict.tests) for verdict in verdicts)
    table.add_row("with answers for a person to grade", str(waiting))
    table.add_row("with flags to look at", str(sum(bool(verdict.flags) for verdict in verdicts)))
    table.add_row("late", str(sum(bool(verdict.late_seconds) for verdict in verdicts)))
    out.print(table)
    for verdict in verdicts:
        if verdict.status != "graded":
            out.print(f"{verdict.student_id}: {verdict.reason}", markup=False, highlight=False)
    out.print(
        f"Written to {folder}: grades.csv, results.jsonl, feedback/, gradebook.db", highlight=False
    )
