"""The pyproject.toml of the edition: what pip needs, and nothing of the workshop's."""

from __future__ import annotations

import re

# Tables by their first name or names; all others belong to our tests and tools.
_KEPT = re.compile(
    r"\[(build-system|project|project\.optional-dependencies|tool\.setuptools\b.*)\]"
)


def for_pip(text: str) -> str:
    """Return pyproject.toml with the tables that pip and setuptools read."""
    tables = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    return "".join(table for table in tables if _KEPT.match(table)).rstrip() + "\n"
