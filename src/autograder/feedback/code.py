"""Code in ink: weight and grey tell its kinds apart, colour is for the four parts."""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape

from markupsafe import Markup
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Operator, String, _TokenType

from autograder.feedback.text import mark_unseen, visible

LEXER = PythonLexer(stripnl=False, ensurenl=False)
# A longer answer is no code that a person wrote: it is shown without distinctions.
LONGEST = 20_000
PARTS = {"query": "q", "key": "k", "value": "v", "output": "o"}
INKS = {
    name: f"i{letter}" for part, letter in PARTS.items() for name in (part, letter, letter.upper())
}
STYLED = (
    (Keyword, "k"),
    (Operator.Word, "k"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Comment, "c"),
    (String, "s"),
)
# Pygments takes a call of "case(...)" that starts a line for the statement.
SOFT_KEYWORDS = ("match", "case", "type")


@lru_cache(256)  # many leave a cell as they got it
def code(source: str) -> Markup:
    """Return Python as HTML with a class for what the style sheet sets apart."""
    if len(source) > LONGEST:
        return visible(source)
    pieces = []
    for kind, text in LEXER.get_tokens(source):
        name = INKS.get(text) if kind is Name else _style(kind)
        html = escape(text)
        is_plain = name is None or text in SOFT_KEYWORDS
        pieces.append(html if is_plain else f'<span class="{name}">{html}</span>')
    return mark_unseen("".join(pieces))


@cache
def _style(kind: _TokenType) -> str | None:
    return next((name for parent, name in STYLED if kind in parent), None)
