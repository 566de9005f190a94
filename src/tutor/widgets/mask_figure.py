"""The markup of :class:`tutor.widgets.MaskPainter`; mask_painter.mjs repaints it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool

import sdpa
from tutor.widgets import controls
from tutor.widgets.cells import shade, short
from tutor.widgets.drawing import fixed
from tutor.widgets.frame import Slots, cases, frame

WINDOW, PADDED = 3, 2
NAMES = {"all": "All", "causal": "Causal", "window": "Sliding window", "padding": "Padding"}


def pattern(name: str, n_q: int, n_k: int) -> Bool[np.ndarray, "n_q n_k"]:
    """Return one of the masks that the buttons paint; patterns.mjs has the same."""
    if name == "causal":
        return sdpa.causal_mask(n_q, n_k)
    if name == "window":
        return sdpa.sliding_window_mask(n_q, n_k, WINDOW)
    length = n_k if name == "all" else max(1, n_k - PADDED)
    return np.tile(sdpa.padding_mask(np.array(length), n_k), (n_q, 1))


def markup(*, allowed, weights) -> str:
    """Return the widget's HTML for this state; the middle row is spoken of first."""
    row = _row_to_speak_of(allowed, len(allowed) // 2)
    count, n_k = int(allowed[row].sum()), allowed.shape[1]
    slots = Slots({"row": str(row + 1), "count": str(count)})
    content = f"""\
<div class="tw-controls">{_buttons(allowed)}{controls.RESET}</div>
<div class="tw-scroll">{_grid(allowed, weights)}</div>"""
    return frame(
        "tw-mask",
        label="Mask of queries and keys",
        title="Paint the mask",
        hint="click or drag over cells; or arrow keys and space",
        content=content,
        says=_sentences(slots, "none" if count == 0 else "all" if count == n_k else "some", n_k),
    )


def _row_to_speak_of(allowed, current: int) -> int:
    """Return a row that sees nothing, if there is one, else the current one."""
    empty = np.flatnonzero(~allowed.any(axis=1))
    return int(empty[0]) if allowed[current].any() and empty.size else current


def _buttons(allowed) -> str:
    return "".join(
        f'<button type="button" data-pattern="{name}"'
        f' aria-pressed="{_is(np.array_equal(allowed, pattern(name, *allowed.shape)))}">'
        f"{label}</button>"
        for name, label in NAMES.items()
    )


def _is(holds: bool) -> str:
    return "true" if holds else "false"


def _grid(allowed, weights) -> str:
    n_q, n_k = allowed.shape
    names = "".join(f'<span role="columnheader" class="ik">k{j + 1}</span>' for j in range(n_k))
    rows = "".join(_row(i, allowed[i], weights[i].tolist(), n_q // 2) for i in range(n_q))
    return (
        f'<div class="tw-grid" role="grid" aria-label="Mask, queries by keys" data-part="grid"'
        f' style="--n:{n_k}"><div role="row"><span role="gridcell"></span>{names}'
        f'<span role="columnheader">sum</span></div>{rows}</div>'
    )


def _row(i: int, allowed, weights: list[float], current: int) -> str:
    is_empty = not any(allowed.tolist())
    cells = "".join(
        f'<span role="gridcell">{_cell(i, j, is_allowed, weight, is_empty, i == current)}</span>'
        for j, (is_allowed, weight) in enumerate(zip(allowed.tolist(), weights, strict=True))
    )
    return (
        f'<div role="row"><span role="rowheader" class="iq">q{i + 1}</span>{cells}'
        f'<span role="gridcell" data-part="sum">{fixed(sum(weights), 2)}</span></div>'
    )


def _cell(i: int, j: int, is_allowed: bool, weight: float, is_empty: bool, is_current: bool) -> str:
    look = shade(weight) if is_allowed else 'class="tw-cell tw-blocked" style="--w:0.000"'
    said = f"weight {fixed(weight, 2)}" if is_allowed else "blocked, weight 0"
    text = short(weight) if is_allowed else "0" if is_empty else ""
    return (
        f'<button type="button" data-part="cell" {look} aria-pressed="{_is(is_allowed)}"'
        f' aria-label="query {i + 1}, key {j + 1}: {said}"'
        f' tabindex="{0 if is_current and j == 0 else -1}">{text}</button>'
    )


def _sentences(slots: Slots, case: str, n_k: int) -> str:
    query = f'<b class="iq">Query</b> {slots("row")}'
    sentences = {
        "all": f'{query} may look at all {n_k} <b class="ik">keys</b>: nothing is blocked, and its'
        " weights sum to 1.",
        "some": f'{query} may look at {slots("count")} of {n_k} <b class="ik">keys</b>: blocked'
        " ones get exactly 0, and its weights still sum to 1.",
        "none": f'{query} has no <b class="ik">key</b> left to look at: its row is all zeros, and'
        ' so is its <b class="io">output</b>.',
    }
    return cases(sentences, case)
