"""Grade with nbgrader's own commands, as an instructor without our grader would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from nbgrader.api import Gradebook
from tests.notebooks import ROOT


def grade(course: Path, name: str, submissions: dict[str, str]) -> dict[str, dict[str, tuple]]:
    """Grade one problem set.

    Args:
        course: a folder of its own.
        name: the problem set's.
        submissions: the text of each student's notebook.

    Returns:
        By student and by graded cell: the points and the most there are to have.
    """
    shutil.copy(ROOT / "nbgrader_config.py", course)
    shutil.copytree(ROOT / "solutions" / name, course / "solutions" / name)
    for student, text in submissions.items():
        folder = course / "submitted" / student / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
    _nbgrader("generate_assignment", name, cwd=course)
    _nbgrader("autograde", name, cwd=course)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        return {
            student: {
                graded.name: (graded.auto_score, graded.max_score)
                for notebook in book.find_submission(name, student).notebooks
                for graded in notebook.grades
            }
            for student in submissions
        }


def _nbgrader(*arguments: str, cwd: Path) -> None:
    command = [sys.executable, "-m", "nbgrader", *arguments]
    # nbgrader starts alembic by name, to make its database.
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
