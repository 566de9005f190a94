"""Every page of the built book, in a real browser with every other host blocked."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, Route
from tests.browsing import violations
from tests.interactives import driving

DESKTOP, PHONE = 1280, 390
# A page and all it loads, fonts aside, in bytes as a server sends them (compressed).
BUDGET = 120_000


@contextmanager
def opened(browser: Browser, site: str, width: int = DESKTOP, **options: object) -> Iterator[Page]:
    """Open an empty page that can load nothing but the site."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)

    def only_site(route: Route) -> None:
        route.continue_() if route.request.url.startswith(site) else route.abort()

    context.route("**/*", only_site)
    yield context.new_page()
    context.close()


def visit(page: Page, address: str) -> None:
    """Go to a page and wait until it has all it asked for."""
    page.goto(address, wait_until="load")
    page.evaluate("document.fonts.ready.then(() => true)")


def watch_for_faults(page: Page, site: str) -> list[str]:
    """Return a list that fills with what goes wrong while pages load."""
    faults = []

    def note(*what: object) -> None:
        faults.append(" ".join(map(str, (page.url, *what))))

    page.on("request", lambda it: None if it.url.startswith(site) else note("asks", it.url))
    page.on("requestfailed", lambda it: note("did not get", it.url))
    page.on("response", lambda it: None if it.ok else note(it.status, it.url))
    page.on("console", lambda it: note("console:", it.text))
    page.on("pageerror", lambda it: note("error:", it))
    return faults


def test_pages_load_only_from_here_and_without_errors(browser, site, page_names):
    with opened(browser, site) as page:
        faults = watch_for_faults(page, site)
        for name in page_names:
            visit(page, site + name)
            page.wait_for_load_state("networkidle")  # the icon comes after the page
    assert not faults


def test_pages_are_light(browser, site, page_names):
    for name in page_names:
        sizes = loaded_sizes(browser, site, name)
        assert sum(sizes.values()) <= BUDGET, (name, sizes)


def loaded_sizes(browser: Browser, site: str, name: str) -> dict[str, int]:
    """Return how many bytes a page loads from where, its fonts left out."""
    loaded = []
    with opened(browser, site) as page:
        page.on("response", lambda it: loaded.append(it))
        visit(page, site + name)
        bodies = {it.url: it.body() for it in loaded if not it.url.endswith(".woff2")}
        return {url: len(gzip.compress(body)) for url, body in bodies.items()}


@pytest.mark.parametrize("width", [320, PHONE, DESKTOP])
def test_no_page_scrolls_sideways(browser, site, page_names, width):
    too_wide = """
    document.documentElement.scrollWidth <= innerWidth ? [] :
        [...document.querySelectorAll("body *")]
            .filter(node => node.getBoundingClientRect().right > innerWidth + 1)
            .map(node => node.outerHTML.slice(0, 120))
    """
    with opened(browser, site, width) as page:
        for name in page_names:
            visit(page, site + name)
            assert page.evaluate(too_wide) == [], name


# What is folded must be readable too; two frames later all scripts have seen it.
UNFOLD = """
document.querySelectorAll("details").forEach(fold => { fold.open = true; });
new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
"""


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault(browser, site, page_names, width, theme):
    faults = []
    with opened(browser, site, width, color_scheme=theme, reduced_motion="reduce") as page:
        for name in page_names:
            visit(page, site + name)
            page.evaluate(UNFOLD)
            faults += [f"{name}: {fault}" for fault in violations(page)]
    assert not faults


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_every_interactive_answers(browser, site, page_names, width):
    operated = 0
    with opened(browser, site, width) as page:
        for name in page_names:
            visit(page, site + name)
            operated += page.locator("[data-module]").count()
            assert driving.complaints(page) == [], name
    assert operated


HIDDEN_TEXT = """
[...document.querySelectorAll("article :is(h1, h2, h3, p, li, td, pre, figure svg, .katex-html)")]
    .filter(node => !node.closest("details, noscript") && !node.checkVisibility())
    .filter(node => getComputedStyle(node).display !== "contents")
    .map(node => node.outerHTML.slice(0, 200))
"""


def test_pages_are_whole_without_javascript(browser, site, page_names):
    with opened(browser, site, java_script_enabled=False) as page:
        for name in page_names:
            visit(page, site + name)
            assert page.evaluate(HIDDEN_TEXT) == [], name
            assert page.locator("article h1").count() == 1, name


UNNAMED_PICTURES = """
[...document.querySelectorAll("img, svg")]
    .filter(node => !node.closest("[aria-hidden=true]"))
    .filter(node => !(node.getAttribute("alt") || node.getAttribute("aria-label")))
    .map(node => node.outerHTML.slice(0, 200))
"""


def test_pictures_say_in_words_what_they_show(browser, site, page_names):
    with opened(browser, site) as page:
        for name in page_names:
            visit(page, site + name)
            assert page.evaluate(UNNAMED_PICTURES) == [], name


def test_mathematics_is_rendered_when_the_book_is_built(book, page_names):
    for name in page_names:
        html = (book / name).read_text(encoding="utf-8")
        assert "katex.min.js" not in html and "MathJax" not in html, name
        assert "katex-error" not in html, name


def test_what_scrolls_sideways_is_reachable_by_keyboard(browser, site, page_names):
    unreachable = """
    [...document.querySelectorAll("article *")]
        .filter(node => /auto|scroll/.test(getComputedStyle(node).overflowX))
        .filter(node => node.scrollWidth > node.clientWidth + 1 && node.tabIndex < 0)
        .map(node => node.outerHTML.slice(0, 200))
    """
    with opened(browser, site, PHONE) as page:
        for name in page_names:
            visit(page, site + name)
            page.evaluate(UNFOLD)
            assert page.evaluate(unreachable) == [], name


def test_search_finds_pages_offline(browser, site):
    with opened(browser, site) as page:
        visit(page, site + "search.html?q=softmax")
        page.wait_for_selector("#search-results li a")
        assert page.locator("#search-results li").count() >= 1


def test_theme_follows_the_system_until_the_reader_chooses(browser, site):
    paper = "getComputedStyle(document.body).backgroundColor"
    with opened(browser, site, color_scheme="dark") as page:
        visit(page, site)
        dark = page.evaluate(paper)
        page.get_by_role("button", name="Dark theme").click()
        light = page.evaluate(paper)
        visit(page, site + "search.html")
        assert page.evaluate(paper) == light != dark


def test_phone_menu_opens_and_closes_by_keyboard(browser, site):
    with opened(browser, site, PHONE) as page:
        visit(page, site + "search.html")
        contents = page.get_by_role("navigation", name="Contents")
        assert not contents.is_visible()
        page.get_by_role("button", name="Contents").focus()
        page.keyboard.press("Enter")
        assert contents.is_visible()
        page.keyboard.press("Escape")
        assert not contents.is_visible()
