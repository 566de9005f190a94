"""The mask to paint as Python makes it."""

import re

import numpy as np
import pytest
from traitlets import TraitError

import sdpa
from tutor.widgets import MaskPainter, mask_figure

RNG = np.random.default_rng(22)


def attention_weights(scores, allowed):
    """Return the weights that attention gives these scores: keys are unit vectors."""
    scores, n_k = np.array(scores), len(scores[0])
    key = np.eye(n_k)
    return sdpa.attention(scores, key, key, attn_mask=np.array(allowed), scale=1.0)[1]


@pytest.mark.parametrize(("n_q", "n_k"), [(6, 8), (7, 7), (5, 3), (1, 1), (12, 12)])
def test_weights_are_those_of_attention(n_q, n_k):
    scores, allowed = RNG.normal(size=(n_q, n_k)) * 4, RNG.random((n_q, n_k)) < 0.4
    widget = MaskPainter(scores=scores, allowed=allowed)
    np.testing.assert_allclose(widget.weights(), attention_weights(scores, allowed), rtol=1e-12)


def test_the_mask_is_causal_and_aligned_bottom_right_if_not_given():
    np.testing.assert_array_equal(MaskPainter().allowed, sdpa.causal_mask(6, 8))
    widget = MaskPainter(scores=np.zeros((3, 5)))
    np.testing.assert_array_equal(widget.allowed, sdpa.causal_mask(3, 5))
    assert type(widget.allowed[0][0]) is bool


def test_the_markup_says_weights_blocks_and_sums():
    widget = MaskPainter()
    labels = re.findall('aria-pressed="([a-z]*)" aria-label="([^"]*)"', widget.markup())
    assert len(labels) == 48
    for (i, j), weight in np.ndenumerate(widget.weights()):
        said = f"weight {weight:.2f}" if widget.allowed[i][j] else "blocked, weight 0"
        pressed = "true" if widget.allowed[i][j] else "false"
        assert labels[8 * i + j] == (pressed, f"query {i + 1}, key {j + 1}: {said}")
    assert re.findall('data-part="sum">([^<]*)<', widget.markup()) == ["1.00"] * 6


def test_a_row_without_a_key_is_all_zeros_and_said_first():
    allowed = np.ones((6, 8), dtype=bool)
    allowed[1] = False
    markup = MaskPainter(allowed=allowed).markup()
    assert markup.count(">0</button>") == 8
    assert 'data-part="sum">0.00<' in markup
    assert '<span data-case="none"><b class="iq">Query</b> <b data-slot="row">2</b>' in markup


@pytest.mark.parametrize("name", mask_figure.NAMES)
def test_the_button_of_the_pattern_that_is_shown_is_pressed(name):
    markup = MaskPainter(allowed=mask_figure.pattern(name, 6, 8)).markup()
    assert re.findall('data-pattern="([a-z]*)" aria-pressed="true"', markup) == [name]


def test_one_tab_stop():
    cells = re.findall('data-part="cell"[^>]* tabindex="([^"]*)"', MaskPainter().markup())
    assert sorted(cells) == ["-1"] * 47 + ["0"]


@pytest.mark.parametrize(
    ("traits", "wanted"),
    [
        ({"allowed": np.ones((6, 7), bool)}, "allowed: got (6, 7); wanted (6, 8), as scores"),
        ({"allowed": np.ones((6, 8))}, "wanted rows of booleans"),
        ({"allowed": [[True], [True, False]]}, "wanted rows of booleans"),
        ({"scores": np.zeros((13, 2))}, "got (13, 2); wanted at most 12 by 12"),
        ({"scores": np.zeros((3, 0))}, "wanted rows of numbers"),
        ({"scores": [[1, 2], [3]]}, "wanted rows of numbers"),
        ({"scores": [["a"]]}, "wanted rows of numbers"),
    ],
)
def test_bad_traits_say_what_is_wanted(traits, wanted):
    with pytest.raises(TraitError, match=re.escape(wanted)):
        MaskPainter(**traits)


def test_another_size_when_both_change_together():
    widget = MaskPainter()
    with pytest.raises(TraitError, match="as allowed"):
        widget.scores = np.zeros((2, 2))
    with widget.hold_trait_notifications():
        widget.scores, widget.allowed = np.zeros((2, 3)), np.ones((2, 3), bool)
    assert widget._markup.count('data-part="cell"') == 6
