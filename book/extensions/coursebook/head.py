"""The head of a lesson, below its title: kicker, dek and the place in the formula.

The dek is the paragraph after the title if it is wholly emphasised; the kicker and
the strip that says where the page stands come from the page's "course" metadata.
"""

from __future__ import annotations

from html import escape

from docutils import nodes
from sphinx.application import Sphinx

from . import course, inks
from .blocks import inline

# Which marks stand before a stage's name in the strip.
_STAGE_MARKS = {"dot product": ["query", "key"], "blend": ["value"], "output": ["output"]}


def setup(app: Sphinx) -> None:
    """Write heads once Sphinx has collected the metadata (its priority is 500)."""
    app.connect("doctree-read", write_head, priority=600)


def write_head(app: Sphinx, doctree: nodes.document) -> None:
    """Mark the dek and put the kicker and the strip around it."""
    section = next(doctree.findall(nodes.section), None)
    if section is None:
        return
    dek = _dek(section)
    if dek:
        dek["classes"].append("dek")
    facts = course.facts(app.env, app.env.docname)
    kicker = _kicker(facts)
    after_title = 1 + section.index(next(section.findall(nodes.title)))
    if facts.stage:
        section.insert(after_title + bool(dek), _raw(_where(facts.stage)))
    if kicker:
        section.insert(after_title, _raw(kicker))


def _dek(section: nodes.section) -> nodes.paragraph | None:
    paragraph = section[1] if len(section) > 1 else None
    if not isinstance(paragraph, nodes.paragraph):
        return None
    content = inline(paragraph)
    if [type(child) for child in content] != [nodes.emphasis]:
        return None
    # Upright: the style sets it apart already.
    paragraph[:] = content[0].children
    return paragraph


def _kicker(facts: course.Facts) -> str:
    entries = [
        f"<span>{escape(facts.kicker)}</span>" if facts.kicker else "",
        inks.marks(facts.teaches, "teaches") if facts.teaches else "",
        f"<span>{facts.minutes} minutes</span>" if facts.minutes else "",
        f"<span>Needs {escape(facts.needs)}</span>" if facts.needs else "",
    ]
    entries = " ".join(filter(None, entries))
    return f'<p class="kicker">{entries}</p>' if entries else ""


def _where(current: str) -> str:
    stages = " ".join(_stage(stage, stage == current) for stage in course.STAGES)
    return f'<ol class="where" aria-label="Where this page is in the formula">{stages}</ol>'


def _stage(stage: str, is_current: bool) -> str:
    marks = "".join(
        f'<i class="mark i{inks.PARTS[part]}"></i>' for part in _STAGE_MARKS.get(stage, [])
    )
    attribute = ' aria-current="step"' if is_current else ""
    return f"<li{attribute}>{marks}<span>{stage}</span></li>"


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")
