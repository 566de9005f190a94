"""The problem sets: generated, solvable, not solved, and graded by stock nbgrader."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbgrader.api import Gradebook
from tests.notebooks import EXERCISES, ROOT, SOLUTIONS, code_cells, name, read, secret_lines

every_solution = pytest.mark.parametrize("path", SOLUTIONS, ids=name)
every_exercise = pytest.mark.parametrize("path", EXERCISES, ids=name)


def run(notebook, folder):
    """Run all cells in an empty folder, past errors, and return them by id."""
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=120, allow_errors=True, resources=resources).execute()
    return {cell.id: cell for cell in code_cells(notebook)}


def error_of(cell):
    """Return the type of what a cell raised, or None."""
    raised = [output.ename for output in cell.outputs if output.output_type == "error"]
    return raised[0] if raised else None


def test_committed_exercises_are_what_the_solutions_generate(tmp_path):
    subprocess.run([sys.executable, "book/exercises.py", tmp_path], cwd=ROOT, check=True)
    generated = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*.ipynb")}
    committed = {p.relative_to(ROOT / "exercises"): p.read_bytes() for p in EXERCISES}
    assert generated == committed, "run `make exercises` and commit the result"


@every_solution
def test_a_solution_passes_every_cell_without_a_word_on_stderr(path, tmp_path):
    for cell in run(read(path), tmp_path).values():
        assert error_of(cell) is None, cell.id
        assert not [o for o in cell.outputs if o.get("name") == "stderr"], cell.id


@every_exercise
def test_an_exercise_fails_its_checks_before_it_is_solved(path, tmp_path):
    cells = run(read(path), tmp_path)
    checks = [cell for cell in cells.values() if cell.id.endswith("-check")]
    assert checks
    for cell in checks:
        assert error_of(cell) == "AssertionError", cell.id


@every_exercise
def test_an_exercise_shows_no_answer_and_no_hidden_test(path):
    solution = read(ROOT / "solutions" / path.relative_to(ROOT / "exercises"))
    shown = {line.strip() for cell in read(path).cells for line in cell.source.splitlines()}
    assert secret_lines(solution)
    assert shown & secret_lines(solution) == set()


@every_solution
def test_graded_cells_keep_a_first_line_with_promise_and_points(path):
    for cell in code_cells(read(path)):
        grading = cell.metadata.get("nbgrader", {})
        if grading.get("grade"):
            first = cell.source.splitlines()[0]
            points = f"{grading.points} point{'s' * (grading.points != 1)}"
            assert first.startswith(f"# Graded ({points}): "), cell.id


# Our configuration with nbgrader's own preprocessors: without a sandbox or a judge.
STOCK = """
from nbgrader.converters.autograde import Autograde

c.Autograde.sanitize_preprocessors = Autograde.sanitize_preprocessors.default()
c.Autograde.autograde_preprocessors = Autograde.autograde_preprocessors.default()
"""


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """Grade every set, solved and unsolved, with nbgrader alone."""
    course = tmp_path_factory.mktemp("course")
    ours = (ROOT / "nbgrader_config.py").read_text()
    (course / "nbgrader_config.py").write_text(ours + STOCK)
    shutil.copytree(ROOT / "solutions", course / "solutions")
    for solution in SOLUTIONS:
        ps = solution.stem
        nbgrader("generate_assignment", ps, cwd=course)
        for student, folder in (("solved", "solutions"), ("unsolved", "exercises")):
            submission = course / "submitted" / student / ps
            submission.mkdir(parents=True)
            shutil.copy(ROOT / folder / ps / f"{ps}.ipynb", submission)
        nbgrader("autograde", ps, cwd=course)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        yield book


def nbgrader(*arguments, cwd, status=0):
    """Run a command of nbgrader's in a course."""
    command = [sys.executable, "-m", "nbgrader", *arguments]
    # nbgrader starts alembic by name, to make its database.
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == status, done.stderr[-3000:]


@every_solution
def test_stock_nbgrader_gives_the_solution_all_points_and_the_unsolved_none(path, gradebook):
    scores = {
        student: {grade.name: (grade.auto_score, grade.max_score) for grade in notebook.grades}
        for student in ("solved", "unsolved")
        for notebook in gradebook.find_submission(path.stem, student).notebooks
    }
    automatic = {
        cell.id: cell.metadata.nbgrader.points
        for cell in code_cells(read(path))
        if cell.metadata.get("nbgrader", {}).get("grade")
    }
    assert automatic
    for cell_id, points in automatic.items():
        assert scores["solved"][cell_id] == (points, points)
        assert scores["unsolved"][cell_id] == (0, points)
