"""Grades what a class handed in: the whole way from a folder or zip to results."""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder import fingerprint, workers
from autograder.grader import Settings
from autograder.intake import collect, late_seconds
from autograder.limits import Limits
from autograder.model import Assignment, Submission, Verdict
from autograder.sandboxes import COURSE, Plan
from autograder.store import Store
from autograder.tables import write_grades, write_results

# Told of each verdict: how many there are, and the new one.
Progress = Callable[[int, Verdict], None]


@dataclass(frozen=True)
class Request:
    """What to grade, and how.

    Attributes:
        assignment: the set's name.
        submissions: a folder or a zip of notebooks.
        out: the folder for all results; a second run in it repeats no finished work.
        course: the folder that holds ``solutions/`` and ``exercises/``.
        timezone: in which time stamps without a zone are read.
        workers: how many processes grade.
        due: with a time zone; None where nothing is late.
        isolated: False runs students' code unprotected.
        limits: what one notebook may take.
    """

    assignment: str
    submissions: Path
    out: Path
    course: Path
    timezone: ZoneInfo
    workers: int = os.cpu_count() or 1
    due: datetime | None = None
    isolated: bool = True
    limits: Limits = field(default_factory=Limits)

    @property
    def settings(self) -> Settings:
        """How single notebooks are graded."""
        return Settings(
            self.assignment,
            self.course / "solutions",
            self.course / "exercises",
            Plan(isolated=self.isolated, limits=self.limits),
        )


def grade(request: Request, begin: Callable[[int], None], progress: Progress) -> list[Verdict]:
    """Grade all that was handed in, and write all results.

    Args:
        request: what to grade.
        begin: told how many submissions there are, before the first is graded.
        progress: told of every verdict, old ones too.

    Returns:
        The verdicts, in the order of the students' ids.

    Raises:
        AssignmentError: there is no such set.
        IntakeError: there are no submissions.
        SandboxError: students' code cannot be run.
        NotSolved: the set's own answers do not pass.
        GradebookError: the gradebook holds what it would lose.
        OSError: the results cannot be written.
    """
    assignment = request.settings.load()
    submissions = collect(request.submissions, request.assignment, request.timezone)
    request.out.mkdir(parents=True, exist_ok=True)
    begin(len(submissions))
    verdicts: list[Verdict] = []
    # The one writer: whatever several processes find out, this one writes.
    for index, judged in _judged(request, assignment, submissions):
        verdict = _completed(judged, submissions[index], request.due)
        _write_feedback(request, assignment, verdict)
        verdicts.append(verdict)
        progress(len(verdicts), verdict)
    verdicts.sort(key=lambda verdict: verdict.student_id)
    # Before the gradebook, which may refuse: these then are there.
    write_results(request.out / "results.jsonl", verdicts)
    write_grades(request.out / "grades.csv", verdicts)
    _record(request, assignment, verdicts)
    return verdicts


def _write_feedback(request: Request, assignment: Assignment, verdict: Verdict) -> None:
    from autograder.feedback import write_feedback  # loaded while the workers start

    write_feedback(verdict, assignment, request.out / "feedback")


def _record(request: Request, assignment: Assignment, verdicts: list[Verdict]) -> None:
    """Write verdicts into nbgrader's gradebook."""
    # nbgrader takes a second or two to load: meanwhile, workers have been grading.
    from autograder.gradebook import CourseFolder

    solutions = request.settings.source
    with CourseFolder(request.out, assignment, solutions, due=request.due) as gradebook:
        gradebook.record(verdicts)


def _judged(request: Request, assignment: Assignment, submissions: Sequence[Submission]):
    """Yield each submission's index and what was judged of it, stored verdicts first."""
    store = Store(request.out / ".results")
    same_for_all = _same_for_all(request.settings)
    keys = [_key(submission, same_for_all) for submission in submissions]
    left = []
    for index, key in enumerate(keys):
        known = store.get(key)
        if known is None:
            left.append(index)
        else:
            yield index, known
    if not left:
        return
    waiting = [submissions[index] for index in left]
    for place, verdict in _graded(request, assignment, waiting):
        store.put(keys[left[place]], verdict)
        yield left[place], verdict


def _graded(request: Request, assignment: Assignment, submissions: Sequence[Submission]):
    """Yield each submission's index and verdict, as workers find them."""
    plan = request.settings.sandboxes.loading(
        assignment, (submission.content or b"" for submission in submissions)
    )
    # What takes seconds to load begins before the rest: the processes that students' code
    # and judges are forked from, then Dask, then what writes results.
    with plan.shared() as shared:
        workers.warm_up()
        from autograder import scheduler

        settings = replace(request.settings, sandboxes=shared)
        with scheduler.cluster(settings, min(request.workers, len(submissions))) as client:
            threading.Thread(target=_load_writers).start()
            yield from scheduler.verdicts(client, request.assignment, submissions)


def _load_writers() -> None:
    for module in ("feedback", "gradebook"):
        importlib.import_module(f"autograder.{module}")


def _key(submission: Submission, same_for_all: str) -> str:
    """Return the key of all that a verdict depends on but the time it came in."""
    content = submission.content or b""
    return fingerprint.key(submission.student_id, submission.refused, content, same_for_all)


def _same_for_all(settings: Settings) -> str:
    """Return a digest of what the verdicts on all submissions depend on."""
    return fingerprint.key(
        settings.assignment,
        repr((settings.sandboxes.limits, settings.sandboxes.isolated)),
        fingerprint.environment(COURSE),
        *(path.read_bytes() for path in settings.notebooks()),
    )


def _completed(verdict: Verdict, submission: Submission, due: datetime | None) -> Verdict:
    """Add to what was judged what is known of how the file came."""
    return replace(
        verdict,
        flags=submission.flags + verdict.flags,
        submitted_at=submission.submitted_at,
        late_seconds=late_seconds(submission.submitted_at, due),
    )
