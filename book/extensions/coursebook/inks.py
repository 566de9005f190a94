"""The four inks: colour means query, key, value or output, and nothing else."""

from __future__ import annotations

import re

# Light values, the contract with notebooks: they also look right outside the book.
COLOURS = {"q": "#2352a3", "k": "#ad4a0c", "v": "#0c7662", "o": "#6a1b62"}
# The part of attention that each ink stands for.
PARTS = {"query": "q", "key": "k", "value": "v", "output": "o"}

_LETTERS = {colour: letter for letter, colour in COLOURS.items()}
# In styles only: MathML's attributes know no variables, its annotation is the source.
_STYLED = re.compile(f"(?<=color:)(?:{'|'.join(_LETTERS)})", re.IGNORECASE)


def to_variables(html: str) -> str:
    """Replace the inks' light values by the style sheet's variables.

    So what a notebook coloured follows the theme: ``color:#2352a3`` becomes
    ``color:var(--q)``.
    """
    return _STYLED.sub(lambda match: f"var(--{_LETTERS[match[0].lower()]})", html)


def marks(parts: list[str], label: str) -> str:
    """Return the marks of these parts as HTML; ``label`` says what they mean here."""
    shapes = "".join(f'<i class="mark i{PARTS[part]}"></i>' for part in parts)
    return f'<span class="marks" role="img" aria-label="{label} {listing(parts)}">{shapes}</span>'


def listing(words: list[str]) -> str:
    """Join words as a sentence does: "query, key and value"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
