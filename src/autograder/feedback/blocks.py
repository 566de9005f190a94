"""The notebook as the student wrote it, and where its tests stand.

No source of a test comes into a page. What is shown is bounded, whatever was printed:
code, output and pictures each have a budget, spent from the top of the notebook on.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from autograder.feedback.code import code
from autograder.feedback.prose import answer, as_typed, question
from autograder.feedback.results import Result, heading
from autograder.feedback.text import fitted, printed, visible, with_code
from autograder.model import Assignment, CellOutput, Step, Verdict

# Characters of HTML; a page stays under two million.
CODE_IN_ALL, CODE = 600_000, 120_000
OUTPUT_IN_ALL, OUTPUT = 400_000, 60_000
PICTURES_IN_ALL = 700_000
# Characters of the student's that are set as code or as Markdown, which takes time.
SET_IN_ALL = 40_000
AROUND_A_BLOCK = 500
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
MOST_PIXELS = 16_000_000
NOTHING = Markup()


@dataclass(frozen=True)
class Block:
    """One part of the notebook, as the template shows it.

    Attributes:
        kind: "question", "code", "prose", "result", or "end" where the rest is left out.
        label: what it is; of a question its heading.
        body: the text or code.
        output: what was printed.
        pictures: as addresses that hold their data.
        notes: what is to be said of the output.
        result: of a test.
    """

    kind: str
    label: str | Markup = ""
    body: Markup = NOTHING
    output: Markup = NOTHING
    pictures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    result: Result | None = None


class _Budget:
    """So many characters of HTML, and no more."""

    def __init__(self, characters: int):
        self._left = characters

    def spend(self, characters: int) -> bool:
        """Take that many characters, if there are as many."""
        enough = characters <= self._left
        self._left -= characters if enough else 0
        return enough


def blocks(verdict: Verdict, assignment: Assignment, results: list[Result]) -> Iterator[Block]:
    """Yield the notebook's parts in order."""
    by_id = {result.test_id: result for result in results}
    blank = assignment.blank_answers(verdict.steps)
    sources, texts, pictures = map(_Budget, (CODE_IN_ALL, OUTPUT_IN_ALL, PICTURES_IN_ALL))
    setting = _Budget(SET_IN_ALL)
    is_whole = True
    for step in verdict.steps:
        if step.kind in ("answer", "written", "added"):
            block = _own(step, step.cell_id in blank, setting)
            if sources.spend(len(block.body) + AROUND_A_BLOCK):
                yield _with_output(block, verdict.outputs.get(step.cell_id), texts, pictures)
            else:
                is_whole = False
        elif step.kind == "locked":
            yield from _given(step, verdict.outputs.get(step.cell_id), texts, pictures)
        if step.cell_id in by_id and step.kind in ("test", "written"):
            yield Block("result", result=by_id[step.cell_id])
    if not is_whole:
        yield Block("end")


def _own(step: Step, is_blank: bool, setting: _Budget) -> Block:
    label = "A cell of your own" if step.kind == "added" else "Your answer"
    if is_blank:
        label = "Your answer: as it was given, nothing is filled in"
    if setting.spend(len(step.source)):
        render = code if step.is_code else answer
    else:
        render = visible if step.is_code else as_typed
    return Block("code" if step.is_code else "prose", label, fitted(step.source, render, CODE))


def _given(
    step: Step, output: CellOutput | None, texts: _Budget, pictures: _Budget
) -> Iterator[Block]:
    """Yield a question, or what a cell of the course's printed when it ran."""
    if step.is_code:
        if output not in (None, CellOutput()):
            block = Block("code", "A cell of the course: what it said")
            yield _with_output(block, output, texts, pictures)
        return
    level, title, rest = heading(step.source)
    if level != 1:  # that is the page's title, and how problem sets work
        yield Block("question", with_code(title), question(rest))


def _with_output(
    block: Block, output: CellOutput | None, texts: _Budget, pictures: _Budget
) -> Block:
    if output is None:
        return block
    notes = []
    if output.error:
        notes.append(f"This cell ended with {output.error}.")
    html = fitted(printed(output.text).strip("\n"), visible, OUTPUT)
    if output.text and not texts.spend(len(html)):
        html = NOTHING
        notes.append("What it printed is left out: this page holds no more.")
    if output.cut:
        notes.append("It printed more than is kept.")
    shown, left_out = [], 0
    for image in output.images:
        address = f"data:image/png;base64,{base64.b64encode(image).decode()}"
        if _is_picture(image) and pictures.spend(len(address)):
            shown.append(address)
        else:
            left_out += 1
    if left_out:
        notes.append(f"Pictures left out because this page holds no more: {left_out}.")
    return Block(block.kind, block.label, block.body, html, tuple(shown), tuple(notes))


def _is_picture(image: bytes) -> bool:
    """Return whether these bytes begin as a PNG of a size that a browser can show."""
    if not image.startswith(PNG) or len(image) < len(PNG) + 8:
        return False
    width, height = struct.unpack_from(">II", image, len(PNG))
    return 0 < width * height <= MOST_PIXELS
