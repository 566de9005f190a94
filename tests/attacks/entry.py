"""What an attack is, and the two problem sets that attacks are handed in for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from tests.notebooks import ROOT

from autograder.assignment import load_assignment
from autograder.model import Assignment, Cell

PS1 = "ps1_soft_lookup"
MINI = "mini"
# Stands in hidden tests of the mini set only: no student may ever read it.
INPUT, HIDDEN = 4711, "HIDDEN-TEST-TEXT"
SECRET = b"a secret that only the judge has"

Proof = Literal["inside", "stock", "unguarded", "by design", "bites"]


@dataclass(frozen=True)
class Attack:
    """A hostile, broken or odd notebook, and what must come of it.

    Attributes:
        name: a few words.
        tries: one sentence: what it is after.
        answers: sources by grade id; the others are right if ``solved``, else as released.
        first: cells added behind the imports.
        after: cells added behind others, by the grade id of these.
        last: cells added at the end.
        on: the problem set.
        solved: whether the answers that are not said are right.
        edit: makes of the cells, as JSON, the whole notebook as JSON, or a file's bytes.
        score: what must come of it, of the points that are not given by hand.
        outcomes: what must come of single tests.
        status: what must become of the submission.
        flags: texts that the instructor must read.
        told: texts that the student's page must hold.
        untold: texts that it must not hold; they do not stand in the notebook.
        proof: how it is shown to be alive. "inside": it gains, or tells, or loses, where its
            tests run in the student's own process, as they do without a judge outside.
            "stock": so it does when nbgrader grades it alone. "unguarded": a test of
            ``test_guards.py`` shows what happens with the guard off; ``by`` says which.
            "by design": it gains also here, and is flagged. "bites": honest work; what
            shows is that the same notebook with a wrong answer loses points.
        by: the test that proves it, or the reason.
    """

    name: str
    tries: str
    answers: Mapping[str, str] = field(default_factory=dict)
    first: Sequence[str] = ()
    after: Mapping[str, str] = field(default_factory=dict)
    last: Sequence[str] = ()
    on: str = MINI
    solved: bool = False
    edit: Callable[[list[dict]], Any] | None = None
    score: float = 0.0
    outcomes: Mapping[str, str] = field(default_factory=dict)
    status: str = "graded"
    flags: Sequence[str] = ()
    told: Sequence[str] = ()
    untold: Sequence[str] = ()
    proof: Proof = "inside"
    by: str = ""

    @property
    def id(self) -> str:
        """A name for files and folders."""
        return self.name.replace(" ", "-")

    def placed(self, **places: Any) -> Attack:
        """Return the attack with ``{name}`` in its first cells replaced."""
        first = list(self.first)
        for name, place in places.items():
            first = [source.replace(f"{{{name}}}", str(place)) for source in first]
        return replace(self, first=first)

    def content(self) -> bytes:
        """Return the notebook's file."""
        cells = [as_json(cell) for cell in self._cells()]
        whole = self.edit(cells) if self.edit else cells
        if isinstance(whole, bytes):
            return whole
        return json.dumps(notebook(whole) if isinstance(whole, list) else whole).encode()

    def _cells(self) -> list[Cell]:
        given = assignment(self.on)
        model = {cell.grade_id: cell for cell in given.cells}
        cells = []
        for cell in given.released.values():
            if cell.role in ("answer", "written"):
                right = model[cell.grade_id].source if self.solved else cell.source
                cell = replace(cell, source=self.answers.get(cell.grade_id, right))
            cells.append(cell)
            if cell.grade_id == "imports":
                cells += [Cell("code", source) for source in self.first]
            if cell.grade_id in self.after:
                cells.append(Cell("code", self.after[cell.grade_id]))
        return cells + [Cell("code", source) for source in self.last]


def notebook(cells: list[dict], **other: Any) -> dict:
    """Return a notebook as JSON."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4}
    return whole | {"nbformat_minor": 5} | other


def as_json(cell: Cell) -> dict:
    """Return a cell as it stands in a file, with nbgrader's metadata."""
    made: dict[str, Any] = {"cell_type": cell.kind, "metadata": {}, "source": cell.source}
    if cell.kind == "code":
        made |= {"outputs": [], "execution_count": None}
    if cell.cell_id:
        made["id"] = cell.cell_id
    if cell.grade_id:
        made["metadata"]["nbgrader"] = {
            "schema_version": 3,
            "grade_id": cell.grade_id,
            "grade": cell.role in ("test", "written"),
            "solution": cell.role in ("answer", "written"),
            "locked": cell.role in ("locked", "test"),
            "task": False,
        }
        if cell.points:
            made["metadata"]["nbgrader"]["points"] = cell.points
    return made


def _test(name: str, promise: str, hidden: str) -> Cell:
    source = f"# {promise}\n### BEGIN HIDDEN TESTS\n# {HIDDEN}\n{hidden}\n### END HIDDEN TESTS"
    return Cell("code", source, name, name, "test", 2.0)


# One function, tested in the ways in which tests are written elsewhere.
CELLS = (
    Cell("code", "import numpy as np", "imports", "imports", "locked"),
    Cell(
        "code",
        "def f(x):\n    ### BEGIN SOLUTION\n    return x + 1\n    ### END SOLUTION",
        "f", "f", "answer",
    ),
    _test("allclose", "arrays", f"x = np.array([1.0, {INPUT}.0])\nexpected = x + 1\n"
          "np.testing.assert_allclose(f(x), expected)"),
    _test("close", "tensors", f"import torch\nx = torch.tensor([1.0, {INPUT}.0])\n"
          "torch.testing.assert_close(torch.as_tensor(f(x)), x + 1)"),
    _test("equal", "integers", f"assert f({INPUT}) == {INPUT + 1}"),
    _test("array", "booleans", "y = f(np.arange(3.0))\nassert np.all(y == np.array([1, 2, 3]))"),
    _test("every", "several calls",
          f"assert all(f(i) == i + 1 for i in range({INPUT}, {INPUT + 3}))"),
    _test("module", "colours", "import colorsys\n"
          "assert f(colorsys.rgb_to_hsv(0.5, 0.5, 0.5)[2]) == 1.5"),
    _test("drawn", "random numbers", f"rng = np.random.default_rng({INPUT})\nx = rng.normal()\n"
          "assert f(x) == x + 1"),
    _test("part", "a part of the points", "f(1)"),
)  # fmt: skip
TESTS = tuple(cell.grade_id for cell in CELLS if cell.role == "test")


@cache
def assignment(name: str) -> Assignment:
    """Return one of the two sets."""
    if name != MINI:
        return load_assignment(name, ROOT / "solutions", ROOT / "exercises")
    released = {cell.grade_id: _released(cell) for cell in CELLS}
    return Assignment(MINI, CELLS, released)


def _released(cell: Cell) -> Cell:
    if cell.role == "answer":
        return replace(cell, source="def f(x):\n    raise NotImplementedError")
    return replace(cell, source=cell.source.partition("\n###")[0])


def write_source(folder: Path, name: str) -> None:
    """Write the instructor's notebook of a set, as nbgrader wants it."""
    path = folder / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True)
    whole = notebook([as_json(cell) for cell in assignment(name).cells])
    path.write_text(json.dumps(whole))
