"""Code in ink: a name that means query, key, value or output takes that part's colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from pygments.formatters import HtmlFormatter
from pygments.token import Name, Token, _TokenType
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

from .inks import PARTS

# Pygments turns a token type of its own into the class "n-Iq", and so on.
_INKED = {
    name: getattr(Name, f"I{letter}")
    for part, letter in PARTS.items()
    for name in (part, letter, letter.upper())
}


class InkedFormatter(HtmlFormatter):
    """Pygments' HTML with the names of the four parts marked."""

    def format_unencoded(
        self, tokensource: Iterable[tuple[_TokenType, str]], outfile: TextIO
    ) -> None:
        """Write the tokens as HTML, the four parts' names under types of their own."""
        super().format_unencoded(_inked(tokensource), outfile)


def _inked(tokens: Iterable[tuple[_TokenType, str]]) -> Iterator[tuple[_TokenType, str]]:
    for kind, text in tokens:
        yield (_INKED.get(text, kind) if kind is Token.Name else kind), text


def setup(app: Sphinx) -> None:
    """Let Sphinx's highlighter write with our formatter: the attribute is its hook."""
    PygmentsBridge.html_formatter = InkedFormatter
