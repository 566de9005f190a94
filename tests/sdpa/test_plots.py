import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from sdpa import plots


@pytest.fixture
def ax():
    plots.use_style()
    fig, ax = plt.subplots()
    yield ax
    plt.close(fig)


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_points_have_the_ink_and_the_mark_of_their_part(ax):
    plots.draw_points(ax, np.array([[0.0, 1.0], [2.0, 3.0]]), "value", ["a", "b"])
    (line,) = ax.lines
    assert line.get_color() == plots.INK["value"] and line.get_marker() == "s"
    assert line.get_xydata().tolist() == [[0, 1], [2, 3]]
    assert texts(ax) == ["a", "b"]


def test_bars_are_as_long_as_the_weights(ax):
    plots.draw_bars(ax, np.array([0.25, 0.75, 0.0]), ["a", "b", "c"])
    assert [bar.get_width() for bar in ax.patches[3:]] == [0.25, 0.75, 0.0]
    assert texts(ax) == ["0.25", "0.75", "0.00"]


def test_matrix_writes_allowed_numbers_and_hatches_the_rest(ax):
    matrix = np.array([[1.0, 0.0, 0.25], [0.5, 0.5, 0.0]])
    allowed = np.array([[True, False, True], [True, True, False]])
    plots.draw_matrix(ax, matrix, ["q1", "q2"], ["k1", "k2", "k3"], allowed=allowed)
    assert texts(ax) == ["1.00", "0.25", "0.50", "0.50"]
    assert [bool(cell.get_hatch()) for cell in ax.patches] == [not a for a in allowed.ravel()]


def contrast(first, second):
    def luminance(color):
        channels = [int(to_hex(color)[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return np.dot([0.2126, 0.7152, 0.0722], linear)

    bright, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_numbers_are_readable_on_every_shade(ax):
    shades = np.linspace(0, 1, 41)[None]
    plots.draw_matrix(ax, shades)
    paper = np.array(plt.matplotlib.colors.to_rgb(plots.PAPER))
    for cell, text in zip(ax.patches, ax.texts, strict=True):
        *ink, alpha = cell.get_facecolor()
        seen = np.array(ink) * alpha + paper * (1 - alpha)
        assert contrast(seen, text.get_color()) >= 4.5


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda ax: plots.draw_points(ax, np.zeros((2, 2)), "mask"), "part is 'mask'; wanted one"),
        (lambda ax: plots.draw_points(ax, np.zeros((2, 2)), "key", ["a"]), "got 1 labels; wanted"),
        (lambda ax: plots.draw_bars(ax, np.zeros(3), ["a"]), "got 1 labels; wanted 3"),
        (lambda ax: plots.draw_matrix(ax, np.zeros((2, 3)), ["a"]), "got 1 row labels; wanted 2"),
        (
            lambda ax: plots.draw_matrix(ax, np.zeros((2, 3)), allowed=np.ones((3, 2), bool)),
            r"allowed has shape \(3, 2\); wanted \(2, 3\)",
        ),
    ],
    ids=["part", "labels", "bars", "rows", "allowed"],
)
def test_bad_input_is_named(ax, draw, says):
    with pytest.raises(ValueError, match=says):
        draw(ax)
