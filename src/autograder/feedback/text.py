"""Anybody's text as HTML: escaped, and with everything in it to be seen.

A page is made of ``Markup`` that the functions of this package return; every other text
goes through ``visible``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from markupsafe import Markup

# Control characters (but tabs and line feeds), invisible ones, those that turn the
# direction of writing, lone halves of characters, and private ones.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
# What a terminal would obey: colours, titles, the moves of a cursor.
ESCAPES = re.compile(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]*[0-~])"
)


def visible(text: str) -> Markup:
    """Return a text as HTML in which nothing is hidden and nothing is markup."""
    return mark_unseen(html.escape(text))


def mark_unseen(safe: str) -> Markup:
    """Replace the characters that nobody sees by their names, in safe HTML."""
    return Markup(UNSEEN.sub(_named, safe))


def printed(text: str) -> str:
    """Return what a terminal would be left with: no escapes, overwritten lines gone."""
    lines = ESCAPES.sub("", text).split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def with_code(text: str) -> Markup:
    """Return one line as HTML, what stands between backticks as code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return visible(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(visible(piece)) if at % 2 else visible(piece)
        for at, piece in enumerate(pieces)
    )


def shortened(text: str, longest: int) -> str:
    """Return a text of bounded length; of a longer one its beginning and its end.

    The end is kept because that is where an error says what it is.
    """
    if len(text) <= longest:
        return text
    head, tail = longest * 2 // 3, longest // 3
    note = f"[… {len(text) - head - tail:,} characters are left out here …]"
    return f"{text[:head]}\n{note}\n{text[len(text) - tail :]}"


def fitted(text: str, render: Callable[[str], Markup], longest: int) -> Markup:
    """Return a text's HTML, the text cut until that fits.

    Args:
        text: what to show.
        render: makes HTML of it.
        longest: what the HTML may have of characters.
    """
    keep = longest
    shown = render(shortened(text, keep))
    while len(shown) > longest:
        keep //= 2
        shown = render(shortened(text, keep))
    return shown


def _named(match: re.Match[str]) -> str:
    return f'<span class="unseen">U+{ord(match[0]):04X}</span>'
