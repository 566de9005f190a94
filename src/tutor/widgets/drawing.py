"""Numbers as text for drawings: the same digits as JavaScript's toFixed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from numbers import Real

Point = tuple[float, float]


def fixed(number: Real, digits: int) -> str:
    """Return the number with so many decimals; halves round away from 0, as in toFixed."""
    unit = Decimal(1).scaleb(-digits)
    # Adding 0 turns -0.0 into 0.0, which toFixed writes without a sign.
    return str(Decimal(float(number) + 0.0).quantize(unit, rounding=ROUND_HALF_UP))


def significant(number: Real, figures: int) -> str:
    """Return a number from 0 on with so many figures, but no more than 6 decimals."""
    decimals, rest = figures - 1, number
    while rest >= 10 and decimals > 0:
        decimals, rest = decimals - 1, rest / 10
    while 0 < rest < 1 and decimals < 6:
        decimals, rest = decimals + 1, rest * 10
    return fixed(number, decimals)


def pair(x: Real, y: Real) -> str:
    """Return a point as two coordinates of one decimal, in pixels."""
    return f"{fixed(x, 1)} {fixed(y, 1)}"


def smooth(points: Sequence[Point]) -> str:
    """Return an SVG path through the points: a Catmull-Rom curve as Bezier pieces."""
    last = len(points) - 1
    pieces = []
    for i in range(last):
        before, start, end, after = (points[min(max(j, 0), last)] for j in range(i - 1, i + 3))
        leave = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        arrive = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        pieces.append(f"C{pair(*leave)} {pair(*arrive)} {pair(*end)}")
    return f"M{pair(*points[0])}{''.join(pieces)}"
