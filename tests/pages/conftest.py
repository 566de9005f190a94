"""The built book, served on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import browse


@pytest.fixture(scope="session")
def site(book: Path) -> Iterator[str]:
    """Serve the book; return its address, which ends in a slash."""
    with browse.served(book) as address:
        yield address


@pytest.fixture(scope="session")
def page_names(book: Path) -> list[str]:
    """Return every page of the book, as it stands after the site's address."""
    return browse.page_names(book)
