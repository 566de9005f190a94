"""The markup of :class:`tutor.widgets.QueryAmongKeys`; query_among_keys.mjs moves it.

What the module looks for is marked ``data-part``; a weight is the CSS variable ``--w``
of its element, from which the style sheet makes widths and opacities.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Sequence

from tutor.widgets.cells import bars
from tutor.widgets.drawing import Point, fixed, pair, smooth
from tutor.widgets.frame import cases

# Pixels. The plane's origin is in the middle; keys keep this far from it at most, so
# that a label fits beside them.
PLANE_WIDTH, PLANE_HEIGHT, RADIUS = 340, 268, 112
CURVES_WIDTH, CURVES_HEIGHT, MARGIN = 232, 104, 6
LETTER = 8.0

TEMPERATURES = (
    *(0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6),
    *(0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10),
)
TRIANGLE = "M0 -11 10.5 8H-10.5Z"
DIAMOND = "M0-7 7 0 0 7-7 0Z"


def markup(*, query, keys, labels, values, temperature, weights, output) -> str:
    """Return the widget's HTML for this state; arguments as the widget's traits."""
    plane = _plane(query, keys, labels, weights)
    return f"""\
<div class="tutor-widget tw-query" role="group" aria-label="Query among keys" \
data-lm-suppress-shortcuts="true">
<div class="tw-head"><span>Drag the <span class="iq">query <span aria-hidden="true">▲</span></span>\
</span><small>or focus it and use the arrow keys</small></div>
<div class="tw-columns">{plane}
<div><p class="tw-caption">weight on each key</p>{bars(labels, weights)}
<p class="tw-caption"><b class="iv"><span aria-hidden="true">■</span> values</b> blend into the \
<b class="io"><span aria-hidden="true">◆</span> output</b></p>{_curves(values, weights, output)}\
</div></div>
{_controls(temperature)}
<p class="tw-says" data-part="says">{_sentences(labels, weights)}</p>
<p class="tw-unseen" data-part="announcement" aria-live="polite"></p>
</div>"""


def reach(keys: Sequence[Point], query: Point) -> float:
    """Return how far from the origin the picture reaches, in the keys' unit."""
    farthest = max(*(math.hypot(*key) for key in keys), *map(abs, query))
    return farthest or 1.0


def _plane(query, keys, labels, weights) -> str:
    extent = reach(keys, query)
    scale = RADIUS / extent
    at = [(x * scale, -y * scale) for x, y in keys]
    x, y = query[0] * scale, -query[1] * scale
    limit = fixed(math.ceil(extent * 20) / 20, 2)
    left, top = fixed(50 + 100 * x / PLANE_WIDTH, 1), fixed(50 + 100 * y / PLANE_HEIGHT, 1)
    links = "".join(
        f'<path class="tw-link" data-part="link" data-key="{pair(*key)}"'
        f' style="--w:{fixed(weight, 3)}" d="M{pair(x, y)}L{pair(*key)}"/>'
        for key, weight in zip(at, weights, strict=True)
    )
    names = "".join(_key(*key, label) for key, label in zip(at, labels, strict=True))
    text = f"{{}}; {_most(labels, weights)}"
    return f"""
<div class="tw-plane" data-part="plane" style="--x:{left}%;--y:{top}%">
<svg viewBox="0 0 {PLANE_WIDTH} {PLANE_HEIGHT}" data-scale="{scale}" role="img" \
aria-label="The query among the keys in the plane">
<g transform="translate({PLANE_WIDTH // 2} {PLANE_HEIGHT // 2})" fill="none" stroke="currentColor">
<path class="tw-axes" d="M-128 0H128M0-126V126"/>{_unit_circle(scale)}{links}{names}
<path class="iq tw-arm" data-part="arm" d="M0 0L{pair(x, y)}"/>
<g class="iq tw-mark" data-part="query" data-drag transform="translate({pair(x, y)})">\
<circle class="tw-grip" r="22"/><circle class="tw-ring" r="17"/><circle class="tw-ping" r="11"/>\
<path d="{TRIANGLE}"/></g></g></svg>
{_place("across", query[0], limit, text)}{_place("up", query[1], limit, text)}</div>"""


def _unit_circle(scale: float) -> str:
    """Return the circle of length 1, where the picture has room for it."""
    return f'<circle class="tw-axes" r="{fixed(scale, 1)}"/>' if 24 < scale <= 126 else ""


