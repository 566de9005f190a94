"""The markup of :class:`tutor.widgets.LogitScale`; logit_scale.mjs moves it."""

from __future__ import annotations

import math

import numpy as np

from tutor.widgets import controls
from tutor.widgets.cells import bars, outline, shade, short
from tutor.widgets.drawing import fixed, significant
from tutor.widgets.frame import Slots, cases, facts, frame
from tutor.widgets.measures import entropy

SCALES = (
    *(0.1, 0.125, 0.16, 0.2, 0.25, 0.32, 0.4, 0.5, 0.64, 0.8, 1.0, 1.25, 1.6),
    *(2.0, 2.5, 3.2, 4.0, 5.0, 6.4, 8.0, 10.0, 12.5, 16.0, 20.0, 25.0, 32.0),
)
LARGEST = 0.25  # no entry of the Jacobian is further from 0: p (1 - p) at p = 1/2


def markup(*, scores, scale, weights, jacobian) -> str:
    """Return the widget's HTML for this state."""
    slots = Slots(
        {
            "scale": significant(scale, 3),
            "norm": fixed(float(np.linalg.norm(jacobian)), 3),
            "entropy": fixed(entropy(weights), 2),
            "largest": fixed(float(weights.max()), 2),
            "best": str(int(weights.argmax()) + 1),
        }
    )
    content = f"""\
<div class="tw-controls tw-settings">\
{controls.slider("scale", "Multiply the scores by", SCALES, scale, significant(scale, 3))}\
{controls.RESET}</div>
<div class="tw-columns"><div><p class="tw-caption">weights of the scores {_row(scores)}, \
times {slots("scale")}</p>
{bars([f"key {i + 1}" for i in range(len(weights))], weights.tolist())}</div>
<div><p class="tw-caption">Jacobian diag(<i>p</i>) − <i>p p</i><sup>T</sup>: \
filled is above 0, framed is below</p>{_heat_map(jacobian)}</div></div>
{_facts(slots, len(weights))}"""
    return frame(
        "tw-scale",
        label="Scaled scores",
        title="Scale the scores until softmax stops listening",
        hint="drag, or use the arrow keys",
        content=content,
        says=_sentences(slots, _fitting(weights), len(weights)),
    )


def _row(scores) -> str:
    return ", ".join(f"{score:g}" for score in scores).replace("-", "−")


def _heat_map(jacobian) -> str:
    entries = "".join(map(_cell, jacobian.ravel().tolist()))
    return (
        f'<div class="tw-jacobian" role="img" aria-label="Heat map of the Jacobian"'
        f' data-n="{len(jacobian)}" style="--n:{len(jacobian)}">{entries}</div>'
    )


def _cell(entry: float) -> str:
    look = outline if entry < 0 else shade
    return f'<span data-part="cell" {look(abs(entry) / LARGEST)}>{short(entry)}</span>'


def _facts(slots: Slots, n: int) -> str:
    return facts(
        {
            "Jacobian’s norm": slots("norm"),
            f"Entropy (of {fixed(math.log(n), 2)})": slots("entropy"),
            "Largest weight": slots("largest"),
        }
    )


def _fitting(weights) -> str:
    if entropy(weights) >= 0.98 * math.log(len(weights)):
        return "flat"
    return "saturated" if weights.max() >= 0.95 else "responsive"


def _sentences(slots: Slots, case: str, n: int) -> str:
    start = f"Times {slots('scale')}, "
    key = f'<b class="ik">key</b> {slots("best")}'
    sentences = {
        "flat": f"{start}the weights are nearly flat: entropy {slots('entropy')} of at most"
        f" {fixed(math.log(n), 2)}, and the Jacobian’s norm is {slots('norm')}.",
        "responsive": f"{start}softmax is responsive: {key} leads with {slots('largest')} of the"
        f" weight, and the Jacobian’s norm is {slots('norm')}.",
        "saturated": f"{start}softmax is saturated: {key} has {slots('largest')} of the weight, and"
        f" a Jacobian of norm {slots('norm')} lets hardly any gradient through.",
    }
    return cases(sentences, case)
