"""All that the course's source documents hold is in the book, where the list says."""

import re
from itertools import chain

import pytest
from bs4 import BeautifulSoup, Tag
from tests.notebooks import LESSONS, ROOT
from tests.seeds import COVERED, TO_COME, Item

EVERY = [*COVERED, *chain(*TO_COME.values())]
WRITTEN = {path.name[:2] for path in LESSONS}
REFERENCE = ("glossary.md", "questions.md")


@pytest.fixture(scope="module")
def page(book):
    """Return a function that parses a page of the book, once."""
    parsed = {}

    def parse(name: str) -> BeautifulSoup:
        if name not in parsed:
            parsed[name] = BeautifulSoup((book / f"{name}.html").read_text(), "html.parser")
        return parsed[name]

    return parse


def test_the_book_has_every_item(page):
    assert len(COVERED) > 120
    assert list(filter(None, (problem(item, page) for item in COVERED))) == []


def problem(item: Item, page) -> str:
    """Return what is wrong with an item's place, "" if it is right."""
    where = f"{item.page}#{item.anchor}"
    try:
        start = page(item.page).find(id=item.anchor)
    except FileNotFoundError:
        return f"{where}: no such page ({item.what})"
    if start is None:
        return f"{where}: no such anchor ({item.what})"
    text = text_under(start)
    if not any(words in text for words in item.words):
        return f"{where}: none of {item.words} ({item.what})"
    return ""


def text_under(start: Tag) -> str:
    """Return a section's text, or a term's with its definition, in lower case."""
    term = start if start.name == "dt" else start.find_parent("dt")
    parts = [term, term.find_next_sibling("dd")] if term else [start]
    assert term or start.name == "section", f"#{start['id']} is no section and no term"
    return " ".join(" ".join(part.get_text() for part in parts).lower().split())


def test_no_item_stands_twice():
    assert len({item.what for item in EVERY}) == len(EVERY)


def test_every_item_is_whole():
    for item in EVERY:
        assert item.page and item.anchor and all(item.words), item
        assert item.words == tuple(words.lower() for words in item.words), item


def test_items_wait_for_no_lesson_that_is_there():
    assert TO_COME.keys() <= {"04", "05", "06", "07", "08"} - WRITTEN
    for lesson, items in TO_COME.items():
        assert all(item.page.startswith(f"lessons/{lesson}_") for item in items)


@pytest.mark.parametrize("name", REFERENCE)
def test_lessons_are_named_with_a_link(name):
    links = re.compile(r"\[[^\]]*\](\([^)]*\)|\[\w+\])")
    named = re.findall(r"\blesson\s(\d)", links.sub("", (ROOT / name).read_text()), re.IGNORECASE)
    assert not {f"0{number}" for number in named} & WRITTEN
