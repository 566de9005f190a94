"""What a page says about itself, and the order of the pages.

A notebook's metadata, or a Markdown page's front matter, may hold::

    course:
      kicker: Lesson 1
      minutes: 40
      needs: Python and a little linear algebra
      teaches: [query, key, value, output]
      stage: softmax
      description: What search engines and cards show; the page's opening without it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from .inks import PARTS

logger = logging.getLogger(__name__)

STAGES = ("dot product", "scale", "softmax", "blend", "output")


@dataclass(frozen=True)
class Facts:
    """What a page's "course" entry holds; every part of it may be left out."""

    kicker: str = ""
    minutes: int | None = None
    needs: str = ""
    teaches: list[str] = field(default_factory=list)
    stage: str = ""
    description: str = ""


@dataclass(frozen=True)
class Part:
    """A part of the book: its caption in _toc.yml and the pages below it."""

    caption: str
    pages: list[str]


def facts(env: BuildEnvironment, docname: str) -> Facts:
    """Return what a page says about itself, less what :func:`_check` warns of."""
    entry = _entry(env, docname)
    known = {name: entry[name] for name in _NAMES & entry.keys()}
    known["teaches"] = [part for part in entry.get("teaches", []) if part in PARTS]
    known["stage"] = entry.get("stage") if entry.get("stage") in STAGES else ""
    return Facts(**known)


def number(env: BuildEnvironment, docname: str) -> str:
    """Return the number of a lesson, "" for a page of another kind."""
    kind, _, digits = facts(env, docname).kicker.rpartition(" ")
    return digits if kind == "Lesson" else ""


def parts(env: BuildEnvironment) -> list[Part]:
    """Return the book's parts in the order of _toc.yml."""
    trees = env.external_site_map.root.subtrees
    return [Part(tree.caption or "", [_docname(file) for file in tree.files()]) for tree in trees]


def _docname(file: str) -> str:
    return file.removesuffix(".ipynb").removesuffix(".md")


_NAMES = {name.name for name in fields(Facts)}


def _entry(env: BuildEnvironment, docname: str) -> dict:
    # Nested values of notebook metadata and front matter reach Sphinx as JSON.
    return json.loads(env.metadata[docname].get("course", "{}"))


def _check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of entries that would be silently left out of a page."""
    for docname in sorted(env.found_docs):
        for problem in _problems(_entry(env, docname)):
            logger.warning("course metadata: %s", problem, location=docname)


def _problems(entry: dict) -> list[str]:
    unknown = entry.keys() - _NAMES
    parts = set(entry.get("teaches", [])) - PARTS.keys()
    stages = {entry["stage"]} - {*STAGES, ""} if "stage" in entry else set()
    return [f"unknown: {name}" for name in sorted(unknown | parts | stages)]


def setup(app: Sphinx) -> None:
    """Register the check of the metadata."""
    app.connect("env-updated", _check)
