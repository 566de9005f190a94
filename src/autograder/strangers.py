"""Notebooks that are not of the problem set they were handed in for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.matching import Match, is_given, normal
from autograder.model import Assignment, Cell
from autograder.refused import Refused

HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
AGAIN = "Please hand in the notebook of this problem set."


def refuse_strangers(match: Match, others: Sequence[Assignment]) -> None:
    """Refuse what was made for something else.

    Args:
        match: of the notebook with the problem set it was handed in for.
        others: the other problem sets that it may be of.

    Raises:
        Refused: with what the notebook seems to be, where that can be known.
    """
    name = match.assignment.name
    if not any(match.texts):
        raise Refused(f"The notebook holds no cells with text in them. {AGAIN}")
    answers = [place for place, cell in enumerate(match.places) if not is_given(cell)]
    lacking = [p for p in answers if not match.standing(p) and not match.answers(p)]
    other = _most_alike(match, others)
    if lacking and other:
        raise Refused(f'This is the problem set "{other}", not "{name}". {AGAIN}')
    if lacking == answers and len(set(match.home.values())) < len(match.places) / 2:
        raise Refused(f'Nothing of the problem set "{name}" was found{_title(match)}. {AGAIN}')
    if lacking and unknown_grade_ids(match):
        raise Refused(
            f'The notebook was made for another release of "{name}", or for another problem '
            f"set: it lacks answers, and holds cells that are not known here{_title(match)}. "
            f"{AGAIN}"
        )


def unknown_grade_ids(match: Match) -> list[str]:
    """Return the grade ids that the problem set does not have, of cells that stand for none."""
    known = match.assignment.released
    return list(
        dict.fromkeys(
            cell.grade_id
            for index, cell in enumerate(match.cells)
            if index not in match.home and cell.grade_id and cell.grade_id not in known
        )
    )


def _most_alike(match: Match, others: Sequence[Assignment]) -> str:
    """Return the other set with more of its texts in the notebook than this one, or ""."""
    texts = set(match.texts)
    alike = {other.name: _common(texts, other) for other in others}
    best = max(alike, key=lambda name: alike[name], default="")
    return best if best and alike[best] > _common(texts, match.assignment) else ""


def _common(texts: set[str], assignment: Assignment) -> int:
    given = {normal(cell.source) for cell in assignment.released.values() if is_given(cell)}
    return len(texts & given)


def _title(match: Match) -> str:
    """Return words that tell the notebook's first heading, where it is not the set's."""
    found = _headings(match.cells)
    if not found or found[0] in _headings(match.places):
        return ""
    return f'; its first heading is "{found[0][:100]}"'


def _headings(cells: Sequence[Cell]) -> list[str]:
    return [
        heading.strip()
        for cell in cells
        if cell.kind == "markdown"
        for heading in HEADING.findall(cell.source)
    ]
