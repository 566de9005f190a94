"""Grades one notebook after another in one process: parse, rebuild, run, judge."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path

from autograder.assignment import AssignmentError, assignment_names, load_assignment
from autograder.errors import GradingError
from autograder.judge import Judge, Judgement
from autograder.model import Assignment, Rebuilt, Submission, TestResult, Verdict
from autograder.notebooks import read_notebook
from autograder.rebuild import rebuild
from autograder.refused import Refused
from autograder.sandbox import SandboxError
from autograder.sandboxes import Plan, Sandboxes


@dataclass(frozen=True)
class Settings:
    """How notebooks of one set are graded; plain data, which can cross to other processes.

    Attributes:
        assignment: the set's name.
        source: the folder of instructors' notebooks.
        release: the folder of what students got.
        sandboxes: where they run.
    """

    assignment: str
    source: Path
    release: Path
    sandboxes: Plan = field(default_factory=Plan)

    def load(self) -> Assignment:
        """Return the assignment.

        Raises:
            AssignmentError: there is none, or it cannot be used.
        """
        return load_assignment(self.assignment, self.source, self.release)

    def load_others(self) -> tuple[Assignment, ...]:
        """Return the course's other sets, to recognise a notebook that is one of theirs."""
        found = []
        for name in assignment_names(self.source):
            # One that cannot be used is none of this set's business.
            with contextlib.suppress(AssignmentError):
                if name != self.assignment:
                    found.append(load_assignment(name, self.source, self.release))
        return tuple(found)

    def notebooks(self) -> list[Path]:
        """Return the files that the sets are read from: a verdict depends on them."""
        folders = (self.source, self.release)
        return [
            path
            for name in assignment_names(self.source)
            for folder in folders
            if (path := folder / name / f"{name}.ipynb").is_file()
        ]


class NotSolved(GradingError):
    """The set's own model answers do not pass: nobody can be graded so."""


class Grader:
    """Sandboxes and a judge, ready for notebooks of one set.

    Args:
        settings: which set, and how.

    Raises:
        SandboxError: the sandbox did not start.
    """

    def __init__(self, settings: Settings):
        self.assignment, self._others = settings.load(), settings.load_others()
        self._judge = Judge(self.assignment)
        self._sandbox_for = Sandboxes(settings.sandboxes)

    def check_model_answers(self) -> None:
        """Grade the set's own answers, which must pass: else nobody can.

        Raises:
            NotSolved: a test fails; a broken test, say, or a secret that is not there.
            SandboxError: the sandbox failed.
        """
        failed = []
        with self._judge.telling() as errors:
            tests = self._judged(rebuild(self.assignment, self.assignment.cells)).tests
        for test in tests:
            if test.score is not None and test.score < test.points:
                failed.append(f"{test.test_id}: {errors.get(test.test_id) or test.hint}")
        if failed:
            raise NotSolved(
                f"the model answers of {self.assignment.name} fail its own tests, so nobody "
                "can be graded:\n" + "\n".join(failed)
            )

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the sandboxes."""
        self._sandbox_for.close()

    def grade(self, submission: Submission) -> Verdict:
        """Return the verdict on one submission. What is wrong with it is never an error."""
        try:
            return self._grade(submission)
        except Refused as refused:
            return self._nothing(submission, "refused", refused.reason)
        except SandboxError as error:
            return self._nothing(submission, "infrastructure", str(error))

    def _grade(self, submission: Submission) -> Verdict:
        if submission.content is None:
            raise Refused(submission.refused)
        notebook = read_notebook(submission.content)
        rebuilt = rebuild(self.assignment, notebook.cells, self._others)
        judgement = self._judged(rebuilt)
        return Verdict(
            submission.student_id,
            self.assignment.name,
            "graded",
            tests=judgement.tests,
            outputs=judgement.outputs,
            steps=rebuilt.steps,
            flags=judgement.flags,
            mended=notebook.flags + rebuilt.flags,
        )

    def _judged(self, rebuilt: Rebuilt) -> Judgement:
        return self._judge.judge(rebuilt, self._sandbox_for(step.source for step in rebuilt.own))

    def _nothing(self, submission: Submission, status, reason: str) -> Verdict:
        score = 0.0 if status == "refused" else None
        tests = tuple(
            TestResult(cell.grade_id, cell.points, score, "ungraded")
            for cell in self.assignment.cells
            if cell.role in ("test", "written")
        )
        return Verdict(submission.student_id, self.assignment.name, status, reason, tests)
