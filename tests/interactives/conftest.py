"""Pages with interactives, made by hand: quicker than a book, and of the same parts."""

import shutil

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import browse
import interactives
from tutor import quiz, widgets
from tutor.widgets import bundle

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Interactives</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="interactives.css"><script type="module" src="mount.mjs"></script>
<style>body {{ max-width: 40rem; margin: 0 auto; padding: 18px; color-scheme: light dark;
background: light-dark(#fcfcfa, #12161b); color: light-dark(#1b2026, #e6e8e4) }}</style>
<main><h1>Interactives</h1>{}</main></html>"""


def questions() -> list[quiz.Quiz]:
    """Return one question of each kind."""
    choice = quiz.Choice
    return [
        quiz.one(
            r"What is $\frac{2}{\sqrt{4}}$?",
            right=choice("$1$", "The root of 4 is 2."),
            wrong=[choice("$2$", "That is 2 over 1."), choice("$0.5$", "You divided by 4.")],
        ),
        quiz.several(
            "Which can `softmax` return?",
            right=[choice("$(0.5, 0.5)$", "Sum 1."), choice("$(0.2, 0.8)$", "Sum 1 again.")],
            wrong=[choice("$(0.6, 0.6)$", "The sum is 1.2."), choice("$(2, -1)$", "Negative.")],
        ),
        quiz.number(
            "What is the first weight?",
            answer=0.274,
            tolerance=0.001,
            why="$e^{0.5}$ over the sum.",
            wrong={0.212: "That is without the scale.", 2.5: "That is no weight."},
        ),
    ]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of a page with every widget and one question of each kind."""
    folder = tmp_path_factory.mktemp("site")
    for name, text in interactives.site_files().items():
        (folder / name).write_text(text, "utf-8")
    shutil.copytree(bundle.FOLDER, folder / "sources")
    others = [name for name in widgets.__all__ if name != "QueryAmongKeys"]
    shown = [widgets.QueryAmongKeys(), *questions(), *(getattr(widgets, name)() for name in others)]
    outputs = [interactive._repr_mimebundle_()[0]["text/html"] for interactive in shown]
    (folder / "index.html").write_text(PAGE.format("\n".join(outputs)), "utf-8")
    broken = [
        '<div data-module="missing" data-state="{}"><p>its drawing</p></div>',
        outputs[0].replace('data-state="{', 'data-state="', 1),
        outputs[1],
    ]
    (folder / "broken.html").write_text(PAGE.format("\n".join(broken)), "utf-8")
    with browse.served(folder) as address:
        yield address


@pytest.fixture(scope="session")
def page(browser: Browser, site: str) -> Page:
    """Return one page for all tests that only call modules and leave it as it is."""
    opened = browser.new_page()
    opened.goto(f"{site}index.html")
    return opened


@pytest.fixture
def open_page(browser: Browser, site: str):
    """Return a function that opens a page in a context of its own; its errors fail."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_(name: str = "index.html", *, allow_errors: bool = False, **options) -> Page:
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        if not allow_errors:
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: errors.append(message.text))
        page.goto(f"{site}{name}")
        if options.get("java_script_enabled", True):
            page.wait_for_function(
                "[...document.querySelectorAll('[data-module]')].every("
                "e => e.querySelector('[data-live], [role=alert]'))"
            )
        return page

    yield open_
    for context in contexts:
        context.close()
    assert errors == []
