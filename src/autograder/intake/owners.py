"""Whose each file is: by nbgrader's folders, by a student's folder, or by the file's name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from autograder.intake.files import STAMP, File
from autograder.intake.names import folded, normal_form, read_name

NOTEBOOK = re.compile(r"\.ipynb(?:\.\w+)?$", re.IGNORECASE)  # browsers save ".ipynb.txt"
ARCHIVE = re.compile(r"\.(?:zip|7z|rar|tar|t?gz|bz2|xz)$", re.IGNORECASE)
SUBMITTED = "submitted"  # nbgrader's folder of all submissions


@dataclass
class Pile:
    """All that one student handed in.

    Attributes:
        student: the id, in Unicode's NFC form.
        files: in order.
        flags: what is odd about whose they are.
    """

    student: str
    files: list[File] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)


def is_notebook(file: File) -> bool:
    """Say whether a file is a notebook by its name."""
    return bool(NOTEBOOK.search(file.parts[-1]))


def is_handed_in(file: File) -> bool:
    """Say whether a file shows that its student handed something in."""
    return bool(is_notebook(file) or file.problem or ARCHIVE.search(file.parts[-1]))


def stem(file: File) -> str:
    """Return a notebook's or an archive's name without the ending."""
    return ARCHIVE.sub("", NOTEBOOK.sub("", file.parts[-1]))


def piles_of(files: Iterable[File], set_name: str, above: Sequence[str]) -> list[Pile]:
    """Sort files by the students they are of.

    Args:
        files: everything that there is.
        set_name: the problem set's.
        above: the names of what holds the files, the nearest first; a lone file without a
            student in its name is taken to be of the first that is not the set itself.
    """
    files = _submitted(list(files))
    top, is_nbgraders = _top(files, set_name)
    piles: dict[str, Pile] = {}
    flat = []
    folders: dict[str, list[File]] = {}
    for file in files:
        inner = file.parts[len(top) :]
        if file.parts[: len(top)] != top or not inner:
            continue  # no notebook, and in no student's folder
        if len(inner) > 1 or (file.problem and not is_notebook(file)):
            folders.setdefault(normal_form(inner[0]), []).append(file)
        elif is_handed_in(file):
            flat.append(file)
    for student, found in folders.items():
        taken = _of_the_set(found, len(top) + 1, folded(set_name), is_nbgraders)
        # Beside files named after students, a folder of pictures is no student.
        if taken and (is_nbgraders or not flat or any(map(is_handed_in, taken))):
            piles.setdefault(student, Pile(student)).files += taken
    for student, file, flags in _by_name(flat, set_name, [*reversed(top), *above], set(piles)):
        pile = piles.setdefault(student, Pile(student))
        pile.files.append(file)
        pile.flags += flags
    if len(piles) == 1:  # then a time stamp beside the notebook is of nobody else
        next(iter(piles.values())).files += [f for f in files if _is_beside(f, flat)]
    return list(piles.values())


def _submitted(files: list[File]) -> list[File]:
    """Of a whole course's folder, keep nbgrader's folder of submissions."""
    for depth in (0, 1):
        inside = [f for f in files if f.parts[depth : depth + 1] == (SUBMITTED,)]
        inside = [f for f in inside if len(f.parts) > depth + 1]
        # At the second level only below a lone first: no student's folder decides this.
        if inside and (not depth or len({f.parts[0] for f in files}) == 1):
            return inside
    return files


def _top(files: list[File], set_name: str) -> tuple[tuple[str, ...], bool]:
    """Return the folders above the students', and whether theirs are as nbgrader's."""
    counted = [file for file in files if is_handed_in(file)]
    levels = zip(*(file.parts[:-1] for file in counted), strict=False)
    shared = tuple(level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels))
    depths = [
        depth
        for file in counted
        for depth, part in enumerate(file.parts[: None if file.problem else -1])
        if depth
        and folded(part) == folded(set_name)
        and folded(file.parts[depth - 1]) not in (folded(set_name), SUBMITTED)
    ]
    if not depths or (min(depths) < len(shared) and _are_of_several(counted, set_name)):
        return shared, False
    return shared[: min(depths) - 1], True


def _are_of_several(files: list[File], set_name: str) -> bool:
    """Say whether files in one folder of the set's name are of several students."""
    names = {read_name(stem(file), set_name).student for file in files if is_notebook(file)}
    return "" not in names and len(names) > 1


def _of_the_set(files: list[File], depth: int, set_name: str, is_nbgraders: bool) -> list[File]:
    """Return those files in one student's folder that belong to the problem set."""
    within = [file for file in files if folded("".join(file.parts[depth : depth + 1])) == set_name]
    if any(map(is_handed_in, within)):
        return within
    if not is_nbgraders:
        return files
    here = [file for file in files if len(file.parts) <= depth + 1]
    named = [file for file in files if is_notebook(file) and folded(stem(file)) == set_name]
    if any(map(is_handed_in, (*here, *named))) or within:
        return list(dict.fromkeys([*within, *here, *named]))
    return []  # for other problem sets only


def _by_name(
    flat: list[File], set_name: str, above: list[str], taken: set[str]
) -> Iterator[tuple[str, File, list[str]]]:
    """Yield each file that lies in no student's folder with the student it seems to be of."""
    names = [read_name(stem(file), set_name) for file in flat]
    students = {name.student for name in names if name.student} | taken
    numbered = Counter(name.without_mark for name in names if name.is_numbered)
    for file, name in zip(flat, names, strict=True):
        if not name.student:
            student = _without_student(file, len(flat), set_name, above)
            shown = file.parts[-1]
            yield student, file, [f'The name "{shown}" holds no student; this id stands in.']
            continue
        is_copy = name.without_mark in students or (
            name.is_numbered and numbered[name.without_mark] == 1
        )
        yield (name.without_mark if name.without_mark and is_copy else name.student), file, []


def _without_student(file: File, count: int, set_name: str, above: list[str]) -> str:
    """Return the nearest folder's name for a lone file; several may be of several students."""
    no_names = {folded(set_name), SUBMITTED, ""}
    folders = [normal_form(name) for name in above if folded(name) not in no_names]
    whole = normal_form(stem(file))
    is_exact = folded(whole) == folded(set_name)
    return folders[0] if folders and (is_exact or count == 1) else whole or "unnamed"


def _is_beside(file: File, flat: list[File]) -> bool:
    return file.parts[-1] == STAMP and file.parts[:-1] in {other.parts[:-1] for other in flat}
