"""What was mended in a notebook, in sentences for the instructor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograder.arranging import Arrangement
from autograder.matching import Match, Means, is_given
from autograder.strangers import unknown_grade_ids

FOUND: dict[Means, str] = {
    "cell id": "by the notebook's cell id",
    "text": "by the text that was given out",
    "function": "by the function that they define",
    "position": "by their place between their neighbours",
}
SHOWN = 8  # names in one sentence


def flags_of(match: Match, arrangement: Arrangement) -> Iterator[str]:
    """Yield what an instructor may want to know of how a notebook was put together."""
    if not any(cell.grade_id for cell in match.cells):
        yield "No cell carries an nbgrader id: the notebook's metadata were lost."
    places = [place for place, cell in enumerate(match.places) if not is_given(cell)]
    yield from _how_found(match, places)
    for place in places:
        yield from _of_answer(match, place)
    yield from _of_given(match)
    if arrangement.moved:
        yield f"Cells stood in another order than in the release: {_ids(match, arrangement.moved)}."
    if match.altered_copies:
        copies = _ids(match, sorted(set(match.altered_copies.values())))
        yield f"Changed copies of locked cells run as cells of the student's own: {copies}."
    if unknown := unknown_grade_ids(match):
        names = _quoted(unknown)
        yield f"Cells with ids that this problem set does not have are the student's own: {names}."


def _how_found(match: Match, places: list[int]) -> Iterator[str]:
    for means, words in FOUND.items():
        found = [p for p in places if _is_found(match, p, means)]
        if found:
            yield f"Answers without an nbgrader id were found {words}: {_ids(match, found)}."


def _is_found(match: Match, place: int, means: Means) -> bool:
    """Say whether a place was filled by these means, and not only mended by them."""
    standing = {match.means[index] for index in match.standing(place)}
    return standing == {means} if means == "function" else means in standing


def _of_answer(match: Match, place: int) -> Iterator[str]:
    name = _ids(match, [place])
    standing, answers = match.standing(place), match.answers(place)
    own = [index for index in standing if match.means[index] != "function"]
    if len(match.written(place)) > 1:
        yield f"The answer {name} is made of {len(match.written(place))} cells, run in order."
    elif len(own) > 1:
        yield f"The cell {name} stands there {len(own)} times."
    if set(answers) - set(own) and (own or match.repeats.get(place)):
        names = ", ".join(match.names[place])
        yield f"The answer {name} is taken from another cell, which defines {names}."
    elif not standing:
        yield f"The cell {name} is missing; the released one stands in for it."
    elif not answers and not any(match.texts[index] for index in own):
        yield f"The cell {name} is empty; the released one stands in for it."
    kinds = {match.cells[index].kind for index in answers} - {match.places[place].kind}
    if kinds:
        yield f"The answer {name} was turned into a cell of {' and '.join(sorted(kinds))}."


def _of_given(match: Match) -> Iterator[str]:
    given = [place for place, cell in enumerate(match.places) if is_given(cell)]
    standing = {place: match.standing(place) for place in given}
    changed = [
        place
        for place, found in standing.items()
        if found and not any(match.is_as_released(index, place) for index in found)
    ]
    if changed:
        yield (
            "Locked cells differ from the current release (an older release, or a change of the "
            f"student's); the released ones were used: {_ids(match, changed)}."
        )
    if missing := [place for place, found in standing.items() if not found]:
        yield f"Locked cells are missing and were put back: {_ids(match, missing)}."
    if double := [place for place, found in standing.items() if len(found) > 1]:
        yield f"Locked cells stand there more than once: {_ids(match, double)}."


def _ids(match: Match, places: Iterable[int]) -> str:
    return _quoted(match.places[place].grade_id for place in places)


def _quoted(names: Iterable[str]) -> str:
    quoted = [f'"{name[:80]}"' for name in names]
    rest = f" and {len(quoted) - SHOWN} more" if len(quoted) > SHOWN else ""
    return ", ".join(quoted[:SHOWN]) + rest
