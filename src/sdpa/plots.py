"""Pictures of attention: arrays in, matplotlib Axes out; no mathematics.

Each of the four parts has one ink and one mark in every figure: query blue triangle,
key orange circle, value green square, output purple diamond.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool, Real
from matplotlib.axes import Axes

INK = {"query": "#2352a3", "key": "#ad4a0c", "value": "#0c7662", "output": "#6a1b62"}
MARKER = {"query": "^", "key": "o", "value": "s", "output": "D"}
TEXT, MUTED, RULE, PAPER = "#1b2026", "#59616a", "#d9dcd6", "#fcfcfa"

STYLE = Path(__file__).with_name("attention.mplstyle")


def use_style() -> None:
    """Draw all later figures of this process in the course's style."""
    plt.style.use(STYLE)


def draw_points(
    ax: Axes,
    points: Real[np.ndarray, "n 2"],
    part: str,
    labels: Sequence[str] = (),
    **options,
) -> Axes:
    """Draw points of the plane with the ink and mark of a part, labelled beside.

    Args:
        points: one row (x, y) for each point.
        part: "query", "key", "value" or "output".
        labels: one text for each point, or none.
        options: passed on to ``Axes.plot``.

    Raises:
        ValueError: there is no such part, or labels and points differ in number.
    """
    if part not in INK:
        raise ValueError(f"part is {part!r}; wanted one of {', '.join(INK)}")
    if len(labels) not in (0, len(points)):
        raise ValueError(f"got {len(labels)} labels; wanted one for each of {len(points)} points")
    style = {"color": INK[part], "marker": MARKER[part], "markersize": 8, "linestyle": "none"}
    ax.plot(*points.T, **(style | options))
    for (x, y), label in zip(points, labels, strict=False):
        # Left of the middle the label stands on the left, out of the others' way.
        offset, side = ((-8, 5), "right") if x < 0 else ((8, 5), "left")
        ax.annotate(label, (x, y), offset, textcoords="offset points", ha=side, color=INK[part])
    return ax


def draw_bars(
    ax: Axes, weights: Real[np.ndarray, "n"], labels: Sequence[str], largest: float = 1.0
) -> Axes:
    """Draw one horizontal bar for each weight, its number at the end.

    Args:
        weights: numbers from 0 to ``largest``.
        labels: what each weight belongs to, drawn in the ink of keys.
        largest: the number at which the scale ends.

    Raises:
        ValueError: labels and weights differ in number.
    """
    if len(labels) != len(weights):
        raise ValueError(f"got {len(labels)} labels; wanted {len(weights)}, one for each weight")
    rows = np.arange(len(weights))
    ax.barh(rows, np.full(len(weights), largest), height=0.6, color=RULE, alpha=0.5, lw=0)
    ax.barh(rows, weights, height=0.6, color=TEXT, lw=0)
    for row, weight in zip(rows, weights, strict=True):
        ax.text(1.04 * largest, row, f"{weight:.2f}", va="center", fontsize=11)
    ax.set_yticks(rows, labels, color=INK["key"])
    ax.set(xlim=(0, 1.2 * largest), ylim=(len(weights) - 0.4, -0.6), xticks=[])
    ax.tick_params(axis="y", length=0)
    ax.spines[:].set_visible(False)
    return ax


def draw_matrix(
    ax: Axes,
    matrix: Real[np.ndarray, "rows columns"],
    row_labels: Sequence[str] = (),
    column_labels: Sequence[str] = (),
    *,
    largest: float = 1.0,
    allowed: Bool[np.ndarray, "rows columns"] | None = None,
    decimals: int = 2,
) -> Axes:
    """Draw a matrix as a grid of cells, each with its number; larger is darker.

    Args:
        matrix: numbers from 0 to ``largest``.
        row_labels: one for each row, in the ink of queries; or none.
        column_labels: one for each column, in the ink of keys; or none.
        largest: the number drawn darkest.
        allowed: where False the cell is hatched instead: a blocked one.
        decimals: digits after the point.

    Raises:
        ValueError: labels or ``allowed`` do not fit the matrix.
    """
    rows, columns = matrix.shape
    for name, labels, size in (("row", row_labels, rows), ("column", column_labels, columns)):
        if len(labels) not in (0, size):
            raise ValueError(f"got {len(labels)} {name} labels; wanted {size}")
    if allowed is None:
        allowed = np.ones(matrix.shape, dtype=bool)
    if allowed.shape != matrix.shape:
        raise ValueError(f"allowed has shape {allowed.shape}; wanted {matrix.shape}, as matrix")
    for (row, column), number in np.ndenumerate(matrix):
        _draw_cell(ax, row, column, number / largest, bool(allowed[row, column]))
        if allowed[row, column]:
            color = PAPER if number > 0.55 * largest else TEXT
            text = f"{number:.{decimals}f}"
            ax.text(column, row, text, ha="center", va="center", color=color, fontsize=11)
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal")
    ax.set_xticks(range(columns) if column_labels else [], column_labels, color=INK["key"])
    ax.set_yticks(range(rows) if row_labels else [], row_labels, color=INK["query"])
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    return ax


def _draw_cell(ax: Axes, row: int, column: int, share: float, allowed: bool) -> None:
    """Draw one cell; the ramp skips the greys on which neither text colour is readable."""
    corner = (column - 0.48, row - 0.48)
    if not allowed:
        options = {"facecolor": "none", "edgecolor": MUTED, "hatch": "////", "lw": 0}
    else:
        darkness = 0.04 + 0.8 * share if share <= 0.55 else 0.72 + 0.24 * (share - 0.55) / 0.45
        options = {"facecolor": TEXT, "alpha": min(darkness, 1.0), "lw": 0}
    ax.add_patch(plt.Rectangle(corner, 0.96, 0.96, **options))
