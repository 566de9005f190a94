"""The histogram of scores as Python makes it."""

import re

import numpy as np
import pytest
from traitlets import TraitError

from tutor.widgets import ScoreHistogram, measures, sample
from tutor.widgets.score_histogram import D_K


@pytest.mark.parametrize("d_k", D_K)
def test_the_sample_spreads_as_theory_says(d_k):
    # 64 queries and 64 keys: for small d_k the scores depend on few numbers. Four
    # standard errors of the measured spread, to first order.
    tolerance = 4 * np.sqrt(4 / (64 * d_k) + 2 / 64**2) / 2
    measured = sample.raw_scores(d_k).std() / np.sqrt(d_k)
    assert abs(measured - 1) < tolerance


def test_the_numbers_are_standard_normal():
    drawn = sample.normals(200_000)
    assert abs(drawn.mean()) < 5 / np.sqrt(len(drawn))
    assert abs(drawn.var() - 1) < 5 * np.sqrt(2 / len(drawn))
    assert abs((drawn**4).mean() - 3) < 5 * np.sqrt(96 / len(drawn))


def test_uniform_numbers_are_those_of_mulberry32():
    """Step by step, as the generator is usually written."""
    state, mask = sample.SEED, 2**32 - 1
    for drawn in sample.uniforms(50):
        state = (state + 0x6D2B79F5) & mask
        bits = ((state ^ (state >> 15)) * (state | 1)) & mask
        bits ^= (bits + ((bits ^ (bits >> 7)) * (bits | 61) & mask)) & mask
        assert drawn == ((bits ^ (bits >> 14)) + 0.5) / 2**32


@pytest.mark.parametrize(
    ("traits", "theory"),
    [
        ({}, 8),
        ({"divide_by": "root"}, 1),
        ({"divide_by": "d_k"}, 1 / 8),
        ({"divide_by": "log"}, 8 / np.log(64)),
        ({"d_k": 4096, "sigma": 0.5}, 16),
        ({"d_k": 1, "divide_by": "root", "sigma": 2}, 4),
    ],
)
def test_theory(traits, theory):
    widget = ScoreHistogram(**traits)
    np.testing.assert_allclose(widget.theory(), theory)
    scaled = sample.raw_scores(widget.d_k) * theory / np.sqrt(widget.d_k)
    np.testing.assert_allclose(widget.scores(), scaled)


def test_the_markup_says_the_numbers():
    widget = ScoreHistogram(d_k=256, divide_by="root")
    markup, weights = widget.markup(), widget.weights()
    for name, number in {
        "theory": 1.0,
        "measured": widget.scores().std(),
        "entropy": measures.entropy(weights),
        "largest": weights.max(),
    }.items():
        (shown,) = set(re.findall(f'data-slot="{name}">([^<]*)<', markup))
        np.testing.assert_allclose(float(shown), number, rtol=0, atol=0.0051)


def test_the_log_of_1_is_no_divisor():
    markup = ScoreHistogram(d_k=1, divide_by="log").markup()
    assert '<span data-case="undefined">The log of 1 is 0' in markup
    assert "nan" not in markup
    assert "inf" not in markup


@pytest.mark.parametrize(
    ("trait", "value", "wanted"),
    [
        ("d_k", 100, "d_k: got 100; wanted a power of two from 1 to 4096"),
        ("d_k", True, "wanted a power of two"),
        ("d_k", [64], "wanted a power of two"),
        ("sigma", 0, "sigma: got 0; wanted a number from 0.1 to 4"),
        ("sigma", float("nan"), "wanted a number from 0.1 to 4"),
        ("sigma", "1", "wanted a number from 0.1 to 4"),
        ("divide_by", "sqrt", "wanted one of nothing, log, root, d_k"),
        ("divide_by", 8, "wanted one of nothing, log, root, d_k"),
    ],
)
def test_bad_traits_say_what_is_wanted(trait, value, wanted):
    with pytest.raises(TraitError, match=re.escape(wanted)):
        ScoreHistogram(**{trait: value})


@pytest.mark.parametrize("d_k", [1, 4096])
@pytest.mark.parametrize("sigma", [0.1, 4])
@pytest.mark.parametrize("divide_by", ["nothing", "root", "d_k"])
def test_extreme_states_are_drawn(d_k, sigma, divide_by):
    markup = ScoreHistogram(d_k=d_k, sigma=sigma, divide_by=divide_by).markup()
    assert "nan" not in markup
    assert markup.count(" hidden>") == 3
