"""Plain Markdown into the book's blocks; the edge of a block says what to do with it.

Notebooks must read well in Colab and JupyterLab too, so they hold plain Markdown, and
what a block is follows from how it begins:

- a paragraph in bold that starts with "After this", then a list: the goals;
- a quotation that starts in bold: a mistake to avoid, or something to keep;
- a numbered list with display mathematics in every item: a derivation;
- ``<details>``: a question to the tutor, or a fold.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

_MISTAKES = ("Common mistake", "Not this")
_DETAILS = re.compile(r"<details(?P<rest>[^>]*)>\s*<summary>(?P<summary>.*?)</summary>", re.DOTALL)
_TUTOR = "Ask the tutor:"


def inline(paragraph: nodes.paragraph) -> list[nodes.Node]:
    """Return what is in a paragraph, without the empty text that Markdown puts before bold."""
    return [child for child in paragraph if not isinstance(child, nodes.Text) or child.astext()]


def wrap(node: nodes.Element, name: str) -> nodes.container:
    """Put a container of this class around a node, where the node is."""
    block = nodes.container(classes=[name])
    node.parent.replace(node, block)
    block += node
    return block


def setup(app: Sphinx) -> None:
    """Register one transform per kind of block."""
    for transform in (Goals, Quotations, Derivations, Folds):
        app.add_transform(transform)


class Goals(SphinxTransform):
    """Put what a lesson is for between hairlines, with a list's own label."""

    default_priority = 500

    def apply(self) -> None:
        """Wrap each label and the list after it."""
        for paragraph in list(self.document.findall(_is_goals_label)):
            goals = paragraph.next_node(descend=False, siblings=True)
            if isinstance(goals, nodes.bullet_list):
                paragraph["classes"].append("label")
                goals.parent.remove(goals)
                wrap(paragraph, "goals").append(goals)


def _is_goals_label(node: nodes.Node) -> bool:
    if not isinstance(node, nodes.paragraph) or not node.astext().startswith("After this"):
        return False
    return [type(child) for child in inline(node)] == [nodes.strong]


class Quotations(SphinxTransform):
    """Give a quotation that starts in bold a title and its edge."""

    default_priority = 500

    def apply(self) -> None:
        """Split off the title and name the kind."""
        for quotation in self.document.findall(nodes.block_quote):
            opening = quotation[0] if len(quotation) else None
            if isinstance(opening, nodes.paragraph):
                opening[:] = inline(opening)
                if isinstance(opening[0], nodes.strong):
                    quotation["classes"].append(_kind(opening[0].astext()))
                    _split_title(quotation, opening)


def _kind(title: str) -> str:
    return "mistake" if title.startswith(_MISTAKES) else "keep"


def _split_title(quotation: nodes.block_quote, opening: nodes.paragraph) -> None:
    title = nodes.paragraph("", "", *opening[0].children, classes=["label"])
    _strip_end(title)
    del opening[0]
    quotation.insert(0, title)
    if opening.astext().strip():
        _strip_start(opening)
    else:
        quotation.remove(opening)


def _strip_end(title: nodes.paragraph) -> None:
    """A title on a line of its own needs no full stop or colon."""
    last = title[-1]
    if isinstance(last, nodes.Text):
        title[-1] = nodes.Text(last.astext().rstrip(".: "))


def _strip_start(paragraph: nodes.paragraph) -> None:
    """Drop the space or dash that stood between title and text."""
    first = paragraph[0]
    if isinstance(first, nodes.Text):
        paragraph[0] = nodes.Text(first.astext().lstrip(" \n:."))


class Derivations(SphinxTransform):
    """Set a derivation's reasons left and its algebra right."""

    default_priority = 500

    def apply(self) -> None:
        """Regroup each numbered list whose items all hold display mathematics."""
        for steps in self.document.findall(nodes.enumerated_list):
            if all(next(step.findall(nodes.math_block), None) for step in steps):
                steps["classes"].append("derivation")
                for step in steps:
                    _regroup(step)


def _regroup(step: nodes.list_item) -> None:
    algebra = nodes.container(classes=["algebra"])
    for block in list(step.findall(nodes.math_block)):
        block.parent.remove(block)
        algebra += block
    reason = nodes.container("", *step.children, classes=["reason"])
    step[:] = [reason, algebra]


class Folds(SphinxTransform):
    """Give ``<details>`` its class, and a question to the tutor its label."""

    default_priority = 500

    def apply(self) -> None:
        """Rewrite the opening tags: Markdown gives them as raw HTML of their own."""
        for raw in self.document.findall(nodes.raw):
            if "html" in raw["format"] and "<details" in raw.rawsource + raw.astext():
                html = _DETAILS.sub(_opening, raw.astext())
                raw[:] = [nodes.Text(html)]


def _opening(match: re.Match[str]) -> str:
    summary = match["summary"].strip()
    if not summary.startswith(_TUTOR):
        return f'<details class="fold"{match["rest"]}><summary>{summary}</summary>'
    question = summary.removeprefix(_TUTOR).strip()
    label = f'<span class="asks">{_TUTOR.rstrip(":")}</span>'
    return f'<details class="tutor"{match["rest"]}><summary>{label} {question}</summary>'
