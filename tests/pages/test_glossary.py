"""Words that the glossary explains lead there: once in a section, and only from text."""

import pytest
from tests.pages.sample import build

GLOSSARY = """# Glossary

softmax
: Turns scores into weights.

score
: How well a key fits.

score function, way to score
: What computes them.
"""
PAGE = """# Softmax at work

Softmax reads scores; softmax again, a score again, `softmax` in code and $softmax$.

A [softmax link](plain.md) stays one link. A *softmax* is linked no more here.

## Below

Score functions, each a way to score, then **scores**. Nothing for scoresheets.
"""


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    pages = {"page.md": PAGE, "plain.md": "# Plain\n\nText.", "glossary.md": GLOSSARY}
    contents = {"All": ["page", "plain", "glossary"]}
    return build(tmp_path_factory.mktemp("glossary"), pages, contents)


def test_first_use_in_each_section_links(sample):
    page = sample.page("page")
    links = [(link.get_text(), link["href"]) for link in page.select("a.term")]
    assert links == [
        ("Softmax", "glossary.html#term-softmax"),
        ("scores", "glossary.html#term-score"),
        ("Score functions", "glossary.html#term-score-function"),
        ("scores", "glossary.html#term-score"),
    ]


def test_links_lead_to_the_terms(sample):
    glossary = sample.page("glossary")
    for anchor in ("term-softmax", "term-score", "term-score-function"):
        assert glossary.select_one(f"dt#{anchor}, dt :is(#{anchor})"), anchor
    assert not glossary.select("a.term")


def test_text_and_warnings_are_unchanged(sample):
    assert sample.warnings == ""
    assert "Softmax reads scores; softmax again, a score again" in sample.page("page").get_text()
