"""The built book, served on this machine, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium; each test opens contexts of its own in it."""
    with browse.browser() as chromium:
        yield chromium
