"""Questions with feedback at once, which explains every wrong choice.

    quiz.one("If every score rises by 5, the weights ...",
             right=quiz.Choice("stay the same", "The factor $e^5$ cancels."),
             wrong=[quiz.Choice("rise", "They would no longer sum to 1."), ...])
    quiz.several("Which are softmax outputs?", right=[...], wrong=[...])
    quiz.number("What is the first weight?", answer=0.274, tolerance=0.001,
                wrong={0.212: "That is the unscaled weight."}, why="...")

Texts may hold ``code``, *emphasis* and $math$ (:mod:`tutor.inline`). A question is an
interactive: it shows where it ends a cell. No score is kept anywhere.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

from tutor import quiz_form
from tutor.widgets.base import Interactive


class QuizError(ValueError):
    """A question is not complete or contradicts itself; the message says where."""


@dataclass(frozen=True)
class Choice:
    """An option: its text, and why it is right or wrong."""

    text: str
    why: str

    def __post_init__(self) -> None:
        """Raise QuizError where a part is empty."""
        _check_text("an option's text", self.text)
        _check_text(f"the reason of option {self.text!r}", self.why)


class Quiz(Interactive):
    """One question, made by :func:`one`, :func:`several` or :func:`number`."""

    module: ClassVar[str] = "quiz"

    def __init__(self, question: str, form: str) -> None:
        """Keep the question's text and its HTML form."""
        self.title = question
        self._form = form
        super().__init__()

    def markup(self) -> str:
        """Return the form."""
        return self._form


def one(
    question: str,
    *,
    right: Choice,
    wrong: Sequence[Choice],
    seed: int | None = None,
    order: Sequence[int] | None = None,
) -> Quiz:
    """Ask for the one right option.

    Args:
        question: what is asked.
        right, wrong: the options, each with its reason.
        seed: draws the order of the options; without one the question's text does,
            so that the order is the same every time.
        order: the order itself, as positions in (right, *wrong): (1, 0, 2) shows the
            first wrong option, then the right one, then the other wrong one.

    Raises:
        QuizError: a text is empty, two options are alike, no option is wrong, or the
            order does not name each option once.
        MarkupError: a text cannot be shown.
    """
    if not isinstance(right, Choice):
        raise QuizError(f"right: got {right!r}; wanted one quiz.Choice")
    return _choices("one", question, [right], wrong, seed, order)


def several(
    question: str,
    *,
    right: Sequence[Choice],
    wrong: Sequence[Choice],
    seed: int | None = None,
    order: Sequence[int] | None = None,
) -> Quiz:
    """Ask for all the options that are right; arguments and errors as :func:`one`."""
    return _choices("several", question, right, wrong, seed, order)


def number(
    question: str,
    *,
    answer: Real,
    tolerance: Real,
    why: str,
    wrong: Mapping[Real, str],
    unit: str = "",
) -> Quiz:
    """Ask for a number.

    Args:
        question: what is asked.
        answer: the right number, in ``unit``.
        tolerance: how far from it a number may be, in ``unit``, and still be right;
            the same holds for the wrong numbers.
        why: how the answer comes about.
        wrong: numbers that a known mistake gives, each with what the mistake is.
        unit: shown after the field.

    Raises:
        QuizError: a text is empty, a number is not finite, or two of the numbers are
            so close that one within both tolerances would have two reasons.
        MarkupError: a text cannot be shown.
    """
    _check_text("the question", question)
    _check_text("why", why)
    for mistaken, reason in wrong.items():
        _check_text(f"the reason of {mistaken}", reason)
    _check_numbers([answer, *wrong], tolerance)
    form = quiz_form.number(question, answer, tolerance, why, wrong, unit)
    return Quiz(question, form)


def _choices(kind, question, right, wrong, seed, order) -> Quiz:
    _check_text("the question", question)
    for name, choices in (("right", right), ("wrong", wrong)):
        if not choices or not all(isinstance(choice, Choice) for choice in choices):
            raise QuizError(f"{name}: got {choices!r}; wanted a list of at least one quiz.Choice")
    options = [(choice, True) for choice in right] + [(choice, False) for choice in wrong]
    texts = [choice.text for choice, _ in options]
    if twice := {text for text in texts if texts.count(text) > 1}:
        raise QuizError(f"two options read {twice.pop()!r} in {question!r}")
    positions = _positions(len(options), question, seed, order)
    return Quiz(question, quiz_form.choices(kind, question, [options[i] for i in positions]))


def _positions(count: int, question: str, seed: int | None, order) -> list[int]:
    """Return the order of the options: given, or drawn the same every time."""
    if order is None:
        positions = list(range(count))
        random.Random(question if seed is None else seed).shuffle(positions)
        return positions
    if seed is not None:
        raise QuizError("got both seed and order; wanted one of them")
    if sorted(order) != list(range(count)):
        raise QuizError(f"order: got {order!r}; wanted each of 0 to {count - 1} once")
    return list(order)


def _check_text(what: str, text: str) -> None:
    if not isinstance(text, str) or not text.strip():
        raise QuizError(f"{what}: got {text!r}; wanted some text")


def _check_numbers(numbers: Sequence[Real], tolerance: Real) -> None:
    all_real = all(isinstance(entry, Real) for entry in (*numbers, tolerance))
    if not all_real or not all(map(math.isfinite, (*numbers, tolerance))) or tolerance < 0:
        raise QuizError(
            f"got the numbers {numbers} and tolerance {tolerance}; wanted finite ones, and a"
            " tolerance of at least 0"
        )
    ordered = sorted(numbers)
    for low, high in itertools.pairwise(ordered):
        if high - low <= 2 * tolerance:
            raise QuizError(
                f"{low} and {high} are no more than two tolerances ({tolerance}) apart, so a"
                " number between them would have two reasons"
            )
