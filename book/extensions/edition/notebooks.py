"""A notebook as students get it: its setup cell and its links lead to the edition."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import nbformat
from nbgrader.utils import compute_checksum

from .address import Repository
from .source import ROOT, Origin

# What the setup cell says before anyone has published the course.
UNSET = 'COURSE = ""  # the student edition fills in what pip installs'
# The target of a link, without its fragment; links with a scheme lead out of the course.
_LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)([^)\s]*)\)")


def read(path: str, root: Path = ROOT) -> nbformat.NotebookNode:
    """Read one of the course's notebooks, by its path from the root."""
    return nbformat.read(root / path, as_version=nbformat.NO_CONVERT)


def for_students(path: str, repository: Repository, origin: Origin, root: Path = ROOT) -> str:
    """Return the text of a notebook of the edition.

    Args:
        path: the notebook's path from the root of the course.
        repository: what its setup cell and its links lead to.
        origin: what its metadata say it is made from.
        root: where the course is.

    Raises:
        ValueError: the notebook has no setup cell to fill in, or a link leads nowhere.
    """
    notebook = read(path, root)
    _fill_in_setup(path, notebook, repository)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_full_links(cell.source, path, repository, root)
        _renew_checksum(cell)
    course = {"version": origin.version, "commit": origin.commit, "source": repository.url}
    notebook.metadata.course.update(course)
    return nbformat.writes(notebook) + "\n"


def _fill_in_setup(path: str, notebook: nbformat.NotebookNode, repository: Repository) -> None:
    cells = [cell for cell in notebook.cells if UNSET in cell.source]
    if len(cells) != 1:
        raise ValueError(f"{path} has {len(cells)} cells with {UNSET!r}; wanted one")
    (setup,) = cells
    setup.source = setup.source.replace(UNSET, f'COURSE = "{repository.requirement}"')


def with_full_links(text: str, path: str, repository: Repository, root: Path = ROOT) -> str:
    """Return Markdown whose links within the course lead to the book's pages.

    Raises:
        ValueError: a link leads to a file that is not there.
    """

    def full(link: re.Match) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link[1]))
        if not (root / target).is_file():
            raise ValueError(f"{path} links to {link[1]}, which is not there")
        page = posixpath.splitext(target)[0]
        return f"]({repository.book}{page}.html{link[2]})"

    return _LINK.sub(full, text)


def _renew_checksum(cell: nbformat.NotebookNode) -> None:
    """By its checksum nbgrader tells whether a student changed what must stay."""
    if "checksum" in cell.metadata.get("nbgrader", {}):
        cell.metadata.nbgrader.checksum = compute_checksum(cell)
