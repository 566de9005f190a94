r"""Short texts with ``code``, *emphasis* and $math$, turned into HTML.

The math becomes MathML here, in Python: a notebook in Colab has nothing in the page
that could do it. ``\$`` is a dollar sign; all else is shown as it is written.
"""

from __future__ import annotations

import html
import itertools
import re
import xml.etree.ElementTree as ET
from functools import cache

from latex2mathml import exceptions
from latex2mathml.converter import convert

PART = re.compile(r"\\\$|\$([^$]*)\$([.,;:?!)]*)|`([^`]+)`|\*(?! )([^*]+)(?<! )\*")
ENVIRONMENT = re.compile(r"\\begin\{(\w+\*?)\}")
ENVIRONMENTS = {"matrix", "pmatrix", "bmatrix", "vmatrix", "cases", "aligned", "array"}
# The course's colours for query, key, value and output, as its notebooks write them.
INKS = {"#2352a3": "q", "#ad4a0c": "k", "#0c7662": "v", "#6a1b62": "o"}
ARGUMENTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2} | {
    "msubsup": 3,
    "munderover": 3,
}
# LaTeX as words, applied in this order until nothing changes.
SPOKEN = [
    (re.compile(r"\\textcolor\{[^{}]*\}\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r" the square root of \1 "),
    (re.compile(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}"), r" \1 over \2 "),
    (re.compile(r"\^\{?([^{}\\ ]+)\}?"), r" to the power \1 "),
    (re.compile(r"_\{?([^{}\\ ]+)\}?"), r" sub \1 "),
]
ET.register_namespace("", "http://www.w3.org/1998/Math/MathML")


class MarkupError(ValueError):
    """A text or its math cannot be shown; the message quotes it and says why."""


def to_html(text: str) -> str:
    """Return the text as HTML.

    Raises:
        MarkupError: the math is no LaTeX that can be shown, or a dollar sign has no
            partner.
    """
    pieces, end = [], 0
    for match in PART.finditer(text):
        pieces += [_plain(text[end : match.start()], text), _part(match)]
        end = match.end()
    return "".join([*pieces, _plain(text[end:], text)])


def to_words(text: str) -> str:
    """Return the text for a screen reader that cannot read MathML, math in words."""
    return " ".join(PART.sub(_words, text).split())


def _words(match: re.Match[str]) -> str:
    math, punctuation, code, emphasis = match.groups()
    if math is None:
        return code or emphasis or "$"
    before = None
    while before != math:
        before = math
        for pattern, words in SPOKEN:
            math = pattern.sub(words, math)
    return re.sub(r"[\\{}]", " ", math).strip() + punctuation


def _plain(piece: str, text: str) -> str:
    if "$" in piece:
        raise MarkupError(f"a $ without its partner in {text!r}; write \\$ for a dollar sign")
    return html.escape(piece, quote=False)


def _part(match: re.Match[str]) -> str:
    math, punctuation, code, emphasis = match.groups()
    if math is not None:
        # A line must not begin with the punctuation after a formula.
        return f'<span class="tw-together">{to_mathml(math)}{punctuation}</span>'
    if code is not None:
        return f"<code>{html.escape(code, quote=False)}</code>"
    if emphasis is not None:
        return f"<em>{html.escape(emphasis, quote=False)}</em>"
    return "$"


@cache
def to_mathml(latex: str) -> str:
    r"""Return LaTeX math as MathML; \textcolor in one of the four inks follows the theme.

    Raises:
        MarkupError: it is no LaTeX that can be shown.
    """
    try:
        _check_source(latex)
        root = ET.fromstring(convert(latex))
    except (*_latex_errors(), ET.ParseError) as error:
        reason = str(error) or type(error).__name__
        raise MarkupError(f"cannot show the math {latex!r}: {reason}") from error
    for element in root.iter():
        _check_element(element, latex)
        _recolour(element)
        _mark_signs(element)
    return ET.tostring(root, encoding="unicode").replace("ns0:", "").replace(":ns0", "")


def _latex_errors() -> tuple[type[Exception], ...]:
    found = vars(exceptions).values()
    return tuple(e for e in found if isinstance(e, type) and issubclass(e, Exception))


def _check_source(latex: str) -> None:
    """Refuse what the converter would let pass and show wrongly."""
    bare = re.sub(r"\\[{}\\]", "", latex)
    if bare.count("{") != bare.count("}"):
        raise MarkupError(f"cannot show the math {latex!r}: braces do not match")
    if unknown := set(ENVIRONMENT.findall(latex)) - ENVIRONMENTS:
        known = ", ".join(sorted(ENVIRONMENTS))
        raise MarkupError(
            f"cannot show the math {latex!r}: unknown environment {', '.join(unknown)}"
            f" (known: {known})"
        )


def _check_element(element: ET.Element, latex: str) -> None:
    name = element.tag.rpartition("}")[2]
    if len(element) != ARGUMENTS.get(name, len(element)):
        raise MarkupError(f"cannot show the math {latex!r}: an argument is missing")
    if name != "mtext" and "\\" in (element.text or ""):
        raise MarkupError(f"cannot show the math {latex!r}: unknown command {element.text}")


def _recolour(element: ET.Element) -> None:
    """Write a colour as CSS, the four inks as the widgets' variables."""
    colour = element.attrib.pop("mathcolor", None)
    if colour is not None:
        ink = INKS.get(colour.lower())
        value = f"var(--tw-{ink}, {colour})" if ink else colour
        element.set("style", f"color:{value}")


def _mark_signs(row: ET.Element) -> None:
    """Mark a minus after an opening bracket, comma or operator as a sign, set close."""
    for before, element in itertools.pairwise(row):
        is_minus = element.text == "−" and element.tag.endswith("}mo")
        if is_minus and before.tag.endswith("}mo") and before.text not in (")", "]", "}"):
            element.set("form", "prefix")
