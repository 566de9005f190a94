"""The ways to open a notebook that its page shows."""

import json

import pytest
from sphinx.errors import ExtensionError
from tests.pages.sample import build, notebook

from coursebook import launch
from edition import address, commands, notebooks, source

LESSON = notebook(
    "# A title\n\n*The dek.*", "[Another page](plain.md)",
    code=notebooks.UNSET, kicker="Lesson 1", minutes=40, stage="scale",
)  # fmt: skip
PAGES = {"lessons/one.ipynb": LESSON, "lessons/plain.md": "# Plain\n\nText."}
CONTENTS = {"Lessons": ["lessons/one", "lessons/plain"]}


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """A book with a student edition."""
    folder = tmp_path_factory.mktemp("published")
    return build(folder, PAGES, CONTENTS, repository="some-one/attention")


@pytest.fixture(scope="module")
def private(tmp_path_factory):
    """A book without one."""
    return build(tmp_path_factory.mktemp("private"), PAGES, CONTENTS)


def links(page):
    return {a.get_text(): a["href"] for a in page.select(".launch a")}


def commands_on(page):
    return [pre.get_text() for pre in page.select(".launch details pre")]


def test_books_are_built_without_warnings(published, private):
    assert published.warnings == private.warnings == ""


def test_the_row_stands_below_the_head(published):
    page = published.page("lessons/one")
    (row,) = page.select(".launch")
    above = [node.get("class") or node.name for node in row.find_previous_siblings()]
    assert above == [["where"], ["dek"], ["kicker"], "h1"]


def test_a_published_notebook_opens_in_colab_by_download_and_in_jupyterlab(published):
    page = published.page("lessons/one")
    repository = address.parse("some-one/attention")
    assert links(page) == {
        "Open in Colab": repository.colab("lessons/one.ipynb"),
        "Download": "../_sources/lessons/one.ipynb",
    }
    opens = commands.open_in_jupyterlab("lessons/one.ipynb")
    assert commands_on(page) == [commands.install(repository), opens]


def test_without_an_edition_there_is_no_colab(private):
    page = private.page("lessons/one")
    assert links(page) == {"Download": "../_sources/lessons/one.ipynb"}
    assert commands_on(page) == [commands.open_in_jupyterlab("lessons/one.ipynb")]


def test_pages_that_are_no_notebook_have_no_row(published):
    assert not published.page("lessons/plain").select(".launch")


def test_a_download_is_the_editions_notebook(published, private):
    repository = address.parse("some-one/attention")
    text = (published.folder / "_sources" / "lessons" / "one.ipynb").read_text()
    words, code = json.loads(text)["cells"][1:]
    assert words["source"] == [f"[Another page]({repository.book}lessons/plain.html)"]
    assert code["source"] == [f'COURSE = "{repository.requirement}"']
    assert (private.folder / "_sources" / "lessons" / "one.ipynb").read_text() == LESSON


def test_the_foot_of_a_page_says_what_it_is_made_from(published, private):
    origin = source.origin()
    for book in (published, private):
        (foot,) = book.document("lessons/plain").select("footer")
        said = " ".join(foot.get_text().split())
        assert said.startswith(f"A sample {origin.version}, made from {origin.commit}")
    assert published.document("lessons/plain").footer.a["href"].endswith("some-one/attention")
    assert not private.document("lessons/plain").footer.a


def test_an_address_of_another_form_ends_the_build(monkeypatch):
    monkeypatch.setenv(address.VARIABLE, "attention")
    with pytest.raises(ExtensionError, match="wanted owner/name"):
        launch.setup(app=None)
