"""The notebooks of the course, for the tests that go through all of them."""

from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
LESSONS = sorted(ROOT.glob("lessons/*.ipynb"))
SOLUTIONS = sorted(ROOT.glob("solutions/*/*.ipynb"))
EXERCISES = sorted(ROOT.glob("exercises/*/*.ipynb"))


def name(path: Path) -> str:
    """Return a notebook's path from the root, as a test id."""
    return path.relative_to(ROOT).as_posix()


def read(path: Path) -> nbformat.NotebookNode:
    """Read a notebook as it is stored."""
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Return the code cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def secret_lines(notebook: nbformat.NotebookNode) -> set[str]:
    """Return the lines that students must not see: hidden tests and model answers.

    Lines that also stand where students see them, such as a lone bracket, are left out.
    """
    secret, shown = set(), set()
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        is_written_answer = cell.cell_type == "markdown" and grading.get("solution")
        hidden = False
        for line in filter(None, map(str.strip, cell.source.splitlines())):
            hidden = (hidden or line.startswith("### BEGIN")) and not line.startswith("### END")
            (secret if hidden or is_written_answer else shown).add(line)
    return secret - shown
