"""Code in ink: a name that means query, key, value or output takes that part's colour.

Only what the style sheet sets apart is marked up. (With a tag around every bracket,
code was a quarter of a lesson's bytes.) Code that a notebook hides is a fold.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TextIO

from myst_nb.sphinx_ import HideCodeCellNode
from pygments.formatters import HtmlFormatter
from pygments.token import Comment, Keyword, Name, Operator, String, Token, _TokenType
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge
from sphinx.writers.html5 import HTML5Translator

from .inks import PARTS

# Pygments turns a token type of its own into the class "n-Iq", and so on.
_INKED = {
    name: getattr(Name, f"I{letter}")
    for part, letter in PARTS.items()
    for name in (part, letter, letter.upper())
}
# Pygments takes a call of "case(...)" that starts a line for the statement.
_SOFT_KEYWORDS = ("match", "case", "type")
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
    if kind is Name or text in _SOFT_KEYWORDS:
        return _INKED.get(text, Token.Text)
    return next((style for parent, style in _STYLED.items() if kind in parent), Token.Text)


def _visit_hidden(self: HTML5Translator, node: HideCodeCellNode) -> None:
    self.body.append(f'<details class="hide"><summary>{escape(node["prompt_show"])}</summary>')


def _depart_hidden(self: HTML5Translator, node: HideCodeCellNode) -> None:
    self.body.append("</details>")


def setup(app: Sphinx) -> None:
    """Let Sphinx's highlighter write with our formatter: the attribute is its hook."""
    PygmentsBridge.html_formatter = InkedFormatter
    # myst-nb's own summary has a name that differs from what it shows.
    app.setup_extension("myst_nb")
    app.add_node(HideCodeCellNode, override=True, html=(_visit_hidden, _depart_hidden))
