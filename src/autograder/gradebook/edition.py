"""An assignment in the gradebook: what every submission of it refers to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from nbgrader import api
from sqlalchemy import Connection, Table, delete, or_, select

from autograder.errors import GradingError
from autograder.gradebook.cells import SourceCell
from autograder.gradebook.rows import Key, known_rows, save

KERNEL = json.dumps({"display_name": "Python 3", "language": "python", "name": "python3"})
GRADE, SOLUTION = "GradeCell", "SolutionCell"
COURSES, ASSIGNMENTS = api.Course.__table__, api.Assignment.__table__
NOTEBOOKS, CELLS, SOURCES = api.Notebook.__table__, api.BaseCell.__table__, api.SourceCell.__table__
KINDS = {GRADE: api.GradeCell.__table__, SOLUTION: api.SolutionCell.__table__}
GRADES, COMMENTS = api.Grade.__table__, api.Comment.__table__


class GradebookError(GradingError, RuntimeError):
    """The gradebook holds something that writing to it would destroy."""


@dataclass(frozen=True)
class Edition:
    """The ids of an assignment's rows: its own, its notebook's, its cells' by name."""

    assignment_id: str
    notebook_id: str
    grade_cells: dict[str, str]
    solution_cells: dict[str, str]


def naive_utc(moment: datetime | None) -> datetime | None:
    """Return a moment as nbgrader stores it: in UTC, without saying so."""
    return moment and moment.astimezone(UTC).replace(tzinfo=None)


def save_edition(
    connection: Connection,
    name: str,
    cells: list[SourceCell],
    course: str,
    due: datetime | None = None,
) -> Edition:
    """Write an assignment as it stands now; return what it is known by.

    Args:
        connection: in whose transaction.
        name: of the assignment, and of its one notebook.
        cells: all that have a grade id.
        course: nbgrader's course id.
        due: with a time zone; None leaves what the gradebook has.

    Raises:
        GradebookError: a cell that is gone now was graded by a person.
    """
    known = known_rows(connection, COURSES, ["id"], COURSES.c.id, [course])
    save(connection, COURSES, ["id"], known, [{"id": course}])
    known = known_rows(connection, ASSIGNMENTS, ["name"], ASSIGNMENTS.c.name, [name])
    row = {"name": name} | ({} if known else {"course_id": course})
    row |= {"duedate": naive_utc(due)} if due else {}
    assignment_id = save(connection, ASSIGNMENTS, ["name"], known, [row])[name,]
    notebook_id = _save_notebook(connection, name, assignment_id)
    _save_sources(connection, notebook_id, cells)
    ids = _save_cells(connection, notebook_id, cells)
    return Edition(
        assignment_id,
        notebook_id,
        {name: id_ for (name, kind), id_ in ids.items() if kind == GRADE},
        {name: id_ for (name, kind), id_ in ids.items() if kind == SOLUTION},
    )


def _save_notebook(connection: Connection, name: str, assignment_id: str) -> str:
    key = ["name", "assignment_id"]
    known = known_rows(connection, NOTEBOOKS, key, NOTEBOOKS.c.assignment_id, [assignment_id])
    row = {"name": name, "assignment_id": assignment_id, "kernelspec": KERNEL}
    return save(connection, NOTEBOOKS, key, known, [row])[name, assignment_id]


def _save_sources(connection: Connection, notebook_id: str, cells: list[SourceCell]) -> None:
    key = ["name"]
    known = known_rows(connection, SOURCES, key, SOURCES.c.notebook_id, [notebook_id])
    rows = [
        {
            "name": cell.name,
            "notebook_id": notebook_id,
            "cell_type": cell.kind,
            "locked": cell.is_locked,
            "source": cell.source,
            "checksum": cell.metadata["checksum"],
        }
        for cell in cells
    ]
    ids = save(connection, SOURCES, key, known, rows)
    for place in known.keys() - ids.keys():
        connection.execute(delete(SOURCES).where(SOURCES.c.id == known[place]["id"]))


def _save_cells(
    connection: Connection, notebook_id: str, cells: list[SourceCell]
) -> dict[Key, str]:
    """Write what is graded and what is answered; a written answer is both."""
    key = ["name", "type"]
    known = known_rows(connection, CELLS, key, CELLS.c.notebook_id, [notebook_id])
    graded = {(cell.name, GRADE): cell for cell in cells if cell.points is not None}
    answered = {(cell.name, SOLUTION): cell for cell in cells if cell.is_solution}
    for place in known.keys() - graded.keys() - answered.keys():
        _remove_cell(connection, known[place]["id"], place)
    rows = [
        {"name": name, "type": kind, "notebook_id": notebook_id}
        for name, kind in [*graded, *answered]
    ]
    ids = save(connection, CELLS, key, known, rows)
    _save_kind(
        connection,
        GRADE,
        [
            {"id": ids[place], "max_score": cell.points, "cell_type": cell.kind}
            for place, cell in graded.items()
        ],
    )
    _save_kind(connection, SOLUTION, [{"id": ids[place]} for place in answered])
    return ids


def _save_kind(connection: Connection, kind: str, rows: list[dict[str, object]]) -> None:
    table = KINDS[kind]
    known = known_rows(connection, table, ["id"], table.c.id, [str(row["id"]) for row in rows])
    save(connection, table, ["id"], known, rows)


def _remove_cell(connection: Connection, cell_id: str, place: Key) -> None:
    """Remove a cell that the assignment no longer has, unless a person's work goes with it."""
    entered = (
        select(GRADES.c.id).where(
            GRADES.c.cell_id == cell_id,
            or_(GRADES.c.manual_score.is_not(None), GRADES.c.extra_credit.is_not(None)),
        ),
        select(COMMENTS.c.id).where(
            COMMENTS.c.cell_id == cell_id, COMMENTS.c.manual_comment.is_not(None)
        ),
    )
    if any(connection.execute(query).first() for query in entered):
        raise GradebookError(
            f"the assignment no longer has the cell {place[0]!r}, but the gradebook holds "
            "grades or comments that a person gave for it; grade into another folder"
        )
    tables: list[tuple[Table, str]] = [(GRADES, "cell_id"), (COMMENTS, "cell_id")]
    tables += [(table, "id") for table in KINDS.values()]
    tables += [(api.TaskCell.__table__, "id"), (CELLS, "id")]
    for table, column in tables:
        connection.execute(delete(table).where(table.c[column] == cell_id))
