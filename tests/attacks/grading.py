"""Grades attacks with our grader, and in the ways that they are shown to be alive."""

from __future__ import annotations

from dataclasses import dataclass

from tests.attacks.entry import MINI, PS1, Attack, assignment

from autograder.feedback import feedback_page
from autograder.grader import Grader
from autograder.judge import Judge
from autograder.limits import MIB, Limits
from autograder.model import Submission, Verdict
from autograder.notebooks import read_notebook
from autograder.rebuild import rebuild
from autograder.sandbox import Sandbox, Stopped
from autograder.sandboxes import COURSE

# Short enough for tests, long enough for a busy machine.
SHORT = Limits(
    memory=1024 * MIB, call_cpu=2.0, call_wall=5.0, total_cpu=30.0, total_wall=60.0, disk=40 * MIB
)
LOADED = ["numpy", "torch", "scipy.special", "tutor.checks", "matplotlib.pyplot"]


class SharedGrader(Grader):
    """A grader of one set in a sandbox that several share."""

    def __init__(self, name: str, sandbox: Sandbox):
        self.assignment, self._sandbox_for = assignment(name), lambda sources: sandbox
        self._others = tuple(assignment(other) for other in (MINI, PS1) if other != name)
        self._judge = Judge(self.assignment)


@dataclass(frozen=True)
class Graded:
    """A verdict, and the page that the student reads."""

    verdict: Verdict
    page: str

    @property
    def scores(self) -> dict[str, float]:
        """Points by test, those given by hand left out."""
        tests = self.verdict.tests
        return {test.test_id: test.score for test in tests if test.score is not None}


class Graders:
    """Graders of both sets, and what they said of each attack, graded once.

    Attributes:
        sandbox: what they share.
    """

    def __init__(self):
        self.sandbox = Sandbox(SHORT, LOADED, list(COURSE))
        self._graders = {name: SharedGrader(name, self.sandbox) for name in (MINI, PS1)}
        self._graded: dict[bytes, Graded] = {}

    def grade(self, attack: Attack) -> Graded:
        """Grade an attack, once."""
        content = attack.content()
        if content not in self._graded:
            verdict = self._graders[attack.on].grade(Submission(attack.id, "x.ipynb", content))
            page = feedback_page(verdict, assignment(attack.on))
            self._graded[content] = Graded(verdict, page)
        return self._graded[content]

    def inside(self, attack: Attack) -> tuple[dict[str, float], str]:
        """Run tests as cells of the student's process: what they gain there, and see.

        Returns:
            Points by test, and all that was put out. Where the process ends, all is lost.
        """
        steps = rebuild(assignment(attack.on), read_notebook(attack.content()).cells).steps
        scores = {step.cell_id: 0.0 for step in steps if step.kind == "test"}
        said = ""
        try:
            with self.sandbox.guest(self.sandbox.new_budget()) as guest:
                for step in steps:
                    if not step.is_code:
                        continue
                    output = guest.run_cell(step.source)
                    said += output.text
                    if step.kind == "test" and not output.error:
                        scores[step.cell_id] = step.points
        except Stopped:
            return dict.fromkeys(scores, 0.0), said
        return scores, said
