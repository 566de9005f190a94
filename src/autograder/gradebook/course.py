"""A folder in which nbgrader goes on: its gradebook, autograded notebooks, configuration.

``cd FOLDER``, then ``nbgrader export``, or formgrader for what a person grades.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL

from autograder.files import write_atomically
from autograder.gradebook.database import Database
from autograder.gradebook.edition import naive_utc
from autograder.gradebook.notebooks import AutogradedNotebooks, digest_in, work_digest
from autograder.model import Assignment, Verdict
from autograder.names import folder_name

OURS = "# Written by the autograder; a file without this line is left as it is."
# Not nbgrader's "submitted": that may be where the submissions came from.
RECEIVED = "received"
CONFIGURATION = """\
{ours}
c = get_config()
c.CourseDirectory.course_id = {course!r}
c.CourseDirectory.source_directory = {source!r}
c.CourseDirectory.submitted_directory = {received!r}
c.CourseDirectory.db_url = {database!r}
# By default it would be grades.csv, which is ours.
c.ExportPlugin.to = "nbgrader.csv"
"""


class CourseFolder:
    """The folder of one assignment's results, as nbgrader reads it."""

    def __init__(
        self,
        folder: Path,
        assignment: Assignment,
        source_directory: Path,
        *,
        course: str = "attention-derived",
        database: str = "",
        due: datetime | None = None,
    ):
        """Make or open the gradebook, and write nbgrader's configuration.

        Args:
            folder: where all is written.
            assignment: what was handed in.
            source_directory: of the instructor's notebooks, one folder for each set.
            course: nbgrader's course id.
            database: SQLAlchemy's URL; "" for SQLite in the folder.
            due: with a time zone; None leaves what the gradebook has.

        Raises:
            GradebookError: a cell that the assignment no longer has was graded by a person.
            OSError: the folder cannot be written to.
            sqlalchemy.exc.SQLAlchemyError: the database cannot be used.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder.resolve()
        self._name = assignment.name
        url = database or URL.create("sqlite", database=str(self._folder / "gradebook.db"))
        self._notebooks = AutogradedNotebooks(assignment)
        self._database = Database(url, assignment, course, due)
        configuration = CONFIGURATION.format(
            ours=OURS,
            course=course,
            source=str(source_directory.resolve()),
            received=RECEIVED,
            database=str(url),
        )
        _write_configuration(self._folder / "nbgrader_config.py", configuration)

    def __enter__(self) -> CourseFolder:
        """Return the folder itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the database."""
        self._database.close()

    def record(self, verdicts: Iterable[Verdict]) -> None:
        """Write verdicts into the gradebook, in one transaction, then their notebooks.

        What failed for our own reasons is left out. Of each student there may be one.

        Raises:
            OSError: the folder cannot be written to.
            sqlalchemy.exc.SQLAlchemyError: the database cannot be used.
        """
        finished = [verdict for verdict in verdicts if verdict.status != "infrastructure"]
        changed = {
            verdict.student_id
            for verdict in finished
            if digest_in(self._autograded(verdict)) != work_digest(verdict)
        }
        self._database.record(finished, changed)
        # Killed in between, the next run takes the work for changed and asks a person once
        # more, never once too few.
        for verdict in finished:
            self._write_files(verdict)

    def _write_files(self, verdict: Verdict) -> None:
        notebook = self._notebooks.notebook(verdict)
        write_atomically(self._autograded(verdict), notebook, durable=False)
        received = self._folder / RECEIVED / folder_name(verdict.student_id) / self._name
        received.mkdir(parents=True, exist_ok=True)
        stamp = received / "timestamp.txt"
        moment = naive_utc(verdict.submitted_at)
        if moment:
            write_atomically(stamp, f"{moment.isoformat(' ')} UTC\n".encode(), durable=False)
        else:
            stamp.unlink(missing_ok=True)

    def _autograded(self, verdict: Verdict) -> Path:
        student = folder_name(verdict.student_id)
        return self._folder / "autograded" / student / self._name / f"{self._name}.ipynb"


def _write_configuration(path: Path, content: str) -> None:
    if not path.exists() or OURS in path.read_text(encoding="utf-8"):
        write_atomically(path, content.encode())
