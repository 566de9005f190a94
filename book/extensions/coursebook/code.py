"""Code in ink: a name that means query, key, value or output takes that part's colour.

Only what the style sheet sets apart is marked up. (With a tag around every bracket,
code was a quarter of a lesson's bytes.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from pygments.formatters import HtmlFormatter
from pygments.token import Comment, Keyword, Name, Operator, String, Token, _TokenType
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

from .inks import PARTS

# Pygments turns a token type of its own into the class "n-Iq", and so on.
_INKED = {
    name: getattr(Name, f"I{letter}")
    for part, letter in PARTS.items()
    for name in (part, letter, letter.upper())
}
# The first type that a token belongs to is the one it is written as.
_STYLED = {
    Keyword: Keyword,
    Operator.Word: Keyword,
    Name.Function: Name.Function,
    Name.Class: Name.Function,
    Comment: Comment,
    String: String,
}


class InkedFormatter(HtmlFormatter):
    """Pygments' HTML with the names of the four parts marked, and less else."""

    def format_unencoded(
        self, tokensource: Iterable[tuple[_TokenType, str]], outfile: TextIO
    ) -> None:
        """Write the tokens as HTML."""
        written = ((_written_as(kind, text), text) for kind, text in tokensource)
        super().format_unencoded(written, outfile)


def _written_as(kind: _TokenType, text: str) -> _TokenType:
    if kind is Name:
        return _INKED.get(text, Token.Text)
    return next((style for parent, style in _STYLED.items() if kind in parent), Token.Text)


def setup(app: Sphinx) -> None:
    """Let Sphinx's highlighter write with our formatter: the attribute is its hook."""
    PygmentsBridge.html_formatter = InkedFormatter
