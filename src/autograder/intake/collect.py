"""From a folder or a zip to one submission for each student."""

from __future__ import annotations

import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from autograder.intake.files import STAMP, File, IntakeError, as_text
from autograder.intake.folders import files_in_folder
from autograder.intake.names import folded, normal_form, read_name
from autograder.intake.owners import Pile, is_notebook, piles_of, stem
from autograder.intake.times import read_time
from autograder.intake.zips import files_in_zip
from autograder.model import Submission
from autograder.refused import Refused

SHOWN = 5  # names in one sentence
NO_NOTEBOOK = "There is no notebook (.ipynb) among the files that were handed in."


def collect(path: Path, assignment_name: str, timezone: tzinfo = UTC) -> list[Submission]:
    """Return what each student handed in for a problem set, in order of their ids.

    Args:
        path: a folder or a zip: nbgrader's ``submitted/STUDENT/SET/``, a folder for each
            student, or notebooks with the students in their names.
        assignment_name: such as "ps4_masking".
        timezone: the course's, in which time stamps without a zone are read.

    Raises:
        IntakeError: there is nothing to grade at ``path``. What is wrong with a student's
            file never raises: that submission says why it is refused.
    """
    with _files(path) as (files, above):
        piles = piles_of(files, assignment_name, above)
        submissions = [_submission(pile, assignment_name, timezone) for pile in piles]
    if not submissions:
        raise IntakeError(f'{path} holds no notebook for "{assignment_name}"')
    return sorted(_with_namesakes(submissions), key=lambda found: found.student_id)


@contextmanager
def _files(path: Path) -> Iterator[tuple[Iterable[File], Sequence[str]]]:
    """Yield the files at a path, and the names of what holds them, the nearest first."""
    if not path.exists():
        raise IntakeError(f"{path} does not exist")
    whole = path.resolve()
    if path.is_dir():
        yield files_in_folder(path), [as_text(whole.name), as_text(whole.parent.name)]
        return
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise IntakeError(f"{path} is neither a folder nor a zip that can be read") from error
    with archive:
        yield files_in_zip(archive), [as_text(whole.stem)]


def _submission(pile: Pile, set_name: str, zone: tzinfo) -> Submission:
    notebooks = [file for file in pile.files if is_notebook(file)]
    flags = list(pile.flags)
    stamps = {file.parts[:-1]: file for file in pile.files if file.parts[-1] == STAMP}
    moments = {file: _moment(stamps.get(file.parts[:-1]), zone) for file in notebooks}
    if notebooks:
        chosen = max(reversed(notebooks), key=lambda file: _rank(file, set_name, moments[file][0]))
        flags += _passed_over(chosen, pile.files)
        content, refused = _content(chosen)
    else:
        trap = next((file for file in pile.files if file.problem), None)
        chosen = trap or pile.files[0]
        content, refused = None, trap.problem if trap else NO_NOTEBOOK
    submitted_at, flag = moments.get(chosen) or _moment(stamps.get(chosen.parts[:-1]), zone)
    flags += [flag] if flag else []
    return Submission(pile.student, chosen.path, content, refused, submitted_at, tuple(flags))


def _rank(file: File, set_name: str, moment: datetime | None) -> tuple:
    """Return what decides which of a student's notebooks counts: the largest does.

    A file that can be read; the problem set's very name; the latest; the highest number
    of a copy; the one not hidden in folders. Of equals it is the last.
    """
    return (
        not file.problem,
        folded(file.parts[-1]) == f"{folded(set_name)}.ipynb",
        moment or datetime.min.replace(tzinfo=UTC),
        read_name(stem(file), set_name).copy,
        -len(file.parts),
    )


def _content(file: File) -> tuple[bytes | None, str]:
    try:
        return file.content(), ""
    except Refused as refused:
        return None, refused.reason


def _passed_over(chosen: File, files: list[File]) -> Iterator[str]:
    """Yield what to know of the files that do not count."""
    others = [file for file in files if file is not chosen and file.parts[-1] != STAMP]
    if notebooks := [file for file in others if is_notebook(file)]:
        yield (
            f"Of {len(notebooks) + 1} notebooks {_quoted([chosen])} counts; "
            f"passed over: {_quoted(notebooks)}."
        )
    if rest := [file for file in others if not is_notebook(file)]:
        yield f"Other files were handed in and are not used: {_quoted(rest)}."


def _moment(stamp: File | None, zone: tzinfo) -> tuple[datetime | None, str]:
    """Return when something was handed in, and what to know of that."""
    if stamp is None:
        return None, "The time of submission is not known: there is no time stamp."
    try:
        return read_time(stamp.content()[:1000].decode("utf-8-sig"), zone), ""
    except (Refused, ValueError):  # a UnicodeDecodeError is a ValueError
        return None, "The time of submission is not known: the time stamp cannot be read."


def _with_namesakes(submissions: list[Submission]) -> Iterator[Submission]:
    """Flag students whose ids differ in little: they may be one, or be taken for one."""
    alike: dict[str, list[str]] = {}
    for found in submissions:
        alike.setdefault(_plain(found.student_id), []).append(found.student_id)
    for found in submissions:
        others = [name for name in alike[_plain(found.student_id)] if name != found.student_id]
        if others:
            named = ", ".join(f'"{name}"' for name in others[:SHOWN])
            flag = f"The id is much like that of another student: {named}."
            found = replace(found, flags=(*found.flags, flag))
        yield found


def _plain(student: str) -> str:
    """Return what is left of an id without case, marks and whatever is no letter or digit."""
    text = unicodedata.normalize("NFKD", student).casefold()
    return "".join(filter(str.isalnum, text)) or student


def _quoted(files: list[File]) -> str:
    names = ", ".join(f'"{normal_form(file.path)}"' for file in files[:SHOWN])
    return names + (f" and {len(files) - SHOWN} more" if len(files) > SHOWN else "")
