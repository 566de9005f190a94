"""The mask painted by mouse, touch and keyboard."""

import numpy as np
import pytest
from tests.interactives.comparing import assert_shows, run

import sdpa
from tutor.widgets import MaskPainter, mask_figure

RNG = np.random.default_rng(23)
CAUSAL = sdpa.causal_mask(6, 8)
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def root(open_page):
    found = open_page(viewport={"width": 1280, "height": 900}).locator("[data-module=mask_painter]")
    found.scroll_into_view_if_needed()
    return found


def cell(root, query: int, key: int):
    return root.get_by_role("button", name=f"query {query}, key {key}:")


def mask(**rows: str) -> np.ndarray:
    """Return the causal mask with the rows given, as q3="11000000"."""
    changed = CAUSAL.copy()
    for name, row in rows.items():
        changed[int(name[1:]) - 1] = [digit == "1" for digit in row]
    return changed


def assert_mask(root, allowed, current: tuple[int, int]) -> None:
    """The page shows what Python does, but for the cell that is current."""
    cells = root.locator("[data-part=cell]").all()
    pressed = np.reshape([cell.get_attribute("aria-pressed") for cell in cells], (6, 8))
    np.testing.assert_array_equal(pressed == "true", allowed)
    labels = [cell.get_attribute("aria-label") for cell in cells]
    shown = np.reshape([float(label.split()[-1]) for label in labels], (6, 8))
    weights = MaskPainter(allowed=allowed).weights()
    np.testing.assert_allclose(shown, weights, rtol=0, atol=0.0051)
    assert cell(root, *current).get_attribute("tabindex") == "0"
    assert root.locator("[data-part=cell][tabindex='0']").count() == 1


@pytest.mark.parametrize(("n_q", "n_k"), [(6, 8), (7, 7), (5, 3), (1, 1)])
@pytest.mark.parametrize("name", mask_figure.NAMES)
def test_patterns_are_those_of_sdpa(page, name, n_q, n_k):
    shown = run(page, "patterns", "m.pattern(...a)", name, n_q, n_k)
    np.testing.assert_array_equal(shown, mask_figure.pattern(name, n_q, n_k))


def test_weights_are_those_of_attention(page):
    scores, allowed = RNG.normal(size=(9, 7)) * 5, RNG.random((9, 7)) < 0.3
    allowed[4] = False
    shown = run(page, "patterns", "m.maskedWeights(...a)", scores.tolist(), allowed.tolist())
    key = np.eye(7)
    wanted = sdpa.attention(scores, key, key, attn_mask=allowed, scale=1.0)[1]
    np.testing.assert_allclose(shown, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", ["All", "Sliding window", "Padding"])
def test_a_button_paints_its_pattern(root, name):
    root.get_by_role("button", name=name).click()
    pattern = next(key for key, label in mask_figure.NAMES.items() if label == name)
    assert_shows(root, MaskPainter(allowed=mask_figure.pattern(pattern, 6, 8)).markup())


def test_a_click_blocks_and_another_allows(root):
    cell(root, 3, 2).click()
    assert_mask(root, mask(q3="10111000"), (3, 2))
    assert "Query 3 may look at 4 of 8" in root.locator("[data-part=says]").inner_text()
    cell(root, 3, 2).click()
    assert_mask(root, CAUSAL, (3, 2))


def test_a_stroke_paints_all_it_crosses_as_its_first_cell_and_is_announced(root):
    mouse = root.page.mouse
    start, end = (cell(root, 2, key).bounding_box() for key in (1, 4))
    mouse.move(start["x"] + 10, start["y"] + 10)
    mouse.down()
    mouse.move(end["x"] + 10, end["y"] + 10, steps=12)
    assert root.locator("[data-part=announcement]").text_content() == ""
    mouse.up()
    assert_mask(root, mask(q2="00000000"), (2, 4))
    root.page.wait_for_timeout(500)
    said = root.locator("[data-part=announcement]").text_content()
    assert said.startswith("Query 2 has no key left to look at")


def test_a_stroke_that_returns_to_its_first_cell_does_not_undo_it(root):
    mouse = root.page.mouse
    start, end = (cell(root, 1, key).bounding_box() for key in (6, 7))
    mouse.move(start["x"] + 10, start["y"] + 10)
    mouse.down()
    mouse.move(end["x"] + 10, end["y"] + 10, steps=6)
    mouse.move(start["x"] + 10, start["y"] + 10, steps=6)
    mouse.up()
    assert_mask(root, mask(q1="11100110"), (1, 6))


def test_arrow_keys_space_and_enter(root):
    root.get_by_role("button", name="Reset").focus()
    root.page.keyboard.press("Tab")
    for key in ("ArrowDown", "ArrowRight", "Space", "ArrowRight", "Enter", "ArrowLeft", "Space"):
        root.page.keyboard.press(key)
    assert_mask(root, mask(q5="11011110"), (5, 2))
    for key in ["ArrowDown"] * 5 + ["ArrowLeft"] * 5:
        root.page.keyboard.press(key)
    assert_mask(root, mask(q5="11011110"), (6, 1))
    root.page.keyboard.press("Tab")
    assert not root.evaluate("e => e.contains(document.activeElement)")


def test_touch_taps_and_paints_across(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    root = page.locator("[data-module=mask_painter]")
    cell(root, 4, 1).tap()
    assert_mask(root, mask(q4="01111100"), (4, 1))
    touch = page.context.new_cdp_session(page)
    boxes = [cell(root, 6, key).bounding_box() for key in (2, 3, 4)]
    points = [{"x": box["x"] + 12, "y": box["y"] + 12} for box in boxes]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points[:1]})
    for point in points[1:]:
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert_mask(root, mask(q4="01111100", q6="10001111"), (6, 4))


def test_reset_leads_back_to_the_first_cell_too(root):
    cell(root, 1, 8).click()
    root.get_by_role("button", name="Reset").click()
    assert_mask(root, CAUSAL, (4, 1))
