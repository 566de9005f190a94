"""A Sphinx extension: what makes plain notebooks and Markdown into the book's pages.

Each module does one thing and has its own ``setup``; this one only calls them.
"""

from __future__ import annotations

from sphinx.application import Sphinx

from . import (
    assets,
    blocks,
    code,
    course,
    figures,
    frame,
    glossary,
    head,
    landing,
    launch,
    mathematics,
    reference,
    tables,
)

MODULES = (
    assets,
    blocks,
    code,
    course,
    figures,
    frame,
    glossary,
    head,
    landing,
    launch,
    mathematics,
    reference,
    tables,
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register every part of the book's pages."""
    for module in MODULES:
        module.setup(app)
    # Pages are written in one process: it holds the one JavaScript engine.
    return {"parallel_read_safe": True, "parallel_write_safe": False}
