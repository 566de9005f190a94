"""Figures that notebooks show: their SVG without what only other pages need."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

_GAP = re.compile(r">\s*\n\s*<")
# The colour for pages without the book's style sheet.
_FALLBACK = re.compile(r"var\((--\w+), *#[0-9a-f]{6}\)", re.IGNORECASE)


class CompactFigures(SphinxPostTransform):
    """A figure's SVG is indented for people, and stands alone; here it need not."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Shorten every raw output that holds SVG."""
        for raw in self.document.findall(nodes.raw):
            html = raw.astext()
            if "<svg" in html:
                raw[:] = [nodes.Text(_FALLBACK.sub(r"var(\1)", _GAP.sub("><", html)))]


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(CompactFigures)
