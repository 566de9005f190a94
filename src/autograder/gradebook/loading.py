"""Loads a few modules of nbgrader, and not the rest of it, which takes seconds."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def quickly() -> Iterator[None]:
    """Import modules of nbgrader without its package's own code, which imports all of them.

    Where the package is loaded already nothing changes; whoever loads it later gets all.
    """
    # Where jsonschema finds this library it compiles a grammar for seconds, for formats
    # that no notebook holds. So it shall not find it.
    sys.modules.setdefault("rfc3987_syntax", None)
    if "nbgrader" in sys.modules:
        yield
        return
    package = ModuleType("nbgrader")
    package.__path__ = importlib.util.find_spec("nbgrader").submodule_search_locations
    sys.modules["nbgrader"] = package
    try:
        yield
    finally:
        del sys.modules["nbgrader"]
