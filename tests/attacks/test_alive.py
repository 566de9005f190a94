"""That the attacks attack: each shows its effect where the guard against it is missing."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.attacks.collection import ALL, BY_AIM
from tests.attacks.entry import MINI, PS1
from tests.attacks.stock import StockCourse


def proven(proof):
    """Return the attacks that are shown to be alive in one way."""
    return [attack for attack in ALL if attack.proof == proof]


def each(proof):
    """Mark a test that shows it of every attack of a kind."""
    return pytest.mark.parametrize("attack", proven(proof), ids=lambda attack: attack.id)


def effects(attack, ours, theirs, said):
    """Return what an attack does under another grader that it does not under ours."""
    found = [text for text in attack.untold if text in said]
    # What a test gives for its last line is nbgrader's affair, and not to be seen inside.
    return found + [f"{test}: {theirs[test]}" for test in theirs if theirs[test] != ours[test]]


@each("inside")
def test_it_works_where_tests_run_in_the_students_process(attack, graders):
    scores, said = graders.inside(attack)
    scores.pop("part", None)
    assert effects(attack, graders.grade(attack).scores, scores, said)


@pytest.fixture(scope="module", params=[MINI, PS1])
def stock(request, tmp_path_factory, secret):
    """Both sets, graded by nbgrader alone: what is proven so, and an honest answer last."""
    course = StockCourse(tmp_path_factory.mktemp("stock"), request.param)
    attacks = [attack for attack in proven("stock") if attack.on == request.param]
    course.hand_in((attack.id, attack) for attack in attacks)
    course.autograde()
    return course, attacks


def test_it_works_under_stock_nbgrader(stock, graders):
    course, attacks = stock
    scores = course.scores()
    dead = []
    for attack in attacks:
        ours = graders.grade(attack).scores
        # Where it is not in the gradebook, nbgrader could not grade it at all.
        theirs = scores.get(attack.id, dict.fromkeys(ours))
        if not effects(attack, ours, theirs, course.said(attack.id)):
            dead.append(attack.name)
    assert attacks
    assert dead == []


def test_a_wrong_answer_loses_what_honest_work_gets(graders):
    wrong = "def softmax(x, axis=-1):\n    return x"
    for attack in proven("bites")[:3]:
        spoilt = replace(attack, answers={"softmax": wrong}, after={})
        assert sum(graders.grade(spoilt).scores.values()) < attack.score


def test_every_attack_says_how_it_is_shown_to_be_alive():
    sources = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    tests = set(re.findall(r"def (test_\w+)", sources))
    for attack in ALL:
        if attack.proof == "unguarded":
            assert attack.by in tests, attack.name
        assert attack.proof != "by design" or attack.by.endswith("."), attack.name
    shown = [attack for attack in ALL if attack.proof in ("inside", "stock", "unguarded")]
    assert len(shown) >= 60
    assert all(attack.proof != "bites" for aim in ("gains", "leaks") for attack in BY_AIM[aim])
