"""Find every interactive on a page and operate it as a reader would.

    from tests.interactives import driving

    with browse.browser() as chromium, browse.served(folder) as address:
        page = chromium.new_page()
        page.goto(f"{address}index.html")
        assert driving.complaints(page) == []

Works on any page, so a lesson's interactives and questions are covered once they are in
the book.
"""

from __future__ import annotations

from playwright.sync_api import Locator, Page

RIGHT, WRONG = "✓ Right", "✗ Not quite"
NOT_NUMBERS = ("", "a half", "1,024", "1e999", "1 2")
MILLISECONDS = 5_000


def complaints(page: Page) -> list[str]:
    """Operate all interactives of the page; return what did not answer as it should."""
    found = []
    for root in page.locator("[data-module]").all():
        name = root.get_attribute("data-module")
        root.scroll_into_view_if_needed()
        if not starts(root):
            found.append(f"{name}: did not start: {root.inner_text()[:200]}")
            continue
        operate = answer if name == "quiz" else play
        found += [f"{name}: {complaint}" for complaint in operate(root)]
    return found


def starts(root: Locator) -> bool:
    """Wait until the interactive is alive, or has said that it cannot start."""
    root.locator("[data-live], [role=alert]").first.wait_for(timeout=MILLISECONDS)
    return root.locator("[data-live]").count() == 1


def play(root: Locator) -> list[str]:
    """Drag what can be dragged, move every slider, use every other control, reset."""
    found, first = [], look(root)
    for handle in root.locator("[data-drag]").all():
        found += _unless_changed(root, "dragging", lambda: drag(handle, -30, 20))  # noqa: B023
    for control in root.locator("input, select, button").all():
        name = control.get_attribute("aria-label") or control.evaluate(NAME)
        if name == "Reset" or not control.is_enabled():
            continue
        found += _unless_changed(root, name, lambda: use(control))  # noqa: B023
    for reset in root.get_by_role("button", name="Reset", exact=True).all():
        reset.click()
        if look(root) != first:
            found.append("Reset does not lead back to the first state")
    return found


NAME = "e => (e.closest('label') ?? e).textContent.trim() || e.type"
# What a control holds by itself is no part of it, so a slider that nothing listens to
# changes nothing. Announcements come later than what they are about. A browser writes
# a style that has changed with other blanks.
LOOK = """root => {
    const copy = root.cloneNode(true);
    for (const live of copy.querySelectorAll("[aria-live]")) live.remove();
    return copy.innerHTML.replace(/[\\s;]/g, '');
}"""


def look(root: Locator) -> str:
    """Return what it shows, as markup."""
    return root.evaluate(LOOK)


def _unless_changed(root: Locator, name: str, act) -> list[str]:
    before = look(root)
    act()
    return [] if look(root) != before else [f"{name} changes nothing"]


def use(control: Locator) -> None:
    """Operate one native control by keyboard, or by clicking on it."""
    kind = control.evaluate("e => e.type")
    if kind == "range":
        at_end = control.evaluate("e => Number(e.value) >= Number(e.max)")
        control.press("ArrowLeft" if at_end else "ArrowRight")
    elif kind == "number":
        control.press("ArrowUp")
    elif kind.startswith("select"):
        control.press("ArrowDown")
    else:
        control.press("Space")


def drag(handle: Locator, right: float, down: float) -> None:
    """Drag an element by so many pixels with the mouse."""
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = handle.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + right, y + down, steps=4)
    mouse.up()


def answer(root: Locator) -> list[str]:
    """Give each answer that the question knows, and some that are none."""
    kind = root.locator("form").get_attribute("data-kind")
    return {"one": answer_one, "several": answer_several, "number": answer_number}[kind](root)


def answer_one(root: Locator) -> list[str]:
    """Choose each option; every one must be explained in words."""
    found = []
    for option, is_right in zip(root.locator(".tw-option").all(), _rights(root), strict=True):
        option.locator("input").check()
        found += _check_words(option.locator("[aria-live]"), is_right)
    return found


def answer_several(root: Locator) -> list[str]:
    """Check with nothing chosen, with each wrong option added, and with the right ones."""
    rights = _rights(root)
    options = root.locator(".tw-option").all()
    button, verdict = root.get_by_role("button"), root.locator(".tw-verdict")
    button.click()
    found = [] if "first" in verdict.inner_text() else ["nothing chosen gets no answer"]
    for option, is_right in zip(options, rights, strict=True):
        option.locator("input").set_checked(is_right)
    button.click()
    found += _check_words(verdict, True)
    for option, is_right in zip(options, rights, strict=True):
        option.locator("input").set_checked(not is_right)
        button.click()
        found += _check_words(verdict, False)
        if not is_right:
            found += _check_words(option.locator("[aria-live]"), False)
        option.locator("input").set_checked(is_right)
    return found


def answer_number(root: Locator) -> list[str]:
    """Enter every number the question knows, with point and comma, and no numbers."""
    field, verdict = root.locator("input"), root.locator(".tw-verdict")
    found = []
    for item in root.locator("li[data-number]").all():
        number = item.get_attribute("data-number")
        is_right = item.get_attribute("data-right") is not None
        for text in (number, number.replace(".", ",")):
            enter(field, text)
            found += _check_words(verdict, is_right)
    for text in NOT_NUMBERS:
        enter(field, text)
        if "Write" not in verdict.inner_text():
            found.append(f"{text!r} gets {verdict.inner_text()!r}")
    enter(field, "-123456789.5")
    return found + _check_words(verdict, False)


def enter(field: Locator, text: str) -> None:
    """Write into a field and press Enter."""
    field.fill(text)
    field.press("Enter")


def _rights(root: Locator) -> list[bool]:
    items = root.locator("li[data-option]").all()
    return [item.get_attribute("data-right") is not None for item in items]


def _check_words(region: Locator, is_right: bool) -> list[str]:
    said, wanted = region.inner_text(), RIGHT if is_right else WRONG
    explained = said.startswith(wanted) and len(said) > len(wanted) + 5
    return [] if explained else [f"wanted {wanted!r} and a reason, got {said!r}"]
