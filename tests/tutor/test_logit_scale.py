"""The scaled scores as Python makes them."""

import re

import numpy as np
import pytest
from traitlets import TraitError

import sdpa
from tutor.widgets import LogitScale, cells


@pytest.mark.parametrize("scale", [0.1, 1.0, 32.0])
def test_the_jacobian_is_the_derivative_of_softmax(scale):
    widget = LogitScale(scale=scale)
    scores, step = np.array(widget.scores) * scale, 1e-6
    numeric = np.stack(
        [
            (sdpa.softmax(scores + e) - sdpa.softmax(scores - e)) / (2 * step)
            for e in step * np.eye(len(scores))
        ]
    )
    # Central differences: rounding of 1e-16 over a step of 1e-6.
    np.testing.assert_allclose(widget.jacobian(), numeric, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("traits", "case"),
    [
        ({"scale": 0.1}, "flat"),
        ({"scale": 1}, "responsive"),
        ({"scale": 32}, "saturated"),
        ({"scores": [2, 2, 2], "scale": 32}, "flat"),
        ({"scores": [2, 2, 0], "scale": 32}, "responsive"),
    ],
)
def test_the_sentence_fits(traits, case):
    markup = LogitScale(**traits).markup()
    assert f'<span data-case="{case}">' in markup
    assert markup.count(" hidden>") == 2


def test_the_markup_says_the_numbers():
    widget = LogitScale(scores=np.linspace(-1, 2, 12), scale=2.5)
    markup = widget.markup()
    shown = [float(text) for text in re.findall(r'"weight">([^<]*)<', markup)]
    np.testing.assert_allclose(shown, widget.weights(), rtol=0, atol=0.0051)
    shown = re.findall(r'data-part="cell"[^>]*>([^<]*)<', markup)
    entries = [float(text.replace("−", "-")) for text in shown]
    np.testing.assert_allclose(entries, widget.jacobian().ravel(), rtol=0, atol=0.0051)
    norm = np.sqrt((widget.jacobian() ** 2).sum())
    assert f'data-slot="norm">{norm:.3f}<' in markup


@pytest.mark.parametrize(
    ("trait", "value", "wanted"),
    [
        ("scores", [1, 2], "scores: got 2 numbers; wanted 3 to 12"),
        ("scores", range(13), "scores: got 13 numbers; wanted 3 to 12"),
        ("scores", [[1, 2, 3]], "wanted 3 to 12 numbers"),
        ("scores", "abc", "wanted 3 to 12 numbers"),
        ("scale", 0, "scale: got 0; wanted a number from 0.1 to 32"),
        ("scale", 33, "wanted a number from 0.1 to 32"),
    ],
)
def test_bad_traits_say_what_is_wanted(trait, value, wanted):
    with pytest.raises(TraitError, match=re.escape(wanted)):
        LogitScale(**{trait: value})


def test_new_scores_make_new_markup_and_a_new_scale_does_not():
    widget = LogitScale()
    first = widget._markup
    widget.scale = 4
    assert widget._markup == first
    widget.scores = [1, 2, 3]
    assert widget._markup.count('data-part="cell"') == 9


@pytest.mark.parametrize("scores", [[1e6, -1e6, 0], [0] * 12, [-1e6] * 3])
def test_extreme_states_are_drawn(scores):
    assert "nan" not in LogitScale(scores=scores, scale=32).markup()


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.214, ".21"), (-0.08, "−.08"), (1, "1.00"), (0, ".00"), (-0.001, ".00"), (-0.0, ".00")],
)
def test_short_numbers(number, text):
    assert cells.short(number) == text
