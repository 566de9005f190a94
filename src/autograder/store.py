"""Finished verdicts on disk: a killed run goes on from them, a repeated one repeats nothing."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from autograder.files import write_atomically
from autograder.model import Verdict

KEY = re.compile(r"[0-9a-f]{8,128}")
DIGEST_LENGTH = 64


class Store:
    """A folder of finished verdicts, one file for each key.

    The key stands for all that a verdict depends on: whoever gives it decides what is
    the same work. A file begins with the digest of the rest, so what is damaged or cut
    counts as absent.
    """

    def __init__(self, folder: Path):
        """Keep verdicts in this folder, which is made when the first one is stored."""
        self._folder = folder

    def get(self, key: str) -> Verdict | None:
        """Return the verdict stored under a key; None where there is none that is whole.

        Raises:
            ValueError: the key is no lower-case hexadecimal text.
        """
        try:
            content = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        digest, verdict = content[:DIGEST_LENGTH], content[DIGEST_LENGTH:]
        if digest != _digest(verdict):
            return None
        try:
            return Verdict.from_bytes(verdict)
        except (KeyError, TypeError, ValueError):  # written by another version
            return None

    def put(self, key: str, verdict: Verdict) -> None:
        """Store a verdict, if it is one: what failed for our own reasons is not finished.

        Raises:
            ValueError: the key is no lower-case hexadecimal text.
            OSError: the folder cannot be written to.
        """
        path = self._path(key)
        if verdict.status != "infrastructure":
            content = verdict.to_bytes()
            write_atomically(path, _digest(content) + content)

    def _path(self, key: str) -> Path:
        if not KEY.fullmatch(key):
            raise ValueError(f"the key of a verdict must be hexadecimal, got {key!r}")
        return self._folder / key[:2] / f"{key}.json"


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
