"""The notebook to grade: the instructor's cells, with the student's answers in them.

Of the student's notebook only the answers and the added cells of code are used, so that
no change to a test, to a locked cell or to the metadata has any effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from autograder.arranging import START, Arrangement, arrange
from autograder.matching import Match, is_given, match_cells
from autograder.mending import flags_of
from autograder.model import Assignment, Cell, Rebuilt, Step
from autograder.strangers import refuse_strangers


def rebuild(
    assignment: Assignment, cells: Sequence[Cell], others: Sequence[Assignment] = ()
) -> Rebuilt:
    """Put a student's notebook together anew.

    Args:
        assignment: what the notebook is to answer.
        cells: the student's, as ``read_notebook`` gives them.
        others: the course's other problem sets, to recognise a notebook of theirs.

    Returns:
        The steps in the instructor's order, the student's own cells among them, and what
        was mended.

    Raises:
        Refused: the notebook is not one of this problem set.
    """
    match = match_cells(assignment, cells)
    refuse_strangers(match, others)
    arrangement = arrange(match)
    steps = tuple(_numbered(_steps(match, arrangement)))
    return Rebuilt(steps, tuple(flags_of(match, arrangement)))


def _steps(match: Match, arrangement: Arrangement) -> Iterator[Step]:
    runs = arrangement.runs
    yield from (_added(match, index) for index in runs.get(START, []))
    for place, cell in enumerate(match.assignment.cells):
        here = runs.get(place, [])
        answers = frozenset(match.answers(place))
        added = [index for index in here if match.home.get(index) != place]
        if is_given(cell):
            yield _given(match, place)
            yield from (_added(match, index) for index in added)
        elif cell.kind == "code":
            yield from _answer(match, place, here, answers)
        else:
            texts = [match.cells[index].source for index in sorted(answers)]
            yield _step(match, place, "\n\n".join(texts) or match.places[place].source)
            yield from (_added(match, index) for index in added)


def _answer(match: Match, place: int, here: list[int], answers: frozenset[int]) -> Iterator[Step]:
    """Yield an answer and what runs around it; the last that defines it is the answer."""
    names = frozenset(match.names.get(place, ()))
    runs = [index for index in here if index in answers or match.home.get(index) != place]
    candidates = [index for index in runs if index in answers]
    defining = [index for index in candidates if names & match.defined[index]]
    chosen = next(reversed(defining or candidates), None)
    if chosen is None:
        yield _step(match, place, match.places[place].source)
    for index in runs:
        if index == chosen:
            yield _step(match, place, match.cells[index].source)
        else:
            yield _added(match, index)


def _given(match: Match, place: int) -> Step:
    is_test = match.places[place].role == "test"
    source = (match.assignment.cells if is_test else match.places)[place].source
    return _step(match, place, source)


def _step(match: Match, place: int, source: str) -> Step:
    cell = match.assignment.cells[place]
    assert cell.role  # every cell of an assignment has one
    return Step(cell.role, cell.grade_id, source, cell.kind == "code", cell.points)


def _added(match: Match, index: int) -> Step:
    return Step("added", "", match.cells[index].source)


def _numbered(steps: Iterator[Step]) -> Iterator[Step]:
    number = 0
    for step in steps:
        if step.kind == "added":
            number += 1
            step = replace(step, cell_id=f"added-{number}")
        yield step
