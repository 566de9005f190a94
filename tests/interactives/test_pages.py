"""The interactives in a static page: mounted, operated, readable and accessible."""

import numpy as np
import pytest
from tests.browsing import violations
from tests.interactives import driving

import sdpa
from tutor import widgets
from tutor.widgets import QueryAmongKeys

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def query_widget(page):
    return page.locator("[data-module=query_among_keys]")


def place(page) -> np.ndarray:
    values = query_widget(page).locator("[data-part=place]").all()
    return np.array([float(slider.input_value()) for slider in values])


def assert_shows(page, query, temperature: float = 0.3) -> None:
    """The bars, and the sentence, say what sdpa computes."""
    widget = QueryAmongKeys(query=query, temperature=temperature)
    weights = widget.weights()
    shown = query_widget(page).locator("[data-part=weight]").all_inner_texts()
    np.testing.assert_allclose([float(text) for text in shown], weights, rtol=0, atol=0.0051)
    assert widget.labels[int(weights.argmax())] in says(page)
    np.testing.assert_allclose(
        sdpa.soft_lookup(*map(np.array, (query, widget.key, widget.value)), temperature),
        weights @ np.array(widget.value),
    )


def says(page) -> str:
    return query_widget(page).locator("[data-part=says]").inner_text()


def announced(page) -> str:
    return query_widget(page).locator("[data-part=announcement]").text_content()


def test_a_page_operated_as_a_whole_has_nothing_to_complain_about(open_page):
    assert driving.complaints(open_page()) == []
    assert driving.complaints(open_page(viewport=PHONE)) == []


def test_coming_alive_changes_nothing_that_is_seen(open_page):
    still = open_page(java_script_enabled=False)
    live = open_page()
    before, after = (
        page.content().replace(' data-live=""', "").replace(' hidden=""', "")
        for page in (still, live)
    )
    assert before == after


def test_dragging_by_mouse_moves_the_query_and_is_announced_at_its_end(open_page):
    page = open_page()
    driving.drag(query_widget(page).locator("[data-drag]"), -80, 40)
    query = place(page)
    assert query[0] < 0.3 and query[1] < 0.5
    assert_shows(page, tuple(query))
    page.wait_for_timeout(600)
    assert announced(page) == says(page)


def test_nothing_is_announced_while_dragging(open_page):
    page = open_page()
    box = query_widget(page).locator("[data-drag]").bounding_box()
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"] + 60, steps=5)
    page.wait_for_timeout(600)
    assert announced(page) == ""
    page.mouse.up()


def test_touch_drags_the_query_and_a_tap_calls_it(open_page):
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    box = query_widget(page).locator("[data-drag]").bounding_box()
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x - 70, "y": y + 30}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_function("document.querySelector('[data-part=place]').value < 0.2")
    assert_shows(page, tuple(place(page)))
    plane = query_widget(page).locator("[data-part=plane] svg").bounding_box()
    page.touchscreen.tap(plane["x"] + plane["width"] / 2, plane["y"] + plane["height"] * 0.9)
    np.testing.assert_allclose(place(page), (0, -1.19), atol=0.1)


def test_arrow_keys_move_the_query_in_both_directions_from_either_slider(open_page):
    page = open_page()
    for slider in query_widget(page).locator("[data-part=place]").all():
        slider.focus()
        query_widget(page).get_by_role("button", name="Reset").evaluate("e => e.click()")
        for key in ("ArrowLeft", "ArrowLeft", "ArrowUp"):
            page.keyboard.press(key)
        np.testing.assert_allclose(place(page), (0.45, 0.67))
        assert_shows(page, (0.45, 0.67))
        assert "most weight" in slider.get_attribute("aria-valuetext")


def test_focus_on_the_query_is_seen(open_page):
    page = open_page()
    ring = query_widget(page).locator(".tw-ring")
    stroke = "e => getComputedStyle(e).stroke"
    assert ring.evaluate(stroke) == "none"
    page.keyboard.press("Tab")
    assert ring.evaluate(stroke) == "rgb(27, 32, 38)"


def test_the_query_stays_in_the_picture(open_page):
    page = open_page()
    query_widget(page).locator("[data-part=place]").first.focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    limit = float(query_widget(page).locator("[data-part=place]").first.get_attribute("max"))
    np.testing.assert_allclose(place(page), (limit, 0.62))


@pytest.mark.parametrize(
    ("key", "temperature", "wanted"),
    [("End", 10, "alike"), ("Home", 0.05, "alone"), ("ArrowRight", 0.4, "agrees most")],
)
def test_temperature_by_keyboard(open_page, key, temperature, wanted):
    page = open_page()
    query_widget(page).get_by_label("Temperature").press(key)
    assert query_widget(page).locator("[data-part=degree]").inner_text() == str(temperature)
    widget = QueryAmongKeys(temperature=temperature)
    shown = query_widget(page).locator("[data-part=weight]").all_inner_texts()
    np.testing.assert_allclose([float(text) for text in shown], widget.weights(), atol=0.0051)
    assert wanted in says(page) or key == "End"


