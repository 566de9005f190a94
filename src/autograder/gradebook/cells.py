"""An assignment's cells as nbgrader's ``generate_assignment`` would record them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nbformat import from_dict
from nbgrader.utils import compute_checksum

from autograder.model import Assignment, Cell

SCHEMA_VERSION = 3


@dataclass(frozen=True)
class SourceCell:
    """One cell that nbgrader knows by name.

    Attributes:
        name: the grade id.
        kind: "code" or "markdown".
        source: the released source of an answer; for the rest the instructor's, hidden
            tests included.
        metadata: what stands under "nbgrader" in the cell's metadata.
        points: of a graded cell, else None.
        is_solution: whether a student writes it.
    """

    name: str
    kind: str
    source: str
    metadata: dict[str, Any]
    points: float | None
    is_solution: bool

    @property
    def is_locked(self) -> bool:
        """Return whether nbgrader puts its own source back."""
        return not self.is_solution


def source_cells(assignment: Assignment) -> list[SourceCell]:
    """Return the cells of an assignment that carry a grade id, in order."""
    return [_source_cell(cell, assignment) for cell in assignment.cells if cell.role]


def _source_cell(cell: Cell, assignment: Assignment) -> SourceCell:
    is_solution = cell.role in ("answer", "written")
    is_grade = cell.role in ("test", "written")
    source = assignment.released[cell.grade_id].source if is_solution else cell.source
    metadata: dict[str, Any] = {
        "grade": is_grade,
        "grade_id": cell.grade_id,
        "locked": not is_solution,
        "schema_version": SCHEMA_VERSION,
        "solution": is_solution,
        "task": False,
    }
    if is_grade:
        metadata["points"] = cell.points
    whole = {"cell_type": cell.kind, "source": source, "metadata": {"nbgrader": metadata}}
    metadata["checksum"] = compute_checksum(from_dict(whole))
    metadata["cell_type"] = cell.kind
    points = cell.points if is_grade else None
    return SourceCell(cell.grade_id, cell.kind, source, metadata, points, is_solution)
