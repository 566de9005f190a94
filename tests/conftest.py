"""Fixtures for all tests: the built book, a browser, and hypothesis's examples."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from ipywidgets import Widget
from playwright.sync_api import Browser

import browse
from edition import address, writing
from edition.address import Repository

ROOT = Path(__file__).resolve().parent.parent

# Derandomized: a run says the same thing each time, in CI as on a laptop.
settings.register_profile("course", max_examples=50, derandomize=True, deadline=None, database=None)
settings.load_profile("course")


@pytest.fixture(scope="session")
def book() -> Path:
    """Build the book, which must succeed strictly; return the folder of its pages."""
    done = subprocess.run(
        [sys.executable, "book/build.py"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    site = ROOT / "_build" / "html"
    assert str(site / "index.html") in done.stdout
    return site


@pytest.fixture(scope="session")
def repository() -> Repository:
    """Return the public repository of a course that nobody gives."""
    return address.parse("some-one/attention")


@pytest.fixture(scope="session")
def edition(repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the student edition, as ``make student-edition`` does; return its folder."""
    folder = tmp_path_factory.mktemp("published") / "attention"
    writing.write(folder, repository)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium, once: two of Playwright's cannot run side by side."""
    with browse.browser() as chromium:
        yield chromium


def pytest_sessionfinish() -> None:
    """Close the widgets while ipywidgets is still there to do it."""
    Widget.close_all()
