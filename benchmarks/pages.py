"""What a reader's browser has to load, page by page.

Usage: python benchmarks/pages.py, after the book is built. A real browser opens each
page; every response counts as many bytes as gzip leaves of it (fonts are compressed
already). Raster images are left out. "first" is a first visit; "further" is what is
left when the files that the page shares with others are in the cache.
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "book"))
import browse

RASTER = (".png", ".jpg", ".jpeg", ".webp", ".gif")
# The most that a page may load: bytes of a first visit, its requests, its scripts'
# bytes, and the bytes of a further page.
TARGETS = {"first": 260_000, "requests": 30, "scripts": 60_000, "further": 60_000}


@dataclass(frozen=True)
class File:
    """One thing that a page loads."""

    url: str
    size: int

    @property
    def is_script(self) -> bool:
        """Whether a browser runs it."""
        return self.url.split("?")[0].endswith((".js", ".mjs"))


def loaded(browser: Browser, address: str) -> list[File]:
    """Return what a page loads when nothing is cached."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    responses = []
    page.on("response", lambda response: responses.append(response))
    page.goto(address, wait_until="networkidle")
    page.evaluate("document.fonts.ready.then(() => true)")
    files = [File(it.url, transferred(it.url, it.body())) for it in responses]
    context.close()
    return [file for file in files if not file.url.endswith(RASTER)]


def transferred(url: str, body: bytes) -> int:
    """Return how many bytes cross the line."""
    return len(body) if url.endswith(".woff2") else len(gzip.compress(body))


def figures(files: list[File], cached: set[str]) -> dict[str, int]:
    """Return a page's figures, given the addresses that are cached."""
    return {
        "first": sum(file.size for file in files),
        "requests": len(files),
        "scripts": sum(file.size for file in files if file.is_script),
        "further": sum(file.size for file in files if file.url not in cached),
    }


def main() -> None:
    """Print the table, and end with 1 where a page is over a target."""
    over = []
    header = "".join(f"{name:>10}" for name in TARGETS)
    print(f"{'bytes after gzip':48}{header}")
    with browse.served(browse.HTML) as site, browse.browser() as browser:
        pages = {name: loaded(browser, site + name) for name in browse.page_names()}
    uses = Counter(file.url for files in pages.values() for file in files)
    shared = {url for url, count in uses.items() if count > 1}
    for name, files in pages.items():
        row = figures(files, shared)
        print(f"{name:48}" + "".join(f"{row[key]:10,}" for key in TARGETS))
        over += [f"{name}: {key}" for key, most in TARGETS.items() if row[key] > most]
    print(f"{'at most':48}" + "".join(f"{most:10,}" for most in TARGETS.values()))
    sys.exit(f"over the target: {', '.join(over)}" if over else 0)


if __name__ == "__main__":
    main()
