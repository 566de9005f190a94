"""Tables in a frame that scrolls sideways where the screen is narrower than they are."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from .blocks import wrap


class ScrollFrames(SphinxPostTransform):
    """Wrap each table: a table itself cannot scroll and keep its columns aligned."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Put a container around each table."""
        for table in list(self.document.findall(nodes.table)):
            wrap(table, "table-frame")


def setup(app: Sphinx) -> None:
    """Register the wrapping."""
    app.add_post_transform(ScrollFrames)
