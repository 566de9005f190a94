"""What the page computes and shows, to compare with what Python does."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

# Without where inputs started, announcements, and how a browser writes a style.
PICTURE = """html => {
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const part of page.querySelectorAll("select, input, [aria-live]")) part.remove();
    return page.body.innerHTML.replace(' data-live=""', "").replace(/[\\s;]/g, "");
}"""


def run(page: Page, module: str, call: str, *arguments):
    """Call an expression of what a module exports, ``m``, and of the arguments, ``a``."""
    script = f"async (a) => {{ const m = await import('./sources/{module}.mjs'); return {call} }}"
    return page.evaluate(script, list(arguments))


def assert_shows(root: Locator, markup: str) -> None:
    """The interactive draws and says what this markup does, and has said it aloud."""
    page = root.page
    assert page.evaluate(PICTURE, root.inner_html()) == page.evaluate(PICTURE, markup)
    page.wait_for_timeout(500)
    says = root.locator("[data-part=says]").inner_text()
    assert root.locator("[data-part=announcement]").text_content() == says
