"""Which of a student's cells stand for which of the instructor's.

By grade id, else by the notebook's cell id, else by the text (of cells that students get
to read), else by the function that an answer defines, else by the place between its
neighbours. What is left is the student's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from autograder.assignment import names_to_define
from autograder.definitions import defined_names, parsed
from autograder.model import Assignment, Cell

# Of text cells that may hold code, those longer are left out, and what comes after so many
# characters in all: it takes seconds to read a million.
_LONG, _PROSE = 20_000, 200_000

Means = Literal["grade id", "cell id", "text", "function", "position"]


def normal(source: str) -> str:
    """Return a text as it is compared: without regard to white space."""
    return " ".join(source.split())


@dataclass
class Match:
    """The student's cells and the instructor's places, both by their index.

    Attributes:
        assignment: the instructor's side.
        cells: the student's side.
        home: the place of each of the student's cells that stands for the instructor's.
        means: how it was found.
        repeats: cells that answer a place besides the one where they stand.
        altered_copies: changed copies of locked cells, which are the student's own.
    """

    assignment: Assignment
    cells: Sequence[Cell]
    home: dict[int, int] = field(default_factory=dict)
    means: dict[int, Means] = field(default_factory=dict)
    repeats: dict[int, list[int]] = field(default_factory=dict)
    altered_copies: dict[int, int] = field(default_factory=dict)

    @cached_property
    def places(self) -> list[Cell]:
        """The instructor's cells as students got them."""
        return [self.assignment.released[cell.grade_id] for cell in self.assignment.cells]

    @cached_property
    def texts(self) -> list[str]:
        """The texts of the student's cells, as they are compared."""
        return [normal(cell.source) for cell in self.cells]

    @cached_property
    def names(self) -> dict[int, tuple[str, ...]]:
        """The names that the answer in each place is to define."""
        by_id = names_to_define(self.assignment)
        return {
            place: by_id[cell.grade_id]
            for place, cell in enumerate(self.places)
            if cell.grade_id in by_id
        }

    @cached_property
    def defined(self) -> list[frozenset[str]]:
        """The names that each of the student's cells defines."""
        defined, room = [], _PROSE
        for cell in self.cells:
            is_code = cell.kind == "code"
            if not is_code and len(cell.source) <= min(_LONG, room):
                room -= len(cell.source)
                is_code = parsed(cell.source) is not None
            defined.append(frozenset(defined_names(cell.source)) if is_code else frozenset())
        return defined

    def set_home(self, index: int, place: int, means: Means) -> None:
        """Let a student's cell stand in a place."""
        self.home[index] = place
        self.means[index] = means

    def standing(self, place: int) -> list[int]:
        """Return the student's cells that stand in a place."""
        return [index for index in sorted(self.home) if self.home[index] == place]

    def is_as_released(self, index: int, place: int) -> bool:
        """Say whether a student's cell is word for word what was given out."""
        return self.texts[index] == normal(self.places[place].source)

    def written(self, place: int) -> list[int]:
        """Return the cells in a place that the student did something in."""
        standing = self.standing(place)
        return [i for i in standing if self.texts[i] and not self.is_as_released(i, place)]

    def is_free(self, index: int) -> bool:
        """Say whether a cell holds something and stands for none of the instructor's."""
        return index not in self.home and bool(self.texts[index])

    def answers(self, place: int) -> list[int]:
        """Return all cells that answer a place, also those that stand elsewhere."""
        return sorted(self.repeats.get(place, []) + self.written(place))


def is_given(cell: Cell) -> bool:
    """Say whether a released cell is one that students leave as it is."""
    return cell.role in ("locked", "test")


def match_cells(assignment: Assignment, cells: Sequence[Cell]) -> Match:
    """Find the place of each of a student's cells."""
    match = Match(assignment, cells)
    _by_marks(match)
    _by_text(match)
    _let_go_of_altered_copies(match)
    for place in match.names:
        _by_function(match, place)
    for place, cell in enumerate(match.places):
        if not is_given(cell):
            _by_position(match, place)
    return match


