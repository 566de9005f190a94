"""Notebooks as students hand them in, and what their answers are worth when rebuilt."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from tests.notebooks import ROOT

from autograder.assignment import load_assignment
from autograder.model import Assignment, Cell, Rebuilt

PS1, PS4 = "ps1_soft_lookup", "ps4_masking"


@cache
def assignment(name: str = PS4) -> Assignment:
    """Return one of the course's problem sets."""
    return load_assignment(name, ROOT / "solutions", ROOT / "exercises")


def content(name: str = PS4, folder: str = "exercises") -> bytes:
    """Return a notebook file of the course."""
    return (ROOT / folder / name / f"{name}.ipynb").read_bytes()


def blank(name: str = PS4) -> list[Cell]:
    """Return the cells of a notebook in which nothing was done."""
    return list(assignment(name).released.values())


def solved(name: str = PS4) -> list[Cell]:
    """Return the cells of a notebook with every answer right."""
    model = {cell.grade_id: cell for cell in assignment(name).cells}
    return [
        replace(cell, source=model[cell.grade_id].source)
        if cell.role in ("answer", "written")
        else cell
        for cell in blank(name)
    ]


def bare(cells: Sequence[Cell], cell_ids: bool = False) -> list[Cell]:
    """Return cells that lost their metadata, and their ids unless these are to stay."""
    return [Cell(cell.kind, cell.source, cell.cell_id if cell_ids else "") for cell in cells]


def at(cells: Sequence[Cell], grade_id: str) -> int:
    """Return the index of the cell with a grade id."""
    return [cell.grade_id for cell in cells].index(grade_id)


def points(rebuilt: Rebuilt) -> float:
    """Run all steps as a notebook runs, past errors, and add up the points of the tests."""
    space: dict = {"__name__": "notebook"}
    total = 0.0
    for step in rebuilt.steps:
        if step.is_code and step.cell_id != "setup" and _runs(step.source, space):
            total += step.points
    return total


def _runs(source: str, space: dict) -> bool:
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(compile(source, "<step>", "exec"), space)
        except Exception:  # noqa: BLE001 - a cell may raise anything
            return False
    return True


def notebook_file(cells: Sequence[Cell], **extra) -> bytes:
    """Return a notebook file, as an editor without nbgrader would save these cells."""
    listed = [
        {"cell_type": cell.kind, "metadata": {}, "source": cell.source.splitlines(keepends=True)}
        for cell in cells
    ]
    return json.dumps(
        {"cells": listed, "metadata": {}, "nbformat": 4, "nbformat_minor": 4} | extra
    ).encode()
