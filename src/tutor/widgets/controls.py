"""Labelled native inputs for the markup of interactives; controls.mjs connects them.

Each chooses one of a trait's *stops*: the values that the input offers, in order. A
trait may also hold a value between them; the input then stands at the nearest.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Mapping, Sequence
from numbers import Real


def slider(trait: str, label: str, stops: Sequence[Real], value: Real, text: str) -> str:
    """Return a slider over positive stops; ``text`` is the value as people read it."""
    return (
        f'<label class="tw-setting"><span>{label}</span>'
        f'<b aria-hidden="true">{text}</b><input type="range" min="0" max="{len(stops) - 1}"'
        f' value="{place(stops, value)}" data-trait="{trait}"'
        f' data-stops="{_json(stops)}" aria-valuetext="{text}"></label>'
    )


def select(trait: str, label: str, options: Mapping[object, str], value: object) -> str:
    """Return a choice among the options: each value of the trait with its name."""
    stops = list(options)
    chosen = place(stops, value)
    names = "".join(
        f'<option value="{i}"{" selected" if i == chosen else ""}>{html.escape(name)}</option>'
        for i, name in enumerate(options.values())
    )
    return (
        f'<label class="tw-setting"><span>{label}</span><select data-trait="{trait}"'
        f' data-stops="{_json(stops)}">{names}</select></label>'
    )


RESET = '<button type="button" data-part="reset">Reset</button>'


def place(stops: Sequence, value) -> int:
    """Return where a text stands among the stops, or the stop nearest to a number."""
    if isinstance(value, str):
        return stops.index(value)
    # By ratio: sliders over several powers of ten have stops of equal ratios.
    distances = [abs(math.log(stop / value)) for stop in stops]
    return distances.index(min(distances))


def _json(stops: Sequence) -> str:
    return html.escape(json.dumps(stops, separators=(",", ":")))
