"""Problem sets: loaded from solutions and exercises, or a clear word why not."""

import json
import shutil

import pytest
from tests.autograder.student import PS4, assignment
from tests.notebooks import ROOT, SOLUTIONS

from autograder.assignment import (
    AssignmentError,
    assignment_names,
    load_assignment,
    names_to_define,
)
from autograder.definitions import defined_names, parsed


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_every_set_of_the_course_loads(path):
    loaded = assignment(path.stem)
    assert loaded.max_score > 0
    assert {cell.grade_id for cell in loaded.cells} == set(loaded.released)
    for cell in loaded.cells:
        released = loaded.released[cell.grade_id]
        assert (released.role, released.kind, released.points) == (
            cell.role,
            cell.kind,
            cell.points,
        )
        assert "HIDDEN" not in released.source
        if cell.role == "locked":
            assert released.source == cell.source


def test_the_names_that_answers_define():
    assert names_to_define(assignment()) == {
        "causal-mask": ("causal_mask",),
        "padding-mask": ("padding_mask",),
        "attention": ("attention",),
    }


def test_an_unknown_set_is_answered_with_those_there_are():
    with pytest.raises(AssignmentError, match=f'no problem set "ps9" in .*{PS4}'):
        load_assignment("ps9", ROOT / "solutions", ROOT / "exercises")


def test_a_folder_without_sets_says_so(tmp_path):
    assert assignment_names(tmp_path) == []
    with pytest.raises(AssignmentError, match="there are: none"):
        load_assignment(PS4, tmp_path / "nowhere", tmp_path)


@pytest.fixture
def course(tmp_path):
    for folder in ("solutions", "exercises"):
        shutil.copytree(ROOT / folder / PS4, tmp_path / folder / PS4)
    return tmp_path


def edit(course, folder, change):
    path = course / folder / PS4 / f"{PS4}.ipynb"
    notebook = json.loads(path.read_text())
    change(notebook["cells"])
    path.write_text(json.dumps(notebook))


@pytest.mark.parametrize(
    ("folder", "change", "message"),
    [
        ("exercises", lambda cells: cells.pop(), "generate it anew"),
        ("exercises", lambda cells: cells[3].update(cell_type="code"), "generate it anew"),
        ("solutions", lambda cells: cells[3].update(metadata={}), "cell 4 needs"),
        ("solutions", lambda cells: cells.append(cells[3]), "stands 2 times"),
        ("solutions", lambda cells: cells[6]["metadata"]["nbgrader"].update(points=None),
         "has no points"),
    ],
)  # fmt: skip
def test_a_set_that_is_not_as_it_has_to_be_is_named(course, folder, change, message):
    edit(course, folder, change)
    with pytest.raises(AssignmentError, match=message):
        load_assignment(PS4, course / "solutions", course / "exercises")


def test_files_that_cannot_be_read_are_named(course):
    released = course / "exercises" / PS4 / f"{PS4}.ipynb"
    released.write_bytes(b"{")
    with pytest.raises(AssignmentError, match="cannot be used: The file ends in the middle"):
        load_assignment(PS4, course / "solutions", course / "exercises")
    released.unlink()
    with pytest.raises(AssignmentError, match="cannot be read: No such file"):
        load_assignment(PS4, course / "solutions", course / "exercises")


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(): g = 1\nclass A: b = 2\nasync def h(): pass", ("f", "A", "h")),
        ("a, (b, *c) = d[0] = e.f = 1\ng: int = 2\nh: int", ("a", "b", "c", "g")),
        ("if x:\n    def f(): pass\nelse:\n    f = 1\ntry:\n    a = 1\nexcept E:\n    b = 1",
         ("f", "a", "b")),
        ("for i in x:\n    with y:\n        def f(): pass", ("f",)),
        ("from scipy.special import softmax\nimport numpy as np", ()),
        ("%%time\n%matplotlib inline\n!pip install x\ndef f(): pass", ("f",)),
        ("def softmax(x:\n    broken\nclass B(\nasync  def g()\na = (\nb == c",
         ("softmax", "B", "g", "a")),
        (r'"\d"', ()),
        ("\0def f(): pass", ()),
        ("", ()),
    ],
)  # fmt: skip
def test_what_a_source_defines(source, names):
    assert defined_names(source) == names


@pytest.mark.parametrize("bomb", ["(" * 90_000, "-" * 90_000, "f(" * 30_000, "1+" * 90_000 + "1"])
def test_no_source_is_too_deep(bomb):
    assert defined_names(bomb) == ()
    parsed(bomb)