def _by_marks(match: Match) -> None:
    by_grade_id = {cell.grade_id: place for place, cell in enumerate(match.places)}
    by_cell_id = {cell.cell_id: place for place, cell in enumerate(match.places) if cell.cell_id}
    for index, cell in enumerate(match.cells):
        if cell.grade_id in by_grade_id:
            match.set_home(index, by_grade_id[cell.grade_id], "grade id")
        elif not cell.grade_id and cell.cell_id in by_cell_id:
            match.set_home(index, by_cell_id[cell.cell_id], "cell id")


def _by_text(match: Match) -> None:
    """Find the cells that were left as they were given out."""
    by_text: dict[str, list[int]] = {}
    for place, cell in enumerate(match.places):
        by_text.setdefault(normal(cell.source), []).append(place)
    for text, places in list(by_text.items()):
        # Of several answers that begin alike, the neighbours tell which it is.
        if len(places) > 1 and not all(is_given(match.places[place]) for place in places):
            del by_text[text]
    taken = set(match.home.values())
    for index, text in enumerate(match.texts):
        if match.is_free(index) and (places := by_text.get(text)):
            place = next((place for place in places if place not in taken), places[0])
            match.set_home(index, place, "text")
            taken.add(place)


def _let_go_of_altered_copies(match: Match) -> None:
    """Make a copied and changed locked cell the student's own where the original stands."""
    for place, cell in enumerate(match.places):
        standing = match.standing(place)
        if is_given(cell) and any(match.is_as_released(index, place) for index in standing):
            for index in standing:
                if not match.is_as_released(index, place):
                    match.altered_copies[index] = match.home.pop(index)
                    del match.means[index]


def _by_function(match: Match, place: int) -> None:
    """Where an answer lacks its function, take the cells that define it elsewhere."""
    missing = set(match.names[place]).difference(*_defined_in(match, match.written(place)))
    if not missing:
        return
    others = [i for at in match.names if at != place for i in match.written(at)]
    free = [index for index in range(len(match.cells)) if match.is_free(index)]
    choices: tuple[Iterable[int], ...] = (
        [index for index in free if match.cells[index].kind == "code"],
        sorted(others),
        [index for index in free if match.cells[index].kind != "code"],
    )
    for choice in choices:
        found = [index for index in choice if missing & match.defined[index]]
        for index in found:
            if index in match.home:
                match.repeats.setdefault(place, []).append(index)
            else:
                match.set_home(index, place, "function")
        if found:
            return


def _defined_in(match: Match, indices: list[int]) -> list[frozenset[str]]:
    return [match.defined[index] for index in indices]


def _by_position(match: Match, place: int) -> None:
    """Take what stands between the neighbours of a place for which nothing was found."""
    is_code = match.places[place].kind == "code"
    if match.answers(place) or (is_code and match.standing(place)):
        return  # code beside a stub runs where it is
    gap = _between_neighbours(match, place)
    prose = [index for index in gap if match.cells[index].kind != "code"]
    code = [index for index in gap if match.cells[index].kind == "code"]
    no_python = [index for index in code if parsed(match.cells[index].source) is None]
    for index in code if is_code else prose or no_python:
        match.set_home(index, place, "position")


def _between_neighbours(match: Match, place: int) -> list[int]:
    first = _edge(match, place - 1, max, -1)
    last = _edge(match, place + 1, min, len(match.cells))
    if first is None or last is None:
        return []
    between = [index for index in range(first + 1, last) if match.is_free(index)]
    # A cell with the id of something else is that.
    return [index for index in between if not match.cells[index].grade_id]


def _edge(match: Match, place: int, pick: Callable, end: int) -> int | None:
    if not 0 <= place < len(match.places):
        return end
    standing = match.standing(place)
    return pick(standing) if standing else None
