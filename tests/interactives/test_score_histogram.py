"""The histogram of scores in the page: the same sample, operated by keyboard."""

import numpy as np
import pytest
from tests.interactives.comparing import assert_shows, run

from tutor.widgets import ScoreHistogram, drawing, measures, sample


def test_the_sample_is_pythons(page):
    drawn = run(page, "sample", "m.normals(...a)", 128, 64)
    np.testing.assert_allclose(drawn, sample.normals(192)[128:], rtol=1e-13)
    for d_k in (1, 64, 4096):
        scores = np.reshape(run(page, "sample", "m.rawScores(a[0])", d_k), (64, 64))
        np.testing.assert_allclose(scores, sample.raw_scores(d_k), rtol=0, atol=1e-11)


def test_entropy(page):
    for weights in ([1.0, 0.0, 0.0], [0.25] * 4, [0.7, 0.2, 0.1]):
        shown = run(page, "attention", "m.entropy(a[0])", weights)
        np.testing.assert_allclose(shown, measures.entropy(np.array(weights)), atol=1e-15)


@pytest.mark.parametrize("number", [0, 0.00012, 0.0999, 0.5, 1, 7.9, 9.999, 10, 99.96, 1024])
@pytest.mark.parametrize("figures", [1, 2, 3])
def test_significant_figures(page, number, figures):
    shown = run(page, "numbers", "m.significant(...a)", number, figures)
    assert shown == drawing.significant(number, figures)


@pytest.mark.parametrize(
    ("presses", "traits"),
    [
        ([("Dimension", "End")], {"d_k": 4096}),
        (
            [("Dimension", "ArrowRight"), ("Divide by", "ArrowDown"), ("Divide by", "ArrowDown")],
            {"d_k": 128, "divide_by": "root"},
        ),
        ([("spread", "End"), ("Divide by", "End")], {"sigma": 2, "divide_by": "d_k"}),
        ([("Dimension", "Home"), ("Divide by", "ArrowDown")], {"d_k": 1, "divide_by": "log"}),
    ],
)
def test_what_is_set_by_keyboard_is_what_python_draws(open_page, presses, traits):
    root = open_page().locator("[data-module=score_histogram]")
    for label, key in presses:
        root.get_by_label(label).press(key)
    assert_shows(root, ScoreHistogram(**traits).markup())
