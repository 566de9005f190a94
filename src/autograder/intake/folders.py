"""The files in a folder, links and other traps refused."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from autograder.intake.files import MAX_DEPTH, MAX_FILES, File, IntakeError, as_text, is_rubbish
from autograder.notebooks import MAX_FILE
from autograder.refused import Refused

LINK = "It is a link, which cannot be graded. Please hand in the notebook file itself."
NO_FILE = "It is no regular file. Please hand in the notebook file itself."
UNREADABLE = "The file cannot be read by the grader."
TOO_LARGE = f"The file is larger than {MAX_FILE // 1_000_000} MB."


def files_in_folder(folder: Path) -> Iterator[File]:
    """Yield what lies in a folder and below, in order of names; links are not followed.

    Raises:
        IntakeError: there is too much in it.
    """
    for number, file in enumerate(_walk(folder, ()), 1):
        if number > MAX_FILES:
            raise IntakeError(f"{folder} holds more than {MAX_FILES:,} files")
        yield file


def _walk(folder: Path, parts: tuple[str, ...]) -> Iterator[File]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        yield _trap(parts, "The folder cannot be read by the grader.")
        return
    for entry in entries:
        if is_rubbish(entry.name):
            continue
        here = (*parts, as_text(entry.name))
        try:
            mode = entry.stat(follow_symlinks=False).st_mode
        except OSError:
            yield _trap(here, UNREADABLE)
            continue
        if stat.S_ISDIR(mode):
            if here[-1].casefold().endswith(".ipynb"):
                yield _trap(here, "It is a folder, not a notebook file.")
            elif len(here) <= MAX_DEPTH:
                yield from _walk(Path(entry.path), here)
        elif stat.S_ISREG(mode):
            yield File(here, "", partial(_load, entry.path))
        else:
            yield _trap(here, LINK if stat.S_ISLNK(mode) else NO_FILE)


def _trap(parts: tuple[str, ...], problem: str) -> File:
    return File(parts, problem, bytes)


def _load(path: str) -> bytes:
    """Return a file's bytes; what it was when the folder was listed may have changed since."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Refused(NO_FILE)
            if status.st_size > MAX_FILE:
                raise Refused(TOO_LARGE)
            return file.read(MAX_FILE)
    except OSError:
        raise Refused(UNREADABLE) from None
