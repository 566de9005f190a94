"""The files in a zip, read where they are: nothing is ever unpacked onto the disk."""

from __future__ import annotations

import contextlib
import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from autograder.intake.files import MAX_FILES, File, IntakeError, as_text, is_rubbish
from autograder.intake.folders import LINK, NO_FILE, TOO_LARGE
from autograder.notebooks import MAX_FILE
from autograder.refused import Refused

MAX_TOTAL = 4_000_000_000  # bytes of all that is read out of one zip
MAX_RATIO = 300  # unpacked to packed, of anything larger than SMALL
SMALL = 5_000_000
OUTSIDE = "The file's name points out of the zip. Please hand in the notebook under a plain name."
ENCRYPTED = "The file is encrypted. Please hand it in without a password."
BOMB = "The file unpacks to very much more than its size. Please clear the notebook's outputs."
DAMAGED = "The file is damaged within the zip. Please hand it in again."
FULL = "All files of the zip together are too large to be read."
UTF_8 = 0x800  # the flag that says that a name is in UTF-8
IS_ENCRYPTED = 0x1
# Whatever broken entries make zipfile raise.
BROKEN = (
    zipfile.BadZipFile,
    NotImplementedError,
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    zlib.error,
    lzma.LZMAError,
)


@dataclass
class Zip:
    """An open zip, and how much more may be read out of it."""

    archive: zipfile.ZipFile
    left: int

    def load(self, entry: zipfile.ZipInfo) -> bytes:
        """Return an entry's bytes, or refuse it."""
        if entry.file_size > self.left:
            raise Refused(FULL)
        self.left -= entry.file_size
        try:
            with self.archive.open(entry) as file:
                return file.read(MAX_FILE + 1)
        except BROKEN:
            raise Refused(DAMAGED) from None


def files_in_zip(archive: zipfile.ZipFile) -> Iterator[File]:
    """Yield what an open zip holds, in its order.

    Raises:
        IntakeError: there is too much in it.
    """
    if len(archive.infolist()) > MAX_FILES:
        raise IntakeError(f"{archive.filename} holds more than {MAX_FILES:,} files")
    opened = Zip(archive, MAX_TOTAL)
    for entry in archive.infolist():
        name = _name(entry)
        parts = tuple(part for part in name.split("/") if part not in ("", ".", ".."))
        if not parts or any(map(is_rubbish, parts)):
            continue
        if name.endswith("/") and not parts[-1].casefold().endswith(".ipynb"):
            continue
        yield File(parts, _problem(entry, name), partial(opened.load, entry))


def _name(entry: zipfile.ZipInfo) -> str:
    """Return an entry's name; many programs write UTF-8 without saying so."""
    name = entry.filename
    if not entry.flag_bits & UTF_8:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return as_text(name).replace("\\", "/")


def _problem(entry: zipfile.ZipInfo, name: str) -> str:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if name.startswith("/") or re.match(r"[A-Za-z]:/", name) or ".." in name.split("/"):
        return OUTSIDE
    if kind == stat.S_IFLNK:
        return LINK
    if kind not in (0, stat.S_IFREG) or name.endswith("/"):
        return NO_FILE
    if entry.flag_bits & IS_ENCRYPTED:
        return ENCRYPTED
    if entry.file_size > MAX_FILE:
        return TOO_LARGE
    if entry.file_size > max(SMALL, MAX_RATIO * entry.compress_size):
        return BOMB
    return ""
