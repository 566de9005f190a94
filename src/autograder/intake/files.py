"""Files as they lie in a folder or a zip, before anybody knows whose they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from autograder.errors import GradingError
from autograder.refused import Refused

STAMP = "timestamp.txt"  # nbgrader's, beside a notebook: when it was handed in
MAX_FILES = 100_000  # in a folder or a zip
MAX_DEPTH = 12  # folders within folders
RUBBISH = frozenset(("__macosx", "thumbs.db", "desktop.ini"))


class IntakeError(GradingError, ValueError):
    """Nothing can be graded: for whoever started the grading."""


@dataclass(frozen=True)
class File:
    """One file of somebody's, or something that stands where a file should.

    Attributes:
        parts: the folders and the name, from the top, as they came.
        problem: why it cannot be taken, in a sentence for the student; "" if it can.
        load: returns its bytes; raises Refused.
    """

    parts: tuple[str, ...]
    problem: str
    load: Callable[[], bytes]

    @property
    def path(self) -> str:
        """The whole name, relative to the top."""
        return "/".join(self.parts)

    def content(self) -> bytes:
        """Return the file's bytes.

        Raises:
            Refused: they cannot be had.
        """
        if self.problem:
            raise Refused(self.problem)
        return self.load()


def is_rubbish(name: str) -> bool:
    """Say whether a file or folder is one that systems and editors leave behind."""
    return name.startswith(".") or name.casefold() in RUBBISH


def as_text(name: str) -> str:
    r"""Return a name that can be written anywhere: bytes that are no text become "\xff"."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
