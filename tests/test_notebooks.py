"""What every stored notebook must be: clean, addressable, and readable in Colab."""

import ast
import re
import sys

import nbformat
import pytest
from tests.notebooks import EXERCISES, LESSONS, ROOT, SOLUTIONS, code_cells, name, read

ALL = LESSONS + SOLUTIONS + EXERCISES
every_notebook = pytest.mark.parametrize("path", ALL, ids=name)
every_lesson = pytest.mark.parametrize("path", LESSONS, ids=name)

MOST_LINES = 18
LONGEST_LINE = 73  # what a page's column holds
ALLOWED_IMPORTS = {"sdpa", "tutor", "numpy", "torch", "matplotlib"} | sys.stdlib_module_names
ALLOWED_TAGS = {"details", "summary", "span", "sub", "sup", "br"}
# What Jupyter Book understands, and Colab shows as it stands.
RAW_IN_COLAB = {
    "a MyST directive": r"^\s*(:::|```\{|~~~\{)",
    "a MyST role": r"\{[a-z:]+\}`",
    "a MyST target": r"^\([\w-]+\)=\s*$",
    "a labelled equation": r"^\$\$\s*\(",
    "an attribute list": r"^\{[.#][\w-]+",
    "a relative image": r"!\[[^\]]*\]\((?!https?:|data:)",
    "a macro of the book": r"\\i[qkvo]\{",
}


def test_there_are_notebooks_of_each_kind():
    assert LESSONS and SOLUTIONS
    assert [p.name for p in EXERCISES] == [p.name for p in SOLUTIONS]


@every_notebook
def test_is_valid_and_has_the_common_kernel(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    assert notebook.metadata.kernelspec == kernel


@every_notebook
def test_is_stored_without_results(path):
    for cell in code_cells(read(path)):
        assert not cell.outputs and cell.execution_count is None, cell.id


@every_notebook
def test_cell_ids_are_unique_and_descriptive(path):
    ids = [cell.id for cell in read(path).cells]
    assert len(set(ids)) == len(ids)
    for cell_id in ids:
        assert re.fullmatch(r"[a-z]\w*(-\w+)*", cell_id), cell_id
        assert not re.fullmatch(r"[0-9a-f]{8}", cell_id), f"{cell_id} looks generated"


@every_notebook
def test_grade_id_is_the_cell_id(path):
    for cell in read(path).cells:
        if "nbgrader" in cell.metadata:
            assert cell.metadata.nbgrader.grade_id == cell.id


def test_all_begin_with_a_title_and_the_same_setup_cell():
    setups = set()
    for path in ALL:
        title, setup, *_ = read(path).cells
        assert title.source.startswith("# "), name(path)
        assert setup.id == "setup" and "remove-cell" in setup.metadata.tags, name(path)
        setups.add(setup.source)
    assert len(setups) == 1


@every_notebook
def test_setup_does_nothing_where_the_course_is_installed(path, capsys):
    exec(read(path).cells[1].source, {})
    assert capsys.readouterr() == ("", "")


@every_notebook
def test_nothing_shows_raw_in_colab(path):
    for cell in read(path).cells:
        if cell.cell_type != "markdown":
            continue
        for what, pattern in RAW_IN_COLAB.items():
            assert not re.search(pattern, cell.source, re.MULTILINE), f"{cell.id} has {what}"
        without_code = re.sub(r"`[^`]*`", "", cell.source)
        tags = set(re.findall(r"</?([a-zA-Z]+)[ >]", without_code))
        assert tags <= ALLOWED_TAGS, f"{cell.id} has the tags {tags - ALLOWED_TAGS}"


@every_notebook
def test_links_to_files_of_the_course_lead_there(path):
    for cell in read(path).cells:
        if cell.cell_type != "markdown":
            continue
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", cell.source):
            if not re.match(r"https?:", target):
                assert (path.parent / target).resolve().is_file(), f"{cell.id}: {target}"


@every_notebook
def test_describes_itself(path):
    course = read(path).metadata.course
    assert course.kicker and course.needs and course.minutes > 0
    assert 50 < len(course.description) < 200
    assert set(course.teaches) <= {"query", "key", "value", "output"}


@every_lesson
def test_imports_what_colab_has_or_the_course_brings(path):
    for cell in code_cells(read(path)):
        for node in ast.walk(ast.parse(cell.source)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            assert {n.split(".")[0] for n in names} <= ALLOWED_IMPORTS, cell.id


@every_lesson
def test_code_cells_are_short(path):
    for cell in _shown_code(path):
        assert _lines_without_captions(cell.source) <= MOST_LINES, cell.id


@pytest.mark.parametrize("path", LESSONS + EXERCISES, ids=name)
def test_code_that_shows_fits_the_column(path):
    for cell in _shown_code(path):
        too_long = [line for line in cell.source.splitlines() if len(line) > LONGEST_LINE]
        assert not too_long, f"{cell.id}: {too_long[0]}"


def _shown_code(path):
    """Return the code cells a page shows: what draws a figure is folded away."""
    folded = {"hide-input", "remove-input", "remove-cell"}
    return [c for c in code_cells(read(path)) if not folded & set(c.metadata.get("tags", ()))]


def _lines_without_captions(source: str) -> int:
    """Count lines of code; the words that go with a figure are no code."""
    count = len([line for line in source.splitlines() if line.strip()])
    for node in ast.parse(source).body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = ast.unparse(node.value.func)
            if called.split(".")[0] in ("show", "show_drawing", "quiz"):
                count -= node.end_lineno - node.lineno
    return count


def test_solutions_are_not_shown_by_the_exercises():
    for exercise in EXERCISES:
        assert "### BEGIN" not in (ROOT / exercise).read_text()
