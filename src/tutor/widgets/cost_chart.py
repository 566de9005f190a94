"""The calculator's chart: FLOPs and bytes against the context, both axes logarithmic.

cost_chart.mjs draws the same lines. What leaves a panel runs along its edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Real

from tutor.widgets.cost_numbers import Costs, costs_of
from tutor.widgets.drawing import fixed, pair

CONTEXTS = tuple(2**i for i in range(7, 21))
LEFT, RIGHT = 66, 394
# Each panel: top and bottom in pixels, and the amounts that they stand for.
FLOPS = (30, 166, 1e20, 1e8)
BYTES = (206, 330, 2.0**55, 2.0**15)
FLOP_TICKS = {1e9: "1 GFLOP", 1e12: "1 TFLOP", 1e15: "1 PFLOP", 1e18: "1 EFLOP"}
FLOP_LINES = {"core": "core", "projections": "projections", "together": "both"}
BYTE_LINES = {"cache": "cache, all layers", "scores": "scores, one layer"}
BYTE_TICKS = {2**20: "1 MiB", 2**30: "1 GiB", 2**40: "1 TiB", 2**50: "1 PiB"}


def chart(state: Mapping) -> str:
    """Return the chart of the calculator's state."""
    layers, context = state["layers"], state["context"]
    amounts: dict[str, tuple[tuple, Callable[[Costs], int]]] = {
        "together": (FLOPS, lambda found: layers * (found.core + found.projections)),
        "projections": (FLOPS, lambda found: layers * found.projections),
        "core": (FLOPS, lambda found: layers * found.core),
        "scores": (BYTES, lambda found: found.scores),
        "cache": (BYTES, lambda found: found.cache),
    }
    found = [costs_of(state, length) for length in CONTEXTS]
    lines = "".join(
        f'<path class="tw-{name}" data-part="{name}"'
        f' d="{_line([amount(counted) for counted in found], panel)}"/>'
        for name, (panel, amount) in amounts.items()
    )
    here = costs_of(state, context)
    marks = "".join(
        _mark(name, _x(context), _y(amounts[name][1](here), amounts[name][0]))
        for name in ("together", "cache")
    )
    return f"""\
<svg class="tw-chart" viewBox="0 0 400 372" role="img" \
aria-label="FLOPs and bytes against the context">
{_legend(12, "FLOPs, all layers:", FLOP_LINES)}{_legend(194, "Bytes:", BYTE_LINES)}
{_grid(FLOP_TICKS, FLOPS)}{_grid(BYTE_TICKS, BYTES)}{_lengths()}
<path class="tw-here" data-part="here" d="{_here(context)}"/>
{lines}{marks}</svg>"""


def _x(context: Real) -> float:
    return LEFT + (RIGHT - LEFT) * (math.log2(context) - 7) / 13


def _y(amount: Real, panel: tuple) -> float:
    top, bottom, highest, lowest = panel
    part = math.log(highest / amount) / math.log(highest / lowest)
    return top + (bottom - top) * min(1.0, max(0.0, part))


def _line(amounts: list[int], panel: tuple) -> str:
    points = zip(CONTEXTS, amounts, strict=True)
    return "M" + "L".join(pair(_x(context), _y(amount, panel)) for context, amount in points)


def _here(context: int) -> str:
    x = fixed(_x(context), 1)
    return f"M{x} {FLOPS[0]}V{FLOPS[1]}M{x} {BYTES[0]}V{BYTES[1]}"


def _mark(name: str, x: Real, y: Real) -> str:
    at = f'cx="{fixed(x, 1)}" cy="{fixed(y, 1)}"'
    return f'<circle class="tw-dot" data-part="dot-{name}" {at} r="5.5"/>'


def _grid(ticks: Mapping[Real, str], panel: tuple) -> str:
    lines = "".join(f"M{LEFT} {fixed(_y(amount, panel), 1)}H{RIGHT}" for amount in ticks)
    names = "".join(
        f'<text x="{LEFT - 8}" y="{fixed(_y(amount, panel) + 4, 1)}">{name}</text>'
        for amount, name in ticks.items()
    )
    return f'<path class="tw-line" d="{lines}"/><g class="tw-quiet" text-anchor="end">{names}</g>'


def _lengths() -> str:
    anchors = {128: "middle", 1024: "middle", 8192: "middle", 65_536: "middle", 2**20: "end"}
    names = "".join(
        f'<text x="{fixed(_x(length) + (6 if anchor == "end" else 0), 1)}" y="348"'
        f' text-anchor="{anchor}">{length:,}</text>'
        for length, anchor in anchors.items()
    )
    return (
        f'<g class="tw-quiet">{names}<text x="{RIGHT + 6}" y="367" text-anchor="end">'
        "context, tokens</text></g>"
    )


def _legend(y: int, title: str, names: Mapping[str, str]) -> str:
    """Return the names of the lines, each after a piece of its line."""
    x, parts = 10 + 6.6 * len(title), [f'<text x="0" y="{y}">{title}</text>']
    for line, name in names.items():
        parts.append(f'<path class="tw-{line}" d="M{fixed(x, 0)} {y - 4}h22"/>')
        parts.append(f'<text x="{fixed(x + 27, 0)}" y="{y}">{name}</text>')
        x += 38 + 6.9 * len(name)
    return f'<g class="tw-quiet">{"".join(parts)}</g>'
