"""``nbgrader autograde`` with our configuration: isolated, and a bad file stops nobody."""

import json
import shutil

import nbformat
import pytest
from nbgrader.api import Gradebook
from tests.notebooks import ROOT
from tests.test_exercises import nbgrader

SET = "ps1_soft_lookup"


def solved(change):
    """Return the solved set after a change to its cells."""
    notebook = nbformat.read(ROOT / "solutions" / SET / f"{SET}.ipynb", as_version=4)
    change(notebook.cells)
    return json.dumps(notebook)


def kill_the_parent(cells):
    cells.insert(1, nbformat.v4.new_code_cell("import os\nos.kill(os.getppid(), 9)"))


def copy_a_test(cells):
    cells.append(next(cell for cell in cells if cell.metadata.nbgrader.grade))


def replace_the_check(cells):
    for cell in cells:
        if cell.metadata.nbgrader.solution:
            cell.source = "import tutor.checks\ntutor.checks.check = lambda *a, **k: None"


STUDENTS = {
    "a killer": solved(kill_the_parent),
    "b copied": solved(copy_a_test),
    "c cheat": solved(replace_the_check),
    "d broken": "{",
    "e unsolved": (ROOT / "exercises" / SET / f"{SET}.ipynb").read_text(),
    "f solved": solved(lambda cells: None),
}


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    course = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    shutil.copytree(ROOT / "solutions" / SET, course / "solutions" / SET)
    nbgrader("generate_assignment", SET, cwd=course)
    for student, content in STUDENTS.items():
        folder = course / "submitted" / student / SET
        folder.mkdir(parents=True)
        (folder / f"{SET}.ipynb").write_text(content)
    # It says with 1 that one file could not be read, and goes on with the others.
    nbgrader("autograde", SET, cwd=course, status=1)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        yield {
            submission.student.id: submission.score
            for submission in book.assignment_submissions(SET)
        }


def test_honest_work_gets_its_points(scores):
    assert scores["f solved"] == scores["a killer"] == scores["b copied"] == 17
    assert scores["e unsolved"] == 0


def test_a_replaced_check_gains_nothing(scores):
    assert scores["c cheat"] == 0
