"""Whose a file is, by its name: the student's part of it, without the marks of copies."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

SEPARATORS = " \t\r\n_.,;+-"
COPY_OF = re.compile(
    r"(?:copy(?: ?\(\d+\))? of|kopie von|copie de|c[oó]pia de|kopi av|kopia|kopie|копия)[\s_-]+",
    re.IGNORECASE,
)
# What programs and people put behind the name of a further copy.
WORDS = (
    "copy|kopie|copie|c[oó]pia|kopi|kopia|копия|副本|コピー|final|finished|done|new|neu|end|"
    "version|v|rev|draft|update|updated|corrected|submission|submitted|solution|abgabe|answers"
)
WORD = rf"(?:(?:{WORDS})\d{{0,3}}|\d{{1,3}})"
LEADING = re.compile(rf"(?:\(\d{{1,4}}\)|{WORD}(?![^\W_]))", re.IGNORECASE)
TRAILING = re.compile(rf"(?:\(\d{{1,4}}\)|(?<![^\W_]){WORD})$", re.IGNORECASE)
NUMBERED = re.compile(r"\s*\(\d{1,4}\)$")
# Nobody's name ends like this.
COPY = re.compile(r"[\s_-]+(?:copy|kopie|copie|c[oó]pia)[\s_-]*(?:\d*|\(\d+\))$", re.IGNORECASE)
COPY_NUMBER = re.compile(r"(?:[\s_(-]|copy|kopie)(\d{1,4})\)?$", re.IGNORECASE)


def normal_form(name: str) -> str:
    """Return a name in Unicode's NFC form, in which one student is one string."""
    return unicodedata.normalize("NFC", name)


def folded(name: str) -> str:
    """Return a name for comparisons that pass over case."""
    return normal_form(normal_form(name).casefold())


@dataclass(frozen=True)
class Name:
    """What a file's name says.

    Attributes:
        student: the part that names somebody, "" without one.
        without_mark: the same without what may be the mark of a copy and may be not.
        is_numbered: whether that mark is a number in parentheses.
        copy: the number of the copy, 0 without one.
    """

    student: str
    without_mark: str
    is_numbered: bool
    copy: int


def read_name(stem: str, set_name: str) -> Name:
    """Read the name of a notebook file.

    Args:
        stem: the name without its extension.
        set_name: the problem set's. Where the name holds it, what stands beside it is
            the student, and marks behind it are sure to be those of copies.
    """
    whole = stem = normal_form(stem).strip(SEPARATORS)
    while found := COPY_OF.match(stem):
        stem = stem[found.end() :]
    number = COPY_NUMBER.search(stem)
    copy = int(number[1]) if number else int(stem != whole or bool(COPY.search(stem)))
    if found := _named(set_name).search(stem):
        student = _beside(stem[: found.start()], stem[found.end() :])
        return Name(student, student, False, copy)
    student = COPY.sub("", stem)
    if found := NUMBERED.search(student):
        return Name(student, student[: found.start()], True, copy)
    return Name(student, _without(TRAILING, student), False, copy)


def _named(set_name: str) -> re.Pattern[str]:
    """Return what finds a problem set's name, whatever stands between its words."""
    words = filter(None, re.split(r"[\s_-]+", normal_form(set_name)))
    joined = r"[\s_-]*".join(map(re.escape, words))
    return re.compile(rf"(?<![^\W_]){joined}(?![^\W_])", re.IGNORECASE)


def _beside(before: str, after: str) -> str:
    """Return the student among what stands before and behind a problem set's name."""
    before = before.strip(SEPARATORS)
    if found := re.search(rf"(?:^|[\s_-]){COPY_OF.pattern}$", f"{before} ", re.IGNORECASE):
        before = before[: found.start()].rstrip(SEPARATORS)
    if not before.isdigit() and not _without(TRAILING, before):
        before = ""  # such as "submission", and nobody's name
    after = _without(TRAILING, _without(LEADING, after)).strip(SEPARATORS)
    return f"{before} {after}".strip()


def _without(mark: re.Pattern[str], text: str) -> str:
    """Return a text without the marks at its beginning or end."""
    while True:
        text = text.strip(SEPARATORS)
        found = mark.match(text) if mark is LEADING else mark.search(text)
        if not found:
            return text
        text = text[found.end() :] if mark is LEADING else text[: found.start()]
