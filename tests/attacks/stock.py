"""Grades attacks with nbgrader alone, in a course of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from nbgrader.api import Gradebook
from tests.attacks.entry import Attack, write_source
from tests.notebooks import ROOT
from tests.test_exercises import STOCK, nbgrader


class StockCourse:
    """A course in which nbgrader grades one problem set by itself.

    Args:
        folder: an empty one.
        name: the problem set.
    """

    def __init__(self, folder: Path, name: str):
        self.folder, self.name = folder, name
        ours = (ROOT / "nbgrader_config.py").read_text()
        (folder / "nbgrader_config.py").write_text(ours + STOCK)
        write_source(folder / "solutions", name)
        nbgrader("generate_assignment", name, cwd=folder)

    def hand_in(self, attacks: Iterable[tuple[str, Attack]]) -> None:
        """Lay out submissions, by the student's name."""
        for student, attack in attacks:
            path = self.folder / "submitted" / student / self.name / f"{self.name}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_bytes(attack.content())

    def autograde(self) -> int:
        """Grade what was handed in, and return how nbgrader ended."""
        command = [sys.executable, "-m", "nbgrader", "autograde", self.name]
        scripts = str(Path(sys.executable).parent)
        environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
        # In a session of its own: what kills its parent, and that one's, kills nobody else.
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, start_new_session=True
        )
        return done.returncode

    def scores(self) -> dict[str, dict[str, float]]:
        """Return the points of each student's tests."""
        with Gradebook(f"sqlite:///{self.folder}/gradebook.db") as book:
            return {
                submission.student.id: {
                    grade.name: grade.score
                    for notebook in submission.notebooks
                    for grade in notebook.grades
                    if grade.cell_type == "code"
                }
                for submission in book.assignment_submissions(self.name)
            }

    def said(self, student: str) -> str:
        """Return what nbgrader's feedback would show of a student's outputs."""
        path = self.folder / "autograded" / student / self.name / f"{self.name}.ipynb"
        cells: Sequence[dict] = json.loads(path.read_text())["cells"] if path.exists() else []
        return json.dumps([cell.get("outputs") for cell in cells])
