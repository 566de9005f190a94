"""Texts that came out of a sandbox, made fit for files and pages."""

from __future__ import annotations

import builtins
from typing import Any

# Types that students' functions return or raise without having made them.
_KNOWN_TYPES = {name for name, kind in vars(builtins).items() if isinstance(kind, type)}
_KNOWN_TYPES |= {
    "AxisError", "EinopsError", "Figure", "LinAlgError", "MaskedArray", "NoneType",
    "OutOfMemoryError", "Tensor", "UFuncTypeError", "_UFuncNoLoopError",
    "builtin_function_or_method", "coroutine", "function", "generator", "matrix", "method",
    "module", "ndarray",
}  # fmt: skip


def clean(text: Any, length: int) -> str:
    """Return the beginning of a text without what cannot be encoded, and without NUL."""
    beginning = str(text)[:length].replace("\0", "\N{REPLACEMENT CHARACTER}")
    return beginning.encode("utf-8", "replace").decode()


def known_type(name: Any, otherwise: str) -> str:
    """Return the name of a type where it is one of those known, else another.

    A type's name is shown to students, and one of their own making could carry what a
    hidden test called them with.
    """
    return name if isinstance(name, str) and name in _KNOWN_TYPES else otherwise
