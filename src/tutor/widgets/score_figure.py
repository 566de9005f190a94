"""The markup of :class:`tutor.widgets.ScoreHistogram`; score_histogram.mjs moves it."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from tutor.widgets import controls
from tutor.widgets.drawing import fixed, pair, significant
from tutor.widgets.frame import Slots, cases, facts, frame
from tutor.widgets.measures import entropy

D_K = "<i>d</i><sub>k</sub>"
DIVISORS = {"nothing": "nothing", "log": "log d_k", "root": "√d_k", "d_k": "d_k"}
SIGMAS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
NONE = "–"

# Pixels, and scores: bins of width 1 up to LIMIT on both sides, and what is beyond.
LIMIT, BIN, LEFT = 24, 7.5, 20
TOP, BASE = 12, 120
STEP, COLUMN = 15, 11  # from weight to weight, and a weight's width


def markup(*, d_k, sigma, divide_by, theory, scores, weights) -> str:
    """Return the widget's HTML for this state."""
    largest = float(weights.max())
    texts = {
        "spread": significant(theory, 2),
        "theory": significant(theory, 3),
        "measured": significant(float(scores.std()), 3),
        "entropy": fixed(entropy(weights), 2),
        "largest": fixed(largest, 2),
    }
    case = "alone" if largest >= 0.9 else "even" if largest < 0.1 else "shared"
    counts = np.histogram(scores.clip(-LIMIT - 0.5, LIMIT + 0.5), np.arange(-LIMIT - 1, LIMIT + 2))
    picture = {"counts": counts[0], "theory": theory, "weights": weights}
    return _frame(d_k, sigma, divide_by, texts, case, picture)


def undefined(*, d_k, sigma, divide_by) -> str:
    """Return the widget's HTML where there is nothing to divide by: log 1 = 0."""
    texts = dict.fromkeys(("spread", "theory", "measured", "entropy", "largest"), NONE)
    picture = {"counts": np.zeros(2 * LIMIT + 2, int), "theory": None, "weights": np.zeros(16)}
    return _frame(d_k, sigma, divide_by, texts, "undefined", picture)


def _frame(d_k, sigma, divide_by, texts, case, picture) -> str:
    lower, upper = _share(picture["counts"], 0), _share(picture["counts"], -1)
    texts |= {"d_k": f"{d_k:,}", "sigma": fixed(sigma, 2), "divisor": DIVISORS[divide_by]}
    slots = Slots(texts | {"lower": lower, "upper": upper})
    settings = (
        controls.slider("d_k", f"Dimension {D_K}", [2**i for i in range(13)], d_k, f"{d_k:,}"),
        controls.slider("sigma", "Spread σ", SIGMAS, sigma, fixed(sigma, 2)),
        controls.select("divide_by", "Divide by", DIVISORS, divide_by),
    )
    content = f"""\
<div class="tw-controls tw-settings">{"".join(settings)}{controls.RESET}</div>
<div class="tw-columns"><div><p class="tw-caption">4,096 scores of <b class="iq">queries</b> with \
<b class="ik">keys</b>, σ = {slots("sigma")}, divided by {slots("divisor")}</p>
{_histogram(picture["counts"], picture["theory"])}
<p class="tw-caption">bars: the sample; line: theory; \
beyond ±{LIMIT}: {slots("lower")} and {slots("upper")}</p></div>
<div><p class="tw-caption">weights of one row of 16 <b class="ik">keys</b></p>
{_weights(picture["weights"])}</div></div>
{_facts(slots)}"""
    return frame(
        "tw-histogram",
        label="Histogram of scores",
        title=f"Raise {D_K} and choose what to divide by",
        hint="a fixed sample, drawn once",
        content=content,
        says=_sentences(slots, case),
    )


def _share(counts, place: int) -> str:
    return f"{fixed(100 * counts[place] / max(int(counts.sum()), 1), 0)}%"


