"""The built book in a browser: served on this machine, for pictures, tests and figures."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

HTML = Path(__file__).resolve().parent.parent / "_build" / "html"
CHROMIUM = Path("/usr/bin/chromium")  # else the one that Playwright brings
OPTIONS = [
    # Without a user's sandbox as root, and without asking anything of the network.
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


@contextmanager
def browser() -> Iterator[Browser]:
    """Start Chromium without a window; close it at the end."""
    path = CHROMIUM if CHROMIUM.exists() else None
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=OPTIONS)
        yield chromium
        chromium.close()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine; yield its address, which ends in a slash."""
    handler = partial(_QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


class _QuietHandler(SimpleHTTPRequestHandler):
    """A handler that does not report each request."""

    def log_message(self, *args: object) -> None:
        """Say nothing."""


def page_names(folder: Path = HTML) -> list[str]:
    """Return every page of a built book, as it stands after the site's address."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
