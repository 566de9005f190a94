"""Weights as lengths and inks: bars, and the cells of a heat map; cells.mjs redraws them.

A weight is the CSS variable ``--w`` of its element, from which the style sheet makes
the width of a bar and the ink of a cell.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from numbers import Real

from tutor.widgets.drawing import fixed

STRONG = 0.55  # from here on a cell is so dark that its number is in the paper's colour


def bars(labels: Iterable[str], weights: Iterable[float]) -> str:
    """Return a list of keys, each with its weight as bar and number."""
    rows = "".join(
        f'<li data-part="bar" style="--w:{fixed(weight, 3)}"><span class="ik">{html.escape(label)}'
        f'</span><i></i><span data-part="weight">{fixed(weight, 2)}</span></li>'
        for label, weight in zip(labels, weights, strict=True)
    )
    return f'<ul class="tw-bars">{rows}</ul>'


def shade(level: Real) -> str:
    """Return class and style of a cell with ink of this level, 0 to 1."""
    strong = " tw-strong" if level >= STRONG else ""
    return f'class="tw-cell{strong}" style="--w:{fixed(level, 3)}"'


def outline(level: Real) -> str:
    """Return class and style of a cell with a frame of this level, 0 to 1."""
    return f'class="tw-cell tw-outlined" style="--w:{fixed(level, 3)}"'


def short(number: Real) -> str:
    """Return a number of at most 1 with two decimals, as narrow as can be: .21, −.08."""
    digits = fixed(abs(number), 2)
    sign = "−" if number < 0 and digits != "0.00" else ""
    return sign + digits.removeprefix("0")
