"""A small book of its own, built with the course's extension, to test that extension."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from edition.address import VARIABLE

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = f"""
import sys
sys.path.insert(0, {str(ROOT / "book" / "extensions")!r})
project = html_title = "A sample"
extensions = ["myst_nb", "sphinx_external_toc", "coursebook"]
html_theme = "course"
html_sourcelink_suffix = ""
html_math_renderer = "build_time_katex"
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline"]
nb_execution_mode = "off"
external_toc_exclude_missing = True
"""


@dataclass
class Built:
    """What came of a sample: its pages and the warnings."""

    folder: Path
    warnings: str

    def page(self, name: str) -> BeautifulSoup:
        """Return a page's text, parsed."""
        return self.document(name).article

    def document(self, name: str) -> BeautifulSoup:
        """Return a whole page, parsed."""
        html = (self.folder / f"{name}.html").read_text(encoding="utf-8")
        return BeautifulSoup(html, "html.parser")


def build(
    folder: Path,
    pages: dict[str, str],
    contents: dict[str, list[str]],
    repository: str = "",
) -> Built:
    """Build pages (path to text) in the order of ``contents`` (caption to page names).

    Args:
        folder: where to build.
        pages: the text of each page, by path.
        contents: the names of the pages, by caption.
        repository: the student edition's, as owner/name.
    """
    parts = [
        {"caption": caption, "chapters": [{"file": name} for name in names]}
        for caption, names in contents.items()
    ]
    toc = {"format": "jb-book", "root": "index", "parts": parts}
    files = {"index.md": "# Home", **pages, "_toc.yml": json.dumps(toc), "conf.py": CONFIGURATION}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    out = folder / "_build"
    options = ["-q", "-n", "--keep-going", "-d", folder / "_doctrees"]
    command = [sys.executable, "-m", "sphinx", *options, folder, out]
    environment = os.environ | {VARIABLE: repository}
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return Built(out, finished.stderr)


def notebook(*cells: str, code: str = "", **course: Any) -> str:
    """Return a notebook of Markdown cells, with "course" metadata and a code cell if wanted."""
    content = [new_markdown_cell(text) for text in cells]
    content += [new_code_cell(code)] if code else []
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "course": course}
    return nbformat.writes(new_notebook(cells=content, metadata=metadata))
