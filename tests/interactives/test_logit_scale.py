"""The scaled scores in the page."""

import numpy as np
import pytest
from tests.interactives.comparing import assert_shows, run

import sdpa
from tutor.widgets import LogitScale, cells, measures

RNG = np.random.default_rng(21)


@pytest.mark.parametrize("n", [1, 3, 12])
def test_the_jacobian_and_its_norm(page, n):
    weights = sdpa.softmax(RNG.normal(size=n) * 3)
    jacobian = run(page, "attention", "m.softmaxJacobian(a[0])", weights.tolist())
    wanted = measures.softmax_jacobian(weights)
    np.testing.assert_allclose(jacobian, wanted, rtol=0, atol=1e-16)
    norm = run(page, "attention", "m.frobenius(a[0])", wanted.tolist())
    np.testing.assert_allclose(norm, np.linalg.norm(wanted), rtol=1e-14)


@pytest.mark.parametrize("number", [0.214, -0.08, 1, 0, -0.001, -0.125, 0.005])
def test_short_numbers(page, number):
    assert run(page, "cells", "m.short(a[0])", number) == cells.short(number)


@pytest.mark.parametrize(
    ("keys", "scale"),
    [(["Home"], 0.1), (["End"], 32), (["ArrowRight"], 1.25), (["ArrowRight"] * 8, 6.4)],
)
def test_what_is_set_by_keyboard_is_what_python_draws(open_page, keys, scale):
    root = open_page().locator("[data-module=logit_scale]")
    for key in keys:
        root.get_by_label("Multiply").press(key)
    assert_shows(root, LogitScale(scale=scale).markup())


def test_the_slider_follows_the_mouse(open_page):
    root = open_page().locator("[data-module=logit_scale]")
    root.get_by_label("Multiply").click(position={"x": 9, "y": 14})
    assert_shows(root, LogitScale(scale=0.1).markup())