def _key(x: float, y: float, label: str) -> str:
    """Return a key's ring and its name beside it, or above where that has no room."""
    side = -1 if x < -5 else 1
    beside = abs(x) + 12 + LETTER * len(label) < PLANE_WIDTH / 2
    anchor = ("end" if side < 0 else "start") if beside else "middle"
    overflow = LETTER * len(label) / 2 - (PLANE_WIDTH / 2 - abs(x))
    at = (
        (x + 12 * side, y + _label_drop(x, y))
        if beside
        else (x - side * max(0.0, overflow), y - 14)
    )
    return (
        f'<g class="ik tw-key"><circle cx="{fixed(x, 1)}" cy="{fixed(y, 1)}" r="6.5"/>'
        f'<text x="{fixed(at[0], 1)}" y="{fixed(at[1], 1)}" text-anchor="{anchor}">'
        f"{html.escape(label)}</text></g>"
    )


def _label_drop(x: float, y: float) -> int:
    """Return how far below its key a name stands, away from the vertical axis' middle."""
    if abs(x) < 35:
        return -10 if y < 0 else 16
    return -8


def _place(axis: str, entry: float, limit: str, text: str) -> str:
    """Return one coordinate of the query as a slider: what keyboards and readers use."""
    return (
        f'<input class="tw-place" data-part="place" type="range" hidden min="-{limit}"'
        f' max="{limit}" step="0.01" value="{fixed(entry, 2)}" aria-label="Query, {axis}"'
        f' aria-valuetext="{html.escape(text.format(fixed(entry, 2)))}">'
    )


def _curves(values, weights, output) -> str:
    across = max(len(values[0]) - 1, 1)
    step = (CURVES_WIDTH - 2 * MARGIN) / across
    largest = max(abs(entry) for row in values for entry in row) or 1.0
    scale, middle = (CURVES_HEIGHT / 2 - MARGIN) / largest, CURVES_HEIGHT / 2

    def points(value) -> list[Point]:
        entries = [*value] if len(value) > 1 else [*value, *value]
        return [(MARGIN + i * step, middle - entry * scale) for i, entry in enumerate(entries)]

    curves = "".join(
        f'<path class="iv tw-curve" data-part="curve" style="--w:{fixed(weight, 3)}"'
        f' d="{smooth(points(value))}"/>'
        for value, weight in zip(values, weights, strict=True)
    )
    blended = smooth(points(output))
    return f"""
<svg class="tw-curves" data-part="curves" viewBox="0 0 {CURVES_WIDTH} {CURVES_HEIGHT}" \
data-left="{MARGIN}" data-step="{step}" data-middle="{middle}" data-scale="{scale}" \
fill="none" stroke="currentColor" role="img" aria-label="The values as curves, and their blend">
<path class="tw-axes" d="M0 {middle}H{CURVES_WIDTH}"/>{curves}
<path class="tw-halo" data-part="output" d="{blended}"/>
<path class="io tw-output" data-part="output" d="{blended}"/>
<path class="io tw-mark" data-part="end" transform="translate({pair(*points(output)[-1])})" \
d="{DIAMOND}"/></svg>"""


def _controls(temperature: float) -> str:
    text = f"{temperature:.3g}"
    return f"""\
<div class="tw-controls"><label><span>Temperature</span><input type="range" min="0" \
max="{len(TEMPERATURES) - 1}" value="{_nearest_stop(temperature)}" data-part="temperature" \
data-stops="{json.dumps(TEMPERATURES)}" aria-valuetext="{text}"></label>\
<span class="tw-number" data-part="degree">{text}</span>\
<button type="button" data-part="reset">Reset</button></div>"""


def _nearest_stop(temperature: float) -> int:
    distances = [abs(math.log(stop / temperature)) for stop in TEMPERATURES]
    return distances.index(min(distances))


def _sentences(labels, weights) -> str:
    """Return a sentence for each case, all but the one that holds hidden."""
    largest = max(weights)
    share = f'<b data-slot="percent">{_percent(largest)}</b>'
    label = html.escape(labels[list(weights).index(largest)])
    key = f'<b class="ik" data-slot="label">{label}</b>'
    sentences = {
        "even": f'The <b class="iq">query</b> treats all <b class="ik">keys</b> alike: the'
        f' <b class="io">output</b> is nearly the plain mean of the <b class="iv">values</b>,'
        f" at most {share} of any one.",
        "alone": f'The <b class="iq">query</b> agrees so much more with {key} that {share} of'
        f' the <b class="io">output</b> is that key’s <b class="iv">value</b> alone.',
        "most": f'The <b class="iq">query</b> agrees most with {key}, so {share} of the'
        f' <b class="io">output</b> is that key’s <b class="iv">value</b>.',
    }
    case = "even" if largest - min(weights) < 0.02 else "alone" if largest >= 0.995 else "most"
    return cases(sentences, case)


def _most(labels, weights) -> str:
    largest = max(weights)
    return f"most weight, {_percent(largest)}, on {labels[list(weights).index(largest)]}"


def _percent(weight: float) -> str:
    return f"{fixed(100 * weight, 1 if weight >= 0.995 else 0)}%"
