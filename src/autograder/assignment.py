"""A problem set as its author wrote it, beside what students were given."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from autograder.definitions import defined_names
from autograder.errors import GradingError
from autograder.model import Assignment, Cell
from autograder.notebooks import read_notebook
from autograder.refused import Refused


class AssignmentError(GradingError, ValueError):
    """A problem set that is not there, or not as it has to be; for the instructor."""


def assignment_names(source_directory: Path) -> list[str]:
    """Return the problem sets in a folder, those with NAME/NAME.ipynb, in order."""
    return sorted(path.stem for path in source_directory.glob("*/*.ipynb") if _is_set(path))


def load_assignment(name: str, source_directory: Path, release_directory: Path) -> Assignment:
    """Load a problem set.

    Args:
        name: such as "ps4_masking".
        source_directory: holds the instructor's NAME/NAME.ipynb.
        release_directory: holds the students' NAME/NAME.ipynb, generated from it.

    Raises:
        AssignmentError: there is no such set, or one of the two cannot be used.
    """
    if name not in (known := assignment_names(source_directory)):
        there = ", ".join(known) or "none"
        raise AssignmentError(
            f'there is no problem set "{name}" in {source_directory}; there are: {there}'
        )
    cells = _read(source_directory / name / f"{name}.ipynb")
    path = release_directory / name / f"{name}.ipynb"
    released = {cell.grade_id: cell for cell in _read(path)}
    if [(cell.grade_id, cell.role, cell.kind) for cell in cells] != [
        (cell.grade_id, cell.role, cell.kind) for cell in released.values()
    ]:
        raise AssignmentError(
            f"{path} does not hold the cells of {source_directory / name}: generate it anew"
        )
    return Assignment(name, cells, released)


def names_to_define(assignment: Assignment) -> dict[str, tuple[str, ...]]:
    """Return the names that each answer in code is to define, by its grade id.

    They are those of the released stub; where it defines none, those of the model
    answer, which may hold helpers besides.
    """
    answers = [
        cell
        for cell in assignment.cells
        if cell.kind == "code" and cell.role in ("answer", "written")
    ]
    return {
        cell.grade_id: defined_names(assignment.released[cell.grade_id].source)
        or defined_names(cell.source)
        for cell in answers
    }


def _is_set(path: Path) -> bool:
    return path.stem == path.parent.name and not path.name.startswith(".")


def _read(path: Path) -> tuple[Cell, ...]:
    try:
        cells = read_notebook(path.read_bytes()).cells
    except OSError as error:
        raise AssignmentError(f"{path} cannot be read: {error.strerror}") from error
    except Refused as refused:
        raise AssignmentError(f"{path} cannot be used: {refused.reason}") from refused
    for number, cell in enumerate(cells, 1):
        if not cell.grade_id or not cell.role:
            raise AssignmentError(f"{path}: cell {number} needs an nbgrader type and id")
        if cell.role in ("test", "written") and not cell.points:
            raise AssignmentError(f'{path}: "{cell.grade_id}" is graded, but has no points')
    for grade_id, times in Counter(cell.grade_id for cell in cells).items():
        if times > 1:
            raise AssignmentError(f'{path}: the id "{grade_id}" stands {times} times')
    return cells