def test_reset_leads_back(open_page):
    page = open_page()
    first = driving.look(query_widget(page))
    driving.drag(query_widget(page).locator("[data-drag]"), -60, 60)
    query_widget(page).get_by_label("Temperature").press("End")
    assert driving.look(query_widget(page)) != first
    query_widget(page).get_by_role("button", name="Reset").click()
    assert driving.look(query_widget(page)) == first


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_before_and_after_use(open_page, scheme, viewport):
    page = open_page(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    assert violations(page) == []
    for kind, press in (("one", None), ("several", "button")):
        form = page.locator(f"form[data-kind={kind}]")
        form.locator("input").first.check()
        if press:
            form.locator(press).click()
    driving.enter(page.locator("form[data-kind=number] input"), "0.212")
    for slider in page.locator("input[type=range]:visible").all():
        slider.press("End")
    page.get_by_role("button", name="query 1, key 1:").click()
    assert violations(page) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_is_wider_than_the_window(open_page, width):
    page = open_page(viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_targets_are_large_enough(open_page):
    page = open_page(viewport=PHONE)
    for target in page.locator(".tutor-widget :is(button, label, summary, [data-drag])").all():
        if target.is_visible():
            box = target.bounding_box()
            assert min(box["width"], box["height"]) >= 24, target.inner_html()


@pytest.mark.parametrize(
    ("element", "attribute", "value", "colour"),
    [
        ("documentElement", "data-theme", "dark", "rgb(18, 22, 27)"),
        ("documentElement", "theme", "dark", "rgb(18, 22, 27)"),
        ("body", "data-jp-theme-light", "false", "rgb(18, 22, 27)"),
        ("documentElement", "data-theme", "light", "rgb(252, 252, 250)"),
    ],
)
def test_the_pages_own_theme_wins_over_the_systems(open_page, element, attribute, value, colour):
    page = open_page(color_scheme="light" if value in ("dark", "false") else "dark")
    page.evaluate(f"document.{element}.setAttribute('{attribute}', '{value}')")
    background = "e => getComputedStyle(e).backgroundColor"
    for root in page.locator(".tutor-widget").all():
        assert root.evaluate(background) == colour


def test_the_books_variables_win(open_page):
    page = open_page()
    page.evaluate("document.documentElement.style.setProperty('--paper', 'rgb(1, 2, 3)')")
    background = "e => getComputedStyle(e).backgroundColor"
    assert page.locator(".tutor-widget").first.evaluate(background) == "rgb(1, 2, 3)"


def test_reduced_motion_moves_nothing(open_page):
    page = open_page(reduced_motion="reduce")
    page.locator("form input").first.check()
    assert page.evaluate("document.getAnimations().length") == 0


def test_without_scripts_drawing_options_and_reasons_are_there(open_page):
    page = open_page(java_script_enabled=False)
    widget = query_widget(page)
    assert widget.locator("[data-part=weight]").all_inner_texts()[2] == "0.75"
    assert "agrees most with money" in says(page)
    assert not widget.get_by_role("button").is_visible()
    form = page.locator("form[data-kind=one]")
    assert form.get_by_text("What is").first.is_visible()
    assert not form.get_by_text("You divided by 4.").is_visible()
    form.locator("summary").click()
    assert form.get_by_text("You divided by 4.").is_visible()
    assert not page.get_by_role("button", name="Check").first.is_visible()


@pytest.mark.parametrize("name", widgets.__all__)
def test_without_scripts_every_interactive_speaks_and_shows_no_dead_control(open_page, name):
    page = open_page(java_script_enabled=False)
    root = page.locator(f"[data-module={getattr(widgets, name).module}]")
    assert len(root.locator("[data-part=says]").inner_text()) > 40
    for control in root.locator(".tw-controls :is(input, select, button)").all():
        assert not control.is_visible()


def test_one_broken_interactive_says_so_and_stops_no_other(open_page):
    page = open_page("broken.html", allow_errors=True)
    missing, unreadable, working = page.locator("[data-module]").all()
    for root in (missing, unreadable):
        assert "did not start" in root.get_by_role("alert").inner_text()
    assert missing.get_by_text("its drawing").is_visible()
    assert unreadable.locator("svg").first.is_visible()
    assert driving.answer(working) == []


def test_the_driver_notices_what_does_not_answer(open_page):
    page = open_page()
    deaf = "e => e.addEventListener('input', (event) => event.stopImmediatePropagation(), true)"
    query_widget(page).locator(".tw-controls").evaluate(deaf)
    page.locator("li[data-right] [data-reason]").first.evaluate("e => e.replaceChildren()")
    slider, question = driving.complaints(page)
    assert slider == "query_among_keys: Temperature changes nothing"
    assert question == "quiz: wanted '✓ Right' and a reason, got ''"
