"""Submissions as nbgrader's formgrader opens them: the rebuilt notebook, with outcomes.

They are for whoever grades, and hold the hidden tests. What students wrote in Markdown is
disarmed, because formgrader shows it as a page of the Jupyter server: a script in it would
act with the grader's rights.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from autograder.gradebook.cells import source_cells
from autograder.model import Assignment, CellOutput, Step, TestResult, Verdict
from autograder.tables import number_text

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
# Where a tag, the target of a link or image, or MathJax's link begins.
ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(:])|\\(?=href)")


def work_digest(verdict: Verdict) -> str:
    """Return what tells one state of a student's work from another: what they wrote."""
    own = [
        (step.kind, step.cell_id, step.source)
        for step in verdict.steps
        if step.kind in ("answer", "written", "added")
    ]
    return hashlib.sha256(json.dumps(own).encode()).hexdigest()


def digest_in(path: Path) -> str:
    """Return the digest of the work in a notebook that was written before, "" without."""
    try:
        return json.loads(path.read_bytes())["metadata"]["autograder"]["work"]
    except (FileNotFoundError, KeyError, TypeError, ValueError):
        return ""


class AutogradedNotebooks:
    """Makes the notebooks of one assignment's submissions."""

    def __init__(self, assignment: Assignment):
        """Read what nbgrader knows of the assignment's cells, once."""
        self._metadata = {cell.name: cell.metadata for cell in source_cells(assignment)}
        self._given = tuple(
            Step("locked", cell.grade_id, cell.source, cell.kind == "code")
            for cell in assignment.released.values()
        )

    def notebook(self, verdict: Verdict) -> bytes:
        """Return a verdict as a notebook file; of a refused one what students were given."""
        tests = {test.test_id: test for test in verdict.tests}
        cells = [self._cell(step, verdict, tests) for step in verdict.steps or self._given]
        notebook = {
            "cells": [*_notes(verdict), *cells],
            "metadata": {
                "autograder": {"work": work_digest(verdict)},
                "kernelspec": KERNEL,
                "language_info": {"name": "python"},
            },
            "nbformat": 4,
            "nbformat_minor": 4,  # without cell ids: grade ids need not be valid ones
        }
        text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)
        return text.encode("utf-8", "replace")

    def _cell(self, step: Step, verdict: Verdict, tests: dict[str, TestResult]) -> dict[str, Any]:
        known = self._metadata.get(step.cell_id)
        metadata = {"nbgrader": known} if known else {}
        if not step.is_code:
            is_own = step.kind in ("written", "added")
            return _markdown(disarmed(step.source) if is_own else step.source, metadata)
        test = tests.get(step.cell_id)
        outputs = [_stream(_told(test))] if test else _outputs(verdict.outputs.get(step.cell_id))
        return {
            "cell_type": "code",
            "execution_count": None,
            "metadata": metadata,
            "outputs": outputs,
            "source": step.source,
        }


def disarmed(markdown: str) -> str:
    """Return Markdown in which no tag, link or image can begin: a space stands before it."""
    return ACTIVE.sub(lambda match: f"{match[0]} ", markdown)


def _notes(verdict: Verdict) -> list[dict[str, Any]]:
    """Return a cell on how the file came, where there is something to say."""
    lines = [f"- {disarmed(flag)}" for flag in (*verdict.mended, *verdict.flags)]
    if verdict.status == "refused":
        lines.insert(0, f"**Not graded.** {disarmed(verdict.reason)}\n")
    return [_markdown("\n".join(lines), {})] if lines else []


def _told(test: TestResult) -> str:
    score = "waits for a person" if test.score is None else number_text(test.score)
    lines = [f"{test.outcome}: {score} of {number_text(test.points)}", test.promise, test.hint]
    return "\n".join(filter(None, lines)) + "\n"


def _outputs(output: CellOutput | None) -> list[dict[str, Any]]:
    if output is None:
        return []
    text = output.text + ("\n[cut here]\n" if output.cut else "")
    pictures = [
        {
            "output_type": "display_data",
            "metadata": {},
            "data": {"image/png": base64.b64encode(image).decode()},
        }
        for image in output.images
    ]
    return [*([_stream(text)] if text else []), *pictures]


def _stream(text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def _markdown(source: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": metadata, "source": source}
