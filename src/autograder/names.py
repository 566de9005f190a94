"""Student ids as names of folders, and in nbgrader's gradebook: safe, readable, one to one.

Letters and digits of any script and ``- _ . @`` and spaces stand as they are; whatever
else there may be becomes ``~`` and two hexadecimal digits for each byte of its UTF-8. An
id that is too long for a folder keeps its beginning and gets ``~~`` and its hash; as every
``~`` of an id is itself written ``~7E``, no other id can look like that.

Upper and lower case stay apart, as they do in every folder on Linux.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache

# What nbgrader's tables and folders hold of a student id: letters, and bytes.
LONGEST = 120
LONGEST_IN_BYTES = 240
SEPARATORS = "-_.@ "
# A first letter that hides a folder, starts an option or a formula; a last one that is lost.
NOT_FIRST = "-.@ "
NOT_LAST = ". "
ESCAPED = re.compile(r"(?:~[0-9A-F]{2})+")


@cache
def folder_name(student_id: str) -> str:
    """Return a student id as the name of a folder.

    Args:
        student_id: not empty, any characters, lone surrogates too.

    Raises:
        ValueError: the id is empty.
    """
    if not student_id:
        raise ValueError("a student id must not be empty")
    last = len(student_id) - 1
    name = "".join(
        char if _is_plain(char, at == 0, at == last) else _escaped(char)
        for at, char in enumerate(student_id)
    )
    return name if _fits(name) else _shortened(name, student_id)


def student_of(folder: str) -> str:
    """Return the student id that a folder's name stands for.

    Raises:
        ValueError: the id was too long for a folder, so that only its beginning and
            its hash are left; or the name is none that ``folder_name`` gives.
    """
    try:
        student_id = ESCAPED.sub(_unescaped, folder)
    except UnicodeDecodeError as error:
        raise ValueError(f"{folder!r} is no name of a student's folder") from error
    if not student_id or folder_name(student_id) != folder:
        raise ValueError(f"{folder!r} does not hold a whole student id")
    return student_id


def _is_plain(char: str, first: bool, last: bool) -> bool:
    if (first and char in NOT_FIRST) or (last and char in NOT_LAST):
        return False
    # Letters, the marks on them, and numbers.
    return char in SEPARATORS or unicodedata.category(char)[0] in "LMN"


def _escaped(char: str) -> str:
    return "".join(f"~{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def _unescaped(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("~", "")).decode("utf-8", "surrogatepass")


def _fits(name: str) -> bool:
    return len(name) <= LONGEST and len(name.encode()) <= LONGEST_IN_BYTES


def _shortened(name: str, student_id: str) -> str:
    digest = hashlib.sha256(student_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    # 40 letters have at most 160 bytes, in any script.
    return f"{name[:40]}~~{digest}"