def _histogram(counts, theory) -> str:
    right = LEFT + 2 * LIMIT * BIN
    ticks = "".join(
        f'<text x="{fixed(LEFT + (score + LIMIT) * BIN, 0)}" y="{BASE + 16}"'
        f' text-anchor="middle">{str(score).replace("-", "−")}</text>'
        for score in range(-LIMIT, LIMIT + 1, LIMIT // 2)
    )
    return f"""\
<svg class="tw-chart" viewBox="0 0 400 140" role="img" aria-label="Histogram of the scores">
<g class="tw-quiet">{ticks}</g><path class="tw-line" d="M0 {BASE}H400"/>
<path class="tw-bar" data-part="bars" d="{_bars(counts)}"/>
<path class="tw-beyond" data-part="beyond" d="{_beyond(counts, right)}"/>
<path class="tw-curve" data-part="curve" d="{_curve(counts, theory)}"/></svg>"""


def _height(count: Real, counts) -> float:
    """Return the height of a count where the tallest bin fills the picture."""
    tallest = max(int(counts[1:-1].max()), 1)
    return (BASE - TOP) * min(1.0, count / tallest)


def _bars(counts) -> str:
    bars = enumerate(counts[1:-1].tolist())
    return "".join(_column(LEFT + i * BIN, BIN - 1, _height(n, counts)) for i, n in bars if n)


def _beyond(counts, right: Real) -> str:
    ends = ((2, counts[0]), (right + 6, counts[-1]))
    return "".join(_column(x, 12, _height(int(n), counts)) for x, n in ends if n)


def _column(x: Real, width: Real, height: Real) -> str:
    return f"M{pair(x, BASE)}V{fixed(BASE - height, 1)}H{fixed(x + width, 1)}V{BASE}Z"


def _curve(counts, theory) -> str:
    """Return the normal density of the theory's spread, as counts in bins of width 1."""
    if theory is None:
        return ""
    peak = int(counts.sum()) / (theory * math.sqrt(2 * math.pi))
    scores = [i / 2 - LIMIT for i in range(4 * LIMIT + 1)]
    heights = [_height(peak * math.exp(-((s / theory) ** 2) / 2), counts) for s in scores]
    points = zip(scores, heights, strict=True)
    return "M" + "L".join(pair(LEFT + (s + LIMIT) * BIN, BASE - h) for s, h in points)


def _weights(weights) -> str:
    columns = "".join(
        _column(i * STEP + 2, COLUMN, (BASE - TOP) * weight)
        for i, weight in enumerate(weights.tolist())
    )
    return f"""\
<svg class="tw-chart" viewBox="0 0 264 140" role="img" aria-label="Weights of the row's 16 keys">
<path class="tw-line" d="M0 {TOP}H242M0 {BASE}H242"/>
<path class="tw-bar" data-part="weights" d="{columns}"/>
<g class="tw-quiet"><text x="248" y="{TOP + 4}">1</text><text x="248" y="{BASE + 4}">0</text></g>
<text class="ik" x="120" y="{BASE + 16}" text-anchor="middle">● 16 keys</text></svg>"""


def _facts(slots: Slots) -> str:
    return facts(
        {
            "Spread, in theory": slots("theory"),
            "Spread, measured": slots("measured"),
            "Entropy (of 2.77)": slots("entropy"),
            "Largest weight": slots("largest"),
        }
    )


def _sentences(slots: Slots, case: str) -> str:
    start = f"At {D_K} = {slots('d_k')} the scores spread by {slots('spread')}, and the favourite"
    start += f' <b class="ik">key</b> takes {slots("largest")} of the weight'
    sentences = {
        "even": f"{start}: softmax can hardly tell the keys apart.",
        "shared": f"{start}: softmax listens to several keys.",
        "alone": f"{start}: softmax all but picks one key.",
        "undefined": "The log of 1 is 0, and nothing can be divided by 0: a divisor has to work at"
        f" every {D_K}.",
    }
    return cases(sentences, case)
