"""The built book, served on this machine, and a browser that reaches nothing else."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
CHROMIUM = "/usr/bin/chromium"
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# The tests import a helper that lies beside them.
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def book() -> Path:
    """Build the book, strictly, and return the folder of its pages."""
    subprocess.run([sys.executable, "book/build.py"], cwd=ROOT, check=True)
    return HTML


@pytest.fixture(scope="session")
def site(book: Path) -> Iterator[str]:
    """Serve the book; return its address, which ends in a slash."""
    handler = partial(QuietHandler, directory=str(book))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


class QuietHandler(SimpleHTTPRequestHandler):
    """A handler that does not report each request."""

    def log_message(self, *args: object) -> None:
        """Say nothing: the tests watch the requests themselves."""


@pytest.fixture(scope="session")
def page_names(book: Path) -> list[str]:
    """Return every page of the book, as it stands after the site's address."""
    return sorted(path.relative_to(book).as_posix() for path in book.rglob("*.html"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium; each test opens contexts of its own in it."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM if Path(CHROMIUM).exists() else None, args=CHROMIUM_OPTIONS
        )
        yield chromium
        chromium.close()
