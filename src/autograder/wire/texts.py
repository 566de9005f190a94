"""Texts that came out of a sandbox, made fit for files and pages."""

from __future__ import annotations

from typing import Any


def clean(text: Any, length: int) -> str:
    """Return the beginning of a text without what cannot be encoded, and without NUL."""
    beginning = str(text)[:length].replace("\0", "\N{REPLACEMENT CHARACTER}")
    return beginning.encode("utf-8", "replace").decode()
