"""The one writer to nbgrader's database.

It writes nbgrader's own tables, but many submissions in one transaction: nbgrader's
helpers commit after every grade. What a person enters there (manual scores, extra
credit, comments, extensions, penalties) is never written to.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from datetime import datetime

from alembic.script import ScriptDirectory
from nbgrader import api
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import URL, Connection, Engine, RowMapping, create_engine, inspect, make_url, text

from autograder.gradebook.cells import source_cells
from autograder.gradebook.edition import COMMENTS, GRADES, naive_utc, save_edition
from autograder.gradebook.rows import known_rows, save
from autograder.model import Assignment, Verdict
from autograder.names import folder_name

STUDENTS, SUBMISSIONS = api.Student.__table__, api.SubmittedAssignment.__table__
NOTEBOOKS = api.SubmittedNotebook.__table__
# Formgrader may hold the database for a moment.
PATIENCE_S = 60


class Database:
    """nbgrader's database, for one assignment."""

    def __init__(
        self, url: str | URL, assignment: Assignment, course: str, due: datetime | None = None
    ):
        """Open the database, made where it is missing, and write the assignment.

        Args:
            url: SQLAlchemy's, such as "sqlite:////home/ada/out/gradebook.db".
            assignment: what was handed in.
            course: nbgrader's course id.
            due: with a time zone; None leaves what the gradebook has.

        Raises:
            GradebookError: a cell that the assignment no longer has was graded by a person.
            sqlalchemy.exc.SQLAlchemyError: the database cannot be used.
        """
        self._assignment = assignment
        address = make_url(url)
        options = {"timeout": PATIENCE_S} if address.get_backend_name() == "sqlite" else {}
        self._engine = create_engine(address, connect_args=options)
        _create_tables(self._engine)
        with self._engine.begin() as connection:
            cells = source_cells(assignment)
            self._edition = save_edition(connection, assignment.name, cells, course, due)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def record(self, verdicts: Iterable[Verdict], changed: Container[str]) -> None:
        """Write verdicts, all or none of them.

        Args:
            verdicts: of different students; all have a result.
            changed: the ids of students whose work is not what it was at the last time:
                where a person has given a score, they are asked to look again.
        """
        by_name = {folder_name(verdict.student_id): verdict for verdict in verdicts}
        with self._engine.begin() as connection:
            known = known_rows(connection, STUDENTS, ["id"], STUDENTS.c.id, by_name)
            save(connection, STUDENTS, ["id"], known, [{"id": name} for name in by_name])
            notebooks = self._save_submissions(connection, by_name)
            self._save_grades(connection, by_name, notebooks, changed)
            self._save_comments(connection, by_name, notebooks)

    def _save_submissions(
        self, connection: Connection, by_name: Mapping[str, Verdict]
    ) -> dict[str, str]:
        """Write that students handed in; return the ids of their notebooks, by student."""
        edition, key = self._edition, ["student_id", "assignment_id"]
        known = known_rows(connection, SUBMISSIONS, key, SUBMISSIONS.c.student_id, by_name)
        ids = save(
            connection,
            SUBMISSIONS,
            key,
            known,
            [
                {
                    "student_id": name,
                    "assignment_id": edition.assignment_id,
                    "timestamp": naive_utc(verdict.submitted_at),
                }
                for name, verdict in by_name.items()
            ],
        )
        key = ["assignment_id", "notebook_id"]
        submitted = {id_: name for (name, _), id_ in ids.items()}
        known = known_rows(connection, NOTEBOOKS, key, NOTEBOOKS.c.assignment_id, submitted)
        rows = [{"assignment_id": id_, "notebook_id": edition.notebook_id} for id_ in submitted]
        ids = save(connection, NOTEBOOKS, key, known, rows)
        return {submitted[submission]: id_ for (submission, _), id_ in ids.items()}

    def _save_grades(
        self,
        connection: Connection,
        by_name: Mapping[str, Verdict],
        notebooks: Mapping[str, str],
        changed: Container[str],
    ) -> None:
        key = ["notebook_id", "cell_id"]
        known = known_rows(connection, GRADES, key, GRADES.c.notebook_id, notebooks.values())
        rows = []
        for name, verdict in by_name.items():
            blank = self._assignment.blank_answers(verdict.steps)
            for test in verdict.tests:
                place = notebooks[name], self._edition.grade_cells[test.test_id]
                nothing_to_read = verdict.status == "refused" or test.test_id in blank
                score = 0.0 if test.score is None and nothing_to_read else test.score
                old = known.get(place)
                rows.append(
                    {
                        "notebook_id": place[0],
                        "cell_id": place[1],
                        "auto_score": score,
                        "needs_manual_grade": _needs_a_person(
                            score, old, verdict.student_id in changed
                        ),
                    }
                )
        save(connection, GRADES, key, known, rows)

    def _save_comments(
        self, connection: Connection, by_name: Mapping[str, Verdict], notebooks: Mapping[str, str]
    ) -> None:
        key = ["notebook_id", "cell_id"]
        known = known_rows(connection, COMMENTS, key, COMMENTS.c.notebook_id, notebooks.values())
        rows = []
        for name, verdict in by_name.items():
            blank = self._assignment.blank_answers(verdict.steps)
            for cell_name, cell_id in self._edition.solution_cells.items():
                comment = "No response." if cell_name in blank else None
                if verdict.status == "refused":
                    comment = f"Not graded: {verdict.reason}"
                place = {"notebook_id": notebooks[name], "cell_id": cell_id}
                rows.append(place | {"auto_comment": comment})
        save(connection, COMMENTS, key, known, rows)


def _needs_a_person(score: float | None, old: RowMapping | None, changed: bool) -> bool:
    """Return whether a grade waits for a person, as nbgrader decides it.

    The same work graded again to the same score waits only if it did before.
    """
    if old is None:
        return score is None
    if not changed and old["auto_score"] == score:
        return old["needs_manual_grade"]
    return score is None or old["manual_score"] is not None


def _create_tables(engine: Engine) -> None:
    """Make nbgrader's tables as its own Gradebook does, without starting alembic's command."""
    is_new = not inspect(engine).get_table_names()
    api.Base.metadata.create_all(engine)
    if is_new:
        revision = ScriptDirectory(ALEMBIC_DIR).get_current_head()
        with engine.begin() as connection:
            connection.execute(
                text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
            )
            connection.execute(
                text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision}
            )
