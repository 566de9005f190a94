"""The student edition in an environment like Colab's, from the setup cell to the grade.

COLAB_NOTEBOOKS=all runs every notebook, otherwise a few stand for all.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
import pytest
from tests.colab import environment, kernels
from tests.colab.saving import as_colab_saves
from tests.notebooks import EXERCISES, LESSONS, ROOT, code_cells, name, read

import sdpa

CHOSEN = ("01_soft_lookup", "04_masking", "ps1_soft_lookup")
EVERY = os.environ.get("COLAB_NOTEBOOKS") == "all"
CASES = [path for path in LESSONS + EXERCISES if EVERY or path.stem in CHOSEN]

every_notebook = pytest.mark.parametrize("path", CASES, ids=name)
every_exercise = pytest.mark.parametrize(
    "path", [path for path in CASES if path in EXERCISES], ids=name
)

READY = f"Attention, derived {sdpa.__version__} is ready.\n"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# What the course brings; all else must stay as Colab has it.
BROUGHT = {"attention-derived", "jaxtyping", "latex2mathml", "wadler-lindig"}


@dataclass(frozen=True)
class Run:
    """A notebook that was run, and the versions before and after."""

    notebook: nbformat.NotebookNode
    before: dict[str, str]
    after: dict[str, str]


@pytest.fixture(scope="module")
def opened(edition, repository, tmp_path_factory):
    """Return a function that runs a notebook of the edition, once, its setup cell twice.

    The notebook lies alone in its folder; an exercise is solved.
    """

    @cache
    def run(path: Path) -> Run:
        work = tmp_path_factory.mktemp(path.stem)
        folder = work / "content"
        folder.mkdir()
        notebook = nbformat.read(edition / path.relative_to(ROOT), as_version=4)
        if path in EXERCISES:
            solve(notebook, path.stem)
        setup = notebook.cells[1].source
        notebook.cells.append(nbformat.v4.new_code_cell(setup, id="setup-again"))
        nbformat.write(notebook, folder / path.name)
        python = environment.fresh(work / "environment")
        before = environment.versions(python)
        kernels.run(notebook, folder, python, mirror=edition, of=repository)
        print(f"{path.stem}: the setup cell took {kernels.seconds(notebook.cells[1]):.1f} s")
        return Run(notebook, before, environment.versions(python))

    return run


def solve(notebook: nbformat.NotebookNode, problem_set: str) -> None:
    """Put the model answers into an exercise."""
    solution = read(ROOT / "solutions" / problem_set / f"{problem_set}.ipynb")
    answers = {cell.id: cell.source for cell in solution.cells}
    for cell in notebook.cells:
        if cell.metadata.nbgrader.solution:
            cell.source = answers[cell.id]


@every_notebook
def test_setup_prints_one_line_the_first_time_and_the_second(opened, path):
    setups = [cell for cell in opened(path).notebook.cells if cell.id in ("setup", "setup-again")]
    assert len(setups) == 2
    for setup in setups:
        assert {output.name for output in setup.outputs} == {"stdout"}
        assert "".join(output.text for output in setup.outputs) == READY


@every_notebook
def test_setup_leaves_what_colab_has_as_it_is(opened, path):
    before, after = opened(path).before, opened(path).after
    assert {"numpy", "torch", "matplotlib", "ipywidgets", "anywidget"} <= before.keys()
    assert before["numpy"].startswith("2.1.") and before["ipywidgets"] == "7.7.1"
    assert {package: after[package] for package in before} == before
    assert {package.replace("_", "-") for package in after.keys() - before.keys()} <= BROUGHT
    assert after["attention-derived"] == sdpa.__version__


@every_notebook
def test_every_cell_runs_and_the_interactives_have_their_manager(opened, path):
    notebook = opened(path).notebook
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    views = [output for cell in code_cells(notebook) for output in cell.outputs
             if WIDGET_VIEW in output.get("data", {})]  # fmt: skip
    assert bool(views) == (path in LESSONS)
    for view in views:
        assert view.metadata[WIDGET_VIEW].colab.custom_widget_manager.url


@every_exercise
def test_a_solved_exercise_gets_full_marks_as_colab_saves_it(opened, path, tmp_path):
    notebook, name = opened(path).notebook, path.stem
    for minor in (0, 5):
        file = tmp_path / "submitted" / f"format-4-{minor}" / name / path.name
        file.parent.mkdir(parents=True)
        file.write_text(as_colab_saves(notebook, minor))
    folders = ["--submissions", f"{tmp_path}/submitted", "--out", f"{tmp_path}/graded"]
    grade = [sys.executable, "-m", "autograder", "grade", name, *folders, "--course", str(ROOT)]
    done = subprocess.run(grade, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    results = map(json.loads, (tmp_path / "graded" / "results.jsonl").read_text().splitlines())
    outcomes = {(one["student_id"], one["test_id"]): one["outcome"] for one in results}
    automatic = [c.id for c in code_cells(notebook) if c.metadata.get("nbgrader", {}).get("grade")]
    assert automatic
    for student in ("format-4-0", "format-4-5"):
        assert {test: outcomes[student, test] for test in automatic} == dict.fromkeys(
            automatic, "passed"
        )


def test_outside_colab_the_setup_cell_says_what_to_install(edition, repository, tmp_path):
    python = environment.fresh(tmp_path / "environment")
    setup = nbformat.read(edition / LESSONS[0].relative_to(ROOT), 4).cells[1].source
    done = subprocess.run([python, "-I", "-c", setup], capture_output=True, text=True)
    message = f'The course is missing. Run: pip install "{repository.requirement}"'
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {message}"


def test_a_failed_installation_shows_what_pip_said(edition, repository, tmp_path):
    folder = tmp_path / "content"
    folder.mkdir()
    notebook = nbformat.read(edition / LESSONS[0].relative_to(ROOT), as_version=4)
    notebook.cells = notebook.cells[1:2]
    python = environment.fresh(tmp_path / "environment")
    with pytest.raises(Exception, match="pip failed:") as failed:
        kernels.run(notebook, folder, python, mirror=tmp_path / "gone", of=repository)
    assert f"fatal: '{tmp_path}/gone'" in str(failed.value)
