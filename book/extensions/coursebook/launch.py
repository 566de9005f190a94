"""Ways to open a notebook, below the head of its page: Colab, a download, JupyterLab.

Where the book has a student edition, they lead to it, and a downloaded notebook is the
edition's; without one there is no Colab.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from edition import address, commands, notebooks, source
from edition.address import Repository

from . import course


def setup(app: Sphinx) -> None:
    """Register the repository's address, the row, and the downloads."""
    try:
        repository = address.from_environment()
    except ValueError as error:
        raise ExtensionError(str(error)) from error
    app.add_config_value("student_repository", repository, "env", (Repository, type(None)))
    # After the head, which stands above it.
    app.connect("doctree-read", write_row, priority=610)
    app.connect("build-finished", _write_downloads)


def write_row(app: Sphinx, doctree: nodes.document) -> None:
    """Put the row below the head of a lesson or a problem set."""
    docname = app.env.docname
    heading = next(doctree.findall(nodes.title), None)
    if heading is None or not _is_notebook(app, docname):
        return
    section = heading.parent
    is_head = [isinstance(node, nodes.title | nodes.raw) or "dek" in node["classes"]
               for node in section]  # fmt: skip
    below_head = is_head.index(False) if False in is_head else len(section)
    row = _row(docname, app.config.student_repository)
    section.insert(below_head, nodes.raw("", row, format="html"))


def _is_notebook(app: Sphinx, docname: str) -> bool:
    is_file = app.env.doc2path(docname).endswith(".ipynb")
    return is_file and bool(course.facts(app.env, docname).kicker)


def _row(docname: str, repository: Repository | None) -> str:
    path = f"{docname}.ipynb"
    up = "../" * docname.count("/")
    colab = ""
    if repository:
        colab = f'<a class="button" href="{repository.colab(path)}">Open in Colab</a>'
    download = f'<a class="button ghost" href="{up}_sources/{path}" download>Download</a>'
    summary = "<summary>In JupyterLab</summary>"
    fold = f'<details class="jupyterlab">{summary}{_steps(path, repository)}</details>'
    return f'<div class="launch">{colab}{download}{fold}</div>'


def _steps(path: str, repository: Repository | None) -> str:
    launch = _code(commands.open_in_jupyterlab(path))
    if repository is None:
        return f"<p>In a copy of the course, once <code>make book</code> has run:</p>{launch}"
    install = _code(commands.install(repository))
    return (
        f"<p>Once, fetch the notebooks and install what they use:</p>{install}"
        f"<p>Then, in that folder, whenever you work:</p>{launch}"
    )


def _code(text: str) -> str:
    return f'<div class="highlight"><pre>{escape(text, quote=False)}</pre></div>'


def _write_downloads(app: Sphinx, exception: Exception | None) -> None:
    """Replace the notebooks beside the pages by the edition's."""
    repository = app.config.student_repository
    if exception or repository is None:
        return
    origin = source.origin()
    for docname in filter(lambda name: _is_notebook(app, name), app.env.found_docs):
        path = f"{docname}.ipynb"
        text = notebooks.for_students(path, repository, origin, Path(app.srcdir))
        Path(app.outdir, "_sources", path).write_text(text, encoding="utf-8")
