"""The built book: strict, complete, linked, without solutions, and quick to build again."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from bs4 import BeautifulSoup
from tests.notebooks import EXERCISES, LESSONS, ROOT, SOLUTIONS, name, read, secret_lines

BUILD = ROOT / "_build"
SITE = BUILD / "html"


@pytest.fixture(scope="module")
def pages(book):
    """Return the parsed pages of the book, by path."""
    paths = [path for path in book.rglob("*.html") if "_static" not in path.parts]
    return {path: BeautifulSoup(path.read_text(), "html.parser") for path in paths}


def test_every_notebook_of_the_course_is_a_page(pages):
    for notebook in LESSONS + EXERCISES:
        page = (SITE / notebook.relative_to(ROOT)).with_suffix(".html")
        assert page in pages, name(notebook)


def test_every_link_within_the_book_leads_somewhere(pages):
    anchors = {path: {tag["id"] for tag in page.find_all(id=True)} for path, page in pages.items()}
    broken = []
    for path, page in pages.items():
        for tag, attribute in [(t, a) for a in ("href", "src") for t in page.find_all(**{a: True})]:
            url = urlsplit(tag[attribute])
            if url.scheme or url.netloc:
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            if not target.is_file() or (
                url.fragment and url.fragment not in anchors.get(target, ())
            ):
                broken.append((path.name, tag[attribute]))
    # "#" alone is a button, and the theme's own.
    assert [link for link in broken if link[1] != "#"] == []


def test_nothing_of_the_solutions_is_in_the_build(pages):
    secret = set().union(*(secret_lines(read(path)) for path in SOLUTIONS))
    public = "\n".join(cell.source for path in LESSONS + EXERCISES for cell in read(path).cells)
    # A short line, or one that a lesson has as well, proves nothing.
    canaries = {line for line in secret if len(line) > 30 and line not in public}
    assert len(canaries) > 20
    for path in BUILD.rglob("*"):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", errors="ignore")
            found = [line for line in canaries if line in text]
            assert not found, f"{path} holds {found[0]!r}"
            assert "solutions" not in path.parts


def test_every_figure_has_a_caption_and_a_description(pages):
    for notebook in LESSONS:
        page = pages[(SITE / notebook.relative_to(ROOT)).with_suffix(".html")]
        figures = page.select("figure.figure")
        assert figures
        for figure in figures:
            assert len(figure.svg["aria-label"]) > 30
            assert figure.figcaption.strong.text.endswith((".", "!", "?"))
        assert not page.select(".cell_output img"), "a picture without caption and description"


def test_lessons_are_run_and_exercises_are_not(pages):
    for notebook in LESSONS:
        page = pages[(SITE / notebook.relative_to(ROOT)).with_suffix(".html")]
        assert page.select(".cell_output")
    for notebook in EXERCISES:
        page = pages[(SITE / notebook.relative_to(ROOT)).with_suffix(".html")]
        assert not page.select(".cell_output")


def test_no_lesson_shows_an_error_or_a_warning(pages):
    for notebook in LESSONS:
        page = pages[(SITE / notebook.relative_to(ROOT)).with_suffix(".html")]
        assert not page.select(".output.traceback, .output.stderr")


# Building again, in a small course of its own


@pytest.fixture
def course(tmp_path):
    """A course with the real code and one lesson of two cells."""
    for folder in ("book", "src"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: index\nchapters:\n- file: lessons/01_tiny\n"
    )
    write_lesson(tmp_path, "import sdpa", "print(sdpa.softmax.__name__)")
    return tmp_path


def write_lesson(course: Path, *sources: str) -> None:
    cells = [nbformat.v4.new_code_cell(s, id=f"cell-{i}") for i, s in enumerate(sources)]
    (course / "lessons").mkdir(exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), course / "lessons" / "01_tiny.ipynb")


def python(course: Path, code: str) -> subprocess.CompletedProcess:
    """Run code beside the course's build scripts, with the course's packages."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{course}/src:{course}/book"}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def run_lessons(course: Path) -> subprocess.CompletedProcess:
    return python(course, "import sys, build; sys.exit(bool(build.run_lessons()))")


def fingerprint(course: Path) -> str:
    code = "import lessons, nbformat; (path,) = lessons.lesson_paths(); "
    code += "print(lessons.fingerprint(nbformat.read(path, 4)))"
    return python(course, code).stdout.strip()


@pytest.mark.parametrize(
    ("changed", "matters"),
    [
        ("src/sdpa/reference.py", True),
        ("src/sdpa/_arguments.py", True),  # reached through reference.py
        ("requirements.txt", True),
        ("src/sdpa/plots.py", False),  # "import sdpa" does not reach it
        ("src/tutor/figure.py", False),
    ],
)
def test_what_a_lesson_uses_decides_whether_it_is_out_of_date(course, changed, matters):
    before = fingerprint(course)
    assert re.fullmatch("[0-9a-f]{64}", before)
    append(course / changed)
    assert (fingerprint(course) != before) == matters


def test_a_lesson_runs_again_only_when_it_is_out_of_date(course):
    assert "running" in run_lessons(course).stdout
    assert "unchanged" in run_lessons(course).stdout
    append(course / "src/sdpa/reference.py")
    assert "running" in run_lessons(course).stdout


def append(path: Path) -> None:
    path.write_text(path.read_text() + "\n# changed\n")


def test_a_broken_cell_is_named_and_fails_the_build(course):
    write_lesson(course, "import sdpa", "1/0")
    done = run_lessons(course)
    assert done.returncode == 1
    assert re.search(r"lessons/01_tiny\.ipynb, cell 2 \(cell-1\): .*1/0", done.stderr, re.S)
    assert "ZeroDivisionError" in done.stderr


def test_a_lesson_that_ends_its_kernel_is_named(course):
    write_lesson(course, "import os", "os._exit(3)")
    done = run_lessons(course)
    assert done.returncode == 1
    assert "lessons/01_tiny.ipynb, cell 2 (cell-1)" in done.stderr


def test_a_lesson_sees_an_empty_folder(course):
    write_lesson(course, "import os", "assert os.listdir() == []")
    assert run_lessons(course).returncode == 0
