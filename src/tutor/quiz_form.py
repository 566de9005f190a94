"""The HTML of questions; widgets/quiz.mjs gives the feedback.

The reasons stand in a <details> that readers without scripts open; with scripts it is
hidden, and the module copies from it the reasons of what was chosen.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from numbers import Real

from tutor.inline import to_html, to_words

INSTRUCTIONS = {
    "one": "Choose one answer",
    "several": "Choose all that are right",
    "number": "Work out the number",
}
RIGHT, WRONG = "<b>✓ Right.</b>", "<b>✗ Not quite.</b>"


def choices(kind: str, question: str, options: Sequence[tuple]) -> str:
    """Return the form for options (choice, whether it is right), shown in that order."""
    rows = "".join(_option(kind, i, choice) for i, (choice, _) in enumerate(options))
    reasons = "".join(
        f'<li data-option="{i}"{" data-right" if is_right else ""}>'
        f'<span class="tw-quoted">{to_html(choice.text)}</span>'
        f"{_reason(is_right, choice.why)}</li>"
        for i, (choice, is_right) in enumerate(options)
    )
    return _form(kind, question, rows, reasons)


def number(
    question: str,
    answer: Real,
    tolerance: Real,
    why: str,
    wrong: Mapping[Real, str],
    unit: str,
) -> str:
    """Return the form with a field for a number; arguments as :func:`tutor.quiz.number`."""
    unit = html.escape(unit)
    field = (
        '<div class="tw-field"><label>Your answer <input type="text" name="number"'
        ' inputmode="decimal" autocomplete="off" size="12"></label>'
        f'<span class="tw-unit">{unit}</span></div>'
    )
    numbers = [(answer, True, why), *((value, False, text) for value, text in wrong.items())]
    reasons = "".join(
        f'<li data-number="{float(value)!r}"{" data-right" if is_right else ""}>'
        f'<span class="tw-quoted">{value:g} {unit}</span>{_reason(is_right, text)}</li>'
        for value, is_right, text in numbers
    )
    return _form("number", question, field, reasons, f' data-tolerance="{float(tolerance)!r}"')


def _option(kind: str, position: int, choice) -> str:
    control = "radio" if kind == "one" else "checkbox"
    words = html.escape(to_words(choice.text))
    return (
        f'<div class="tw-option"><label><input type="{control}" name="choice"'
        f' aria-label="{words}" value="{position}">'
        f"<span>{to_html(choice.text)}</span></label>"
        '<div class="tw-feedback" aria-live="polite"></div></div>'
    )


def _reason(is_right: bool, why: str) -> str:
    return f"<p data-reason>{RIGHT if is_right else WRONG} {to_html(why)}</p>"


def _form(kind: str, question: str, answers: str, reasons: str, data: str = "") -> str:
    button = "" if kind == "one" else "<button>Check</button>"
    return f"""\
<form class="tutor-widget tw-quiz" method="dialog" novalidate data-kind="{kind}"{data} \
data-lm-suppress-shortcuts="true">
<div class="tw-head"><span>{INSTRUCTIONS[kind]}</span><small>no score is kept</small></div>
<fieldset><legend>{to_html(question)}</legend>{answers}</fieldset>
<div class="tw-check">{button}<div class="tw-verdict" aria-live="polite"></div></div>
<details class="tw-reasons"><summary>Answer and reasons</summary><ul>{reasons}</ul></details>
</form>"""
