"""Take a picture of every page, whole: wide and phone, light and dark.

Usage: python book/shots.py, after the book is built. Writes into _build/shots.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from playwright.sync_api import Browser

import browse

SHOTS = browse.HTML.parent / "shots"
WIDTHS = (1280, 390)
THEMES = ("light", "dark")


def main() -> None:
    """Serve the book and take each picture."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    with browse.served(browse.HTML) as site, browse.browser() as browser:
        for width, theme in product(WIDTHS, THEMES):
            take(browser, site, width, theme)


def take(browser: Browser, site: str, width: int, theme: str) -> None:
    """Take every page's picture at one width in one theme."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
    )
    page = context.new_page()
    for name in browse.page_names():
        page.goto(site + name, wait_until="networkidle")
        stem = Path(name).with_suffix("").as_posix().replace("/", "-")
        picture = SHOTS / f"{stem}-{width}-{theme}.png"
        page.screenshot(path=picture, full_page=True)
        print(picture.relative_to(SHOTS.parent.parent), flush=True)
    context.close()


if __name__ == "__main__":
    main()
