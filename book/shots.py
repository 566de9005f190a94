"""Take a picture of every page, whole: wide and phone, light and dark.

Usage: python book/shots.py, after the book is built. Writes into _build/shots.
"""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
SHOTS = ROOT / "_build" / "shots"
CHROMIUM = Path("/usr/bin/chromium")
WIDTHS = (1280, 390)
THEMES = ("light", "dark")


def main() -> None:
    """Serve the book and take each picture."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(HTML))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            path = CHROMIUM if CHROMIUM.exists() else None
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for width, theme in product(WIDTHS, THEMES):
                take(browser, f"http://127.0.0.1:{server.server_port}", width, theme)
            browser.close()
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """A handler that does not report each request."""

    def log_message(self, *args: object) -> None:
        """Say nothing."""


def take(browser: Browser, site: str, width: int, theme: str) -> None:
    """Take every page's picture at one width in one theme."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
    )
    page = context.new_page()
    for path in sorted(HTML.rglob("*.html")):
        name = path.relative_to(HTML).with_suffix("").as_posix()
        page.goto(f"{site}/{name}.html", wait_until="networkidle")
        picture = SHOTS / f"{name.replace('/', '-')}-{width}-{theme}.png"
        page.screenshot(path=picture, full_page=True)
        print(picture.relative_to(ROOT), flush=True)
    context.close()


if __name__ == "__main__":
    main()
