"""The README that students find: what there is, and how to open it."""

from __future__ import annotations

from pathlib import Path
from string import Template

from . import commands, notebooks
from .address import Repository
from .source import Origin

TEMPLATE = Path(__file__).with_name("README.md")


def readme(paths: list[str], repository: Repository, origin: Origin) -> str:
    """Return the README of an edition that holds these notebooks."""
    lessons = [path for path in paths if path.startswith("lessons/")]
    exercises = [path for path in paths if path.startswith("exercises/")]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        book=repository.book,
        lessons=_table(lessons, repository),
        exercises=_table(exercises, repository),
        install=commands.install(repository),
        launch=commands.open_in_jupyterlab(lessons[0]),
        exercise=Path(exercises[0]).name,
        version=origin.version,
        commit=origin.commit,
    )


def _table(paths: list[str], repository: Repository) -> str:
    return "\n".join(_row(path, repository) for path in paths)


def _row(path: str, repository: Repository) -> str:
    notebook = notebooks.read(path)
    title = notebook.cells[0].source.splitlines()[0].removeprefix("# ")
    course = notebook.metadata.course
    page = f"{repository.book}{path.removesuffix('.ipynb')}.html"
    return (
        f"| {course.kicker} | [{title}]({page}) | {course.minutes} minutes "
        f"| [Open in Colab]({repository.colab(path)}) |"
    )
