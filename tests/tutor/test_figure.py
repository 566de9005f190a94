import re
import xml.etree.ElementTree as ET

import matplotlib.pyplot as plt
import numpy as np
import pytest

from sdpa import plots
from tutor import figure


@pytest.fixture
def shown(monkeypatch):
    """Collect what would be displayed."""
    outputs = []
    monkeypatch.setattr(figure, "display", lambda data, raw: outputs.append(data))
    return outputs


def bars():
    plots.use_style()
    fig, ax = plt.subplots()
    plots.draw_bars(ax, np.array([0.2, 0.7, 0.1]), ["a", "b", "c"])
    return fig


def test_figure_carries_caption_and_description(shown):
    figure.show(bars(), claim="One < two.", detail="A & B.", alt='Bars of "three" weights.')
    markup = shown[0]["text/html"]
    root = ET.fromstring(markup)
    svg = root[0]
    assert svg.get("role") == "img" and svg.get("aria-label") == 'Bars of "three" weights.'
    assert "".join(root.find("figcaption").itertext()) == "One < two. A & B."
    assert shown[0]["text/plain"] == '[Figure: Bars of "three" weights.]'


def test_figure_is_closed_once_shown(shown):
    fig = bars()
    figure.show(fig, claim="Closed.", alt="Bars.")
    assert not plt.fignum_exists(fig.number)


def test_colours_become_variables_with_the_light_value_as_fallback(shown):
    figure.show(bars(), claim="Coloured.", alt="Bars.")
    markup = shown[0]["text/html"]
    assert "var(--ink, #1b2026)" in markup and "var(--k, #ad4a0c)" in markup
    for color in figure.VARIABLES:
        assert len(re.findall(color, markup)) == len(re.findall(rf"var\(--\w+, {color}\)", markup))


def test_nothing_in_a_figure_reaches_the_rest_of_the_page(shown):
    plots.use_style()
    for _ in range(2):
        fig, ax = plt.subplots()
        ax.plot([0, 1], [0, 1], clip_on=True)
        figure.show(fig, claim="Twice.", alt="A line.")
        fig, ax = plt.subplots()
        ax.plot([0, 2], [1, 0])
        figure.show(fig, claim="Other.", alt="Another line.")
    first, other = shown[0]["text/html"], shown[1]["text/html"]
    assert first == shown[2]["text/html"]
    assert "<style" not in first
    ids = [set(re.findall(r' id="([^"]+)"', markup)) for markup in (first, other)]
    assert ids[0] and not ids[0] & ids[1]
    for markup, own in zip((first, other), ids, strict=True):
        assert set(re.findall(r"url\(#([^)]+)\)", markup)) <= own


def test_every_drawing_can_be_shown(shown):
    names = sorted(path.stem for path in figure.DRAWINGS.glob("*.svg"))
    assert names
    for name in names:
        figure.show_drawing(name, claim="Drawn.", alt="A drawing.")
        assert ET.fromstring(shown[-1]["text/html"])[0].get("aria-label") == "A drawing."


@pytest.mark.bad_input
def test_a_figure_without_words_is_refused(shown):
    with pytest.raises(ValueError, match="alt is empty; wanted a sentence"):
        figure.show(bars(), claim="Mute.", alt=" ")
    with pytest.raises(ValueError, match="claim is empty"):
        figure.show_drawing("learning_map", claim="", alt="A map.")
    assert not shown


@pytest.mark.bad_input
def test_an_unknown_drawing_is_named_with_the_known_ones(shown):
    with pytest.raises(ValueError, match=r"no drawing 'nothing'; wanted one of .*learning_map"):
        figure.show_drawing("nothing", claim="No.", alt="No.")
