"""In which order a student's cells run among the instructor's."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.matching import Match

START = -1  # the place before the instructor's first cell


@dataclass(frozen=True)
class Arrangement:
    """Where everything of the student's runs.

    Attributes:
        runs: for each place, the student's cells that run there, in order; those that run
            before everything else are at ``START``.
        moved: the places whose cells stood in another order than in the release.
    """

    runs: dict[int, list[int]]
    moved: list[int]


def arrange(match: Match) -> Arrangement:
    """Put answers into their places, and the student's own cells beside their neighbours.

    The longest run of matched cells that stand in the instructor's order is the backbone;
    added cells stay behind the last cell of it that they followed. Where a cell that
    defines a function stood behind the tests of it, that cell and the added cells before
    it, which it may need, move up. Where it stood too early, it runs there and again in
    the answer's place.
    """
    backbone = _backbone(match.home)
    slots: dict[int, int] = {}
    again: dict[int, list[int]] = {place: list(found) for place, found in match.repeats.items()}
    current = START
    for index in range(len(match.cells)):
        place = match.home.get(index)
        if index in backbone:
            current = match.home[index]
        if place is None:
            if match.is_free(index) and match.cells[index].kind == "code":
                slots[index] = current
        elif match.means[index] != "function" or index in backbone:
            slots[index] = place
        elif current < place and match.cells[index].kind == "code":
            slots[index] = current
            again.setdefault(place, []).append(index)
        else:
            _pull(match, slots, place)
            slots[index] = place
    return Arrangement(_runs(slots, again), _moved(match, backbone))


def _pull(match: Match, slots: dict[int, int], place: int) -> None:
    """Move what stands for nothing where it runs up to a place that comes earlier."""
    for index, slot in slots.items():
        if slot > place and match.home.get(index) != slot:
            slots[index] = place


def _runs(slots: dict[int, int], again: dict[int, list[int]]) -> dict[int, list[int]]:
    runs = {place: sorted(found) for place, found in again.items()}
    for index in sorted(slots):
        runs.setdefault(slots[index], []).append(index)
    return runs


def _moved(match: Match, backbone: set[int]) -> list[int]:
    """Return the places found by what their cells are, none of which is in order."""
    settled = {match.home[index] for index in backbone}
    found = {match.home[index] for index, means in match.means.items() if means != "function"}
    return sorted(found - settled)


def _backbone(home: dict[int, int]) -> set[int]:
    """Return the cells of a longest run whose places never decrease."""
    tails: list[int] = []  # the lowest last place of a run of each length
    ends: list[int] = []  # and the cell it ends in
    before: dict[int, int | None] = {}
    for index in sorted(home):
        length = bisect_right(tails, home[index])
        tails[length:] = [home[index], *tails[length + 1 :]]
        before[index] = ends[length - 1] if length else None
        ends[length : length + 1] = [index]
    return set(_chain(ends[-1] if ends else None, before))


def _chain(index: int | None, before: dict[int, int | None]) -> Iterable[int]:
    while index is not None:
        yield index
        index = before[index]
