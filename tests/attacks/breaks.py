"""Broken formats, metadata and cells. What can be graded is; what cannot has a reason."""

import copy

from tests.attacks.entry import HIDDEN, MINI, PS1, Attack, as_json, assignment, notebook

RIGHT = "def f(x):\n    return x + 1"
LOST = "metadata were lost"


def at(cells: list[dict], grade_id: str) -> dict:
    """Return the cell with a grade id."""
    return next(c for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def copied_test(cells):
    return [*cells, copy.deepcopy(at(cells, "equal"))]


def same_id_twice(cells):
    other = copy.deepcopy(at(cells, "f"))
    other["source"] = "def f(x):\n    return 0"
    return [*cells[:2], other, *cells[2:]]


def retyped(cells):
    at(cells, "equal")["cell_type"] = "markdown"
    at(cells, "f")["cell_type"] = "raw"
    return cells


def bare(cells):
    for cell in cells:
        cell["metadata"] = {}
        cell.pop("id", None)
    return notebook(cells, nbformat_minor=0)


def no_tests(cells):
    return [c for c in cells if not c["metadata"].get("nbgrader", {}).get("grade")]


def reversed_order(cells):
    return cells[::-1]


def own_points(cells):
    for cell in cells:
        if "points" in cell["metadata"].get("nbgrader", {}):
            cell["metadata"]["nbgrader"]["points"] = 1e300
    at(cells, "f")["metadata"]["nbgrader"] |= {"grade": True, "points": float("nan")}
    return cells


def own_tests(cells):
    for cell in cells:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = "pass"
            cell["metadata"]["nbgrader"]["locked"] = False
    return cells


def answer_as_test(cells):
    """Give a cell of one's own the id of a test."""
    fake = copy.deepcopy(at(cells, "equal"))
    fake["source"] = "pass"
    at(cells, "equal")["metadata"] = {}
    return [*cells[:2], fake, *cells[2:]]


def other_kernel(cells):
    whole = notebook(cells)
    whole["metadata"]["kernelspec"] = {"name": "bash", "display_name": "Bash", "language": "bash"}
    whole["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {}}
    return whole


def odd_values(cells):
    at(cells, "f")["source"] = at(cells, "f")["source"].splitlines(keepends=True)
    at(cells, "f")["metadata"]["collapsed"] = {"a": [None, 1e999, "\0\ud800"]}
    at(cells, "f")["outputs"] = "none"
    return [None, 7, {"cell_type": "code"}, {"cell_type": "x", "source": 5}, *cells]


def other_set(cells):
    return [as_json(cell) for cell in assignment(PS1).released.values()]


def text(content):
    """Return an edit that makes a file of something else."""
    return lambda cells: content


def old_format(cells):
    return {"metadata": {}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}


def broken(name: str, tries: str, edit, **more) -> Attack:
    """Return a right notebook that is broken in one way."""
    more = {"solved": True, "score": 16.0, "proof": "stock", "on": MINI} | more
    return Attack(name, tries, edit=edit, **more)


def refused(name: str, content, told: str) -> Attack:
    """Return a file that is nothing that can be graded."""
    return Attack(
        name, "Hands in what is no notebook.", edit=content, status="refused", told=[told],
        proof="by design", by="Stock nbgrader gives no reason, and none of its own to others.",
    )  # fmt: skip


CELLS = (
    broken("copied test", "Copies a test, as one does to try it.", copied_test,
           proof="unguarded", by="test_a_copied_test_stops_the_stock_grader"),
    broken("same id twice", "Holds two cells with the id of the answer, the last one wrong.",
           same_id_twice, score=0.0, flags=["is made of 2 cells"], proof="by design",
           by="Stock nbgrader runs both cells, too."),
    broken("retyped cells", "Turns a test into text, and the answer into a raw cell.", retyped,
           flags=["turned into a cell of raw"], proof="by design",
           by="Stock nbgrader mends the types from its database."),
    broken("lost metadata", "Lost all ids and metadata in another editor.", bare, flags=[LOST]),
    broken("deleted tests", "Deletes every test.", no_tests, flags=["were put back"]),
    broken("reversed cells", "Turns the order of all cells round.", reversed_order,
           flags=["another order"]),
    broken("own points", "Writes other points into the metadata.", own_points, proof="by design",
           by="nbgrader takes the points from its database, too."),
    broken("own tests", "Empties every test, and unlocks it.", own_tests, solved=False, score=0.0,
           proof="by design", by="nbgrader takes the tests from its database, too.",
           flags=["Locked cells differ"]),
    broken("answer with a test's id", "Gives a cell of its own the id of a test.",
           answer_as_test, proof="by design",
           by="nbgrader takes the test from its database, too."),
    broken("other kernel", "Was saved with another kernel and broken widgets.", other_kernel,
           proof="by design", by="Stock nbgrader has no bash kernel, and cannot start it.",
           flags=['the kernel "bash"']),
    broken("odd values", "Holds cells and metadata of no proper type.", odd_values,
           flags=["could not be read"]),
    Attack(
        "tests in its own cells",
        "Puts the text of hidden tests into its own cells, to be run and shown.",
        {"f": "def f(x):\n    return 0"},
        last=[f"# {HIDDEN}\nassert True", "# Graded (2 points): integers\n2.0"],
        told=[HIDDEN],
        proof="by design", by="A cell of one's own is no test, in stock nbgrader neither.",
    ),
    Attack(
        "syntax error", "Cannot be parsed.", {"f": "def f(x:\n  return"},
        first=["'" * 7, "\0", "%%nosuchmagic\nx", "!exit 1", "(" * 5000],
        told=["is not defined", "SyntaxError"],
        proof="by design", by="It is worth nothing; that the others are graded shows.",
    ),
)  # fmt: skip

FILES = (
    refused("another set", other_set, "This is the problem set"),
    refused("empty file", text(b""), "empty"),
    refused("truncated", text(b'{"cells": [{"cell_type": "code", "source": "x'), "cut off"),
    refused("web page", text(b"<!DOCTYPE html><html><script>alert(1)</script>"), "web page"),
    refused("conflict", text(b'{\n<<<<<<< HEAD\n"cells": []\n>>>>>>> b\n}'), "conflict"),
    refused("old format", old_format, "old format"),
    refused("deep file", text(b"[" * 200_000), "nested too deeply"),
    refused("number of a million digits", text(b"[" + b"9" * 10**6 + b"]"), "impossible number"),
    refused("too many cells", lambda cells: notebook(cells * 500), "more than 2,000 cells"),
    refused("too much code", lambda cells: notebook(
        [*cells, {"cell_type": "code", "metadata": {}, "source": "x = 1\n" * 10**5}]),
        "characters of code"),
    refused("no cells", lambda cells: {"nbformat": 4, "metadata": [], "cells": {}}, "no cells"),
)  # fmt: skip

ATTACKS = (*CELLS, *FILES)
