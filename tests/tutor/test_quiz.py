"""Questions: what they show, and what is refused."""

import re

import pytest

from tutor import quiz
from tutor.inline import MarkupError
from tutor.quiz import Choice, QuizError

RIGHT = Choice("stay", "The factor $e^5$ cancels.")
WRONG = [Choice("rise", "They would not sum to 1."), Choice("fall", "Nor then.")]


def order(question: quiz.Quiz) -> list[str]:
    return re.findall(r'value="\d+"><span>(.*?)</span></label>', question.markup())


def test_a_question_shows_all_its_options_and_reasons():
    html = quiz.one("Scores rise by 5: the weights ...", right=RIGHT, wrong=WRONG).static_html()
    assert html.startswith('<div data-module="quiz" data-state="{}"><form')
    for choice in (RIGHT, *WRONG):
        assert html.count(f"<span>{choice.text}</span>") == 1
    assert html.count("✓ Right.") == 1
    assert html.count("✗ Not quite.") == 2
    assert "They would not sum to 1." in html
    assert "<msup><mi>e</mi><mn>5</mn></msup>" in html
    assert html.count(" data-right") == 1


def test_the_question_is_its_plain_text():
    bundled, _ = quiz.one("Why?", right=RIGHT, wrong=WRONG)._repr_mimebundle_()
    assert bundled["text/plain"] == "[Interactive: Why?]"


def test_the_order_is_drawn_the_same_every_time():
    make = [quiz.one("Which?", right=RIGHT, wrong=WRONG, seed=seed) for seed in (None, None, 1, 1)]
    assert order(make[0]) == order(make[1])
    assert order(make[2]) == order(make[3])
    orders = {tuple(order(quiz.one("?", right=RIGHT, wrong=WRONG, seed=s))) for s in range(40)}
    assert len(orders) == 6


def test_the_order_as_given():
    question = quiz.one("Which?", right=RIGHT, wrong=WRONG, order=(1, 0, 2))
    assert order(question) == ["rise", "stay", "fall"]
    marked = re.findall(r'<li data-option="(\d)"( data-right)?>', question.markup())
    assert marked == [("0", ""), ("1", " data-right"), ("2", "")]


def test_several_may_have_one_or_more_right_options():
    question = quiz.several("Which?", right=[RIGHT, Choice("keep", "Yes.")], wrong=WRONG)
    assert question.markup().count(" data-right") == 2
    assert question.markup().count('type="checkbox"') == 4


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Choice("", "why"), "an option's text: got ''"),
        (lambda: Choice("text", "  "), "the reason of option 'text'"),
        (lambda: quiz.one("", right=RIGHT, wrong=WRONG), "the question: got ''"),
        (lambda: quiz.one("?", right=RIGHT, wrong=[]), "wrong: got []; wanted a list"),
        (lambda: quiz.one("?", right=[RIGHT], wrong=WRONG), "wanted one quiz.Choice"),
        (lambda: quiz.one("?", right=RIGHT, wrong=["fall"]), "wrong: got ['fall']"),
        (lambda: quiz.one("?", right=RIGHT, wrong=[RIGHT]), "two options read 'stay' in '?'"),
        (lambda: quiz.several("?", right=[], wrong=WRONG), "right: got []"),
        (lambda: quiz.one("?", right=RIGHT, wrong=WRONG, order=(0, 1)), "each of 0 to 2 once"),
        (lambda: quiz.one("?", right=RIGHT, wrong=WRONG, order=(0, 1, 1)), "each of 0 to 2"),
        (lambda: quiz.one("?", right=RIGHT, wrong=WRONG, order=(0, 1, 2), seed=1), "one of them"),
    ],
)
def test_incomplete_questions_are_refused(make, reason):
    with pytest.raises(QuizError) as caught:
        make()
    assert reason in str(caught.value)


def number(**changed) -> quiz.Quiz:
    given = {"answer": 0.274, "tolerance": 0.001, "why": "So.", "wrong": {0.212: "Unscaled."}}
    return quiz.number("How much?", **given | changed)


def test_a_number_shows_its_reasons():
    html = number(unit="FLOP").markup()
    assert 'data-tolerance="0.001"' in html
    assert '<li data-number="0.274" data-right>' in html
    assert '<li data-number="0.212">' in html
    assert html.count("FLOP") == 3


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"wrong": {0.2755: "Too near."}}, "no more than two tolerances (0.001) apart"),
        ({"wrong": {0.1: "One.", 0.1005: "Two."}}, "0.1 and 0.1005 are no more"),
        ({"wrong": {0.212: ""}}, "the reason of 0.212"),
        ({"why": " "}, "why: got"),
        ({"tolerance": -1}, "a tolerance of at least 0"),
        ({"answer": float("nan")}, "wanted finite ones"),
        ({"wrong": {float("inf"): "Infinite."}}, "wanted finite ones"),
        ({"answer": "0.2"}, "wanted finite ones"),
    ],
)
def test_contradicting_numbers_are_refused(changed, reason):
    with pytest.raises(QuizError) as caught:
        number(**changed)
    assert reason in str(caught.value)


def test_bad_math_is_refused_where_the_question_is_made():
    with pytest.raises(MarkupError, match="unknown command"):
        quiz.one(r"What is $\sofmax$?", right=RIGHT, wrong=WRONG)
