"""What ``nbgrader autograde`` runs in place of its own: our judge, outside the notebook.

nbgrader executes a notebook and reads grades from its outputs, so whatever a student's
code does to the notebook's process it does to the grade. With these two preprocessors,
named in ``nbgrader_config.py``, the cells run in the sandbox and the grades come from the
judge; the gradebook, the folders and all other commands stay nbgrader's.
"""

from __future__ import annotations

import atexit
from dataclasses import replace
from functools import cache
from pathlib import Path

import nbformat
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades

from autograder.gradebook.notebooks import AutogradedNotebooks
from autograder.grader import Grader, Settings
from autograder.model import Submission
from autograder.sandboxes import Plan


class JudgeOutside(NbGraderPreprocessor):
    """Rebuilds a notebook, runs it in the sandbox, and judges it outside."""

    def preprocess(self, nb, resources):
        """Return the graded notebook, and its verdict among the resources."""
        names = resources["nbgrader"]
        course = self.parent.parent.coursedir
        grader = _grader(
            names["assignment"],
            Path(course.root, course.source_directory),
            Path(course.root, course.release_directory),
        )
        content = nbformat.writes(nb).encode("utf-8", "replace")
        verdict = grader.grade(Submission(names["student"], names["notebook"], content))
        if verdict.status == "infrastructure":
            raise NbGraderException(f"{names['student']} was not graded: {verdict.reason}")
        if verdict.reason:
            self.log.warning("%s: %s", names["student"], verdict.reason)
        resources["autograder"] = verdict
        graded = AutogradedNotebooks(grader.assignment).notebook(verdict)
        return nbformat.reads(graded.decode(), as_version=4), resources


class SaveVerdict(SaveAutoGrades):
    """Saves the judge's grades, where nbgrader would read them from a cell's outputs."""

    def preprocess(self, nb, resources):
        """Save the grades of a notebook that ``JudgeOutside`` has judged."""
        self._scores = {test.test_id: test.score for test in resources["autograder"].tests}
        return super().preprocess(nb, resources)

    def _add_score(self, cell, resources) -> None:
        grade = self.gradebook.find_grade(
            cell.metadata.nbgrader.grade_id, self.notebook_id, self.assignment_id, self.student_id
        )
        grade.auto_score = self._scores[cell.metadata.nbgrader.grade_id]
        grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
        self.gradebook.db.commit()


@cache
def _grader(assignment: str, source: Path, release: Path) -> Grader:
    """Return the grader of a set, warm for all submissions of this run."""
    settings = Settings(assignment, source, release)
    grader = Grader(replace(settings, sandboxes=Plan().loading(settings.load())))
    atexit.register(grader.close)
    grader.check_model_answers()
    return grader
