"""Draw the picture that shows when somebody shares a page: book/static/social-card.png.

Usage: python book/social_card.py, after the book is built (the card takes its style).
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "_build" / "html" / "index.html"
CARD = ROOT / "book" / "static" / "social-card.png"
CHROMIUM = Path("/usr/bin/chromium")
WIDTH, HEIGHT = 1200, 630

# The landing page is left with its brand, its first lines and its formula.
STYLE = """
body { padding: 1.6rem 4.5rem !important; max-width: none !important; zoom: 1.15; }
.tools, .start, .formula ul, article > section > section { display: none !important; }
.layout-landing h1 { margin-top: 1.8rem; font-size: 4.3rem; }
.formula { display: block; margin-top: 1.4rem; padding: 1.6rem 0 0; border-bottom: 0; }
"""


def main() -> None:
    """Take the picture of the landing page, cut down to a card."""
    with sync_playwright() as playwright:
        path = CHROMIUM if CHROMIUM.exists() else None
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(HOME.as_uri())
        page.add_style_tag(content=STYLE)
        page.evaluate("document.fonts.ready.then(() => true)")
        page.screenshot(path=CARD)
        browser.close()
    print(CARD.relative_to(ROOT))


if __name__ == "__main__":
    main()
