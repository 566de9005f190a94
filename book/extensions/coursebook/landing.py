"""The learning map of the landing page: the book's lessons and problem sets, in order.

It is made from _toc.yml and from what each page says about itself, so it shows what
there is: one lesson or many.
"""

from __future__ import annotations

from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from . import course, inks


class learning_map(nodes.General, nodes.Element):
    """Where the map goes; filled in when every page has been read."""


class LearningMap(SphinxDirective):
    """``{learning-map}``: no argument, no content."""

    def run(self) -> list[nodes.Node]:
        """Leave a place for the map."""
        return [learning_map()]


def setup(app: Sphinx) -> None:
    """Register the directive and what fills its place."""
    app.add_node(learning_map)
    app.add_directive("learning-map", LearningMap)
    app.connect("doctree-resolved", _fill)


def _fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for place in list(doctree.findall(learning_map)):
        place.replace_self(nodes.raw("", _map(app, docname), format="html"))


def _map(app: Sphinx, docname: str) -> str:
    stops = "".join(
        _stop(app, docname, page)
        for part in course.parts(app.env)
        for page in part.pages
        if course.facts(app.env, page).kicker
    )
    return f'<ol class="map">{stops}</ol>'


def _stop(app: Sphinx, docname: str, page: str) -> str:
    facts = course.facts(app.env, page)
    number = course.number(app.env, page)
    minutes = f"{facts.minutes} minutes" if facts.minutes else ""
    marks = inks.marks(facts.teaches, "teaches") if facts.teaches else ""
    kind = "lesson" if number else "task"
    # A lesson's number is in its disc.
    name = "" if number else f"<span>{escape(facts.kicker)}</span>"
    return (
        f'<li class="{kind}"><span class="disc" aria-hidden="true">{number or "✓"}</span>'
        f'<a href="{app.builder.get_relative_uri(docname, page)}">'
        f"{escape(app.env.titles[page].astext())}</a>"
        f'<span class="facts">{name}{marks}<span>{minutes}</span></span></li>'
    )
