"""The tests of the tests: what the problem sets' checks accept, reject and say."""

import re
from collections import Counter

import numpy as np
import pytest
from tests.problem_sets import FAMILIES, ProblemSet, lost, right_answers

SETS = {name: ProblemSet(name) for name in sorted({name for name, _ in FAMILIES})}
ANSWERS = [
    pytest.param(name, function, source, id=f"{function}-{style}-{name[:3]}")
    for name in SETS
    for function, styles in right_answers(name).items()
    for style, source in styles.items()
]
MISTAKES = [
    pytest.param(name, function, mistake, id=f"{function}-{mistake.id}-{name[:3]}")
    for (name, function), family in FAMILIES.items()
    for mistake in family.mistakes
]
# A second softmax of what is no softmax yet is the first.
UNDO_EACH_OTHER = {"softmax-again+no-softmax", "softmax-again+log-softmax"}
LARGE = {"softmax", "attention", "cached_decode"}
every_function = pytest.mark.parametrize(
    ("name", "function"), FAMILIES, ids=lambda value: str(value)
)


@pytest.fixture(autouse=True)
def quiet(recwarn):
    """Answers may warn: that is one of the things tested."""


def test_each_function_of_the_sets_has_mistakes_and_answers():
    for name, problem_set in SETS.items():
        graded = {f for f in problem_set.answers if problem_set.checks(f)}
        assert graded == {function for other, function in FAMILIES if other == name}
        assert graded == set(right_answers(name))


@every_function
def test_there_are_enough_mistakes_and_right_answers(name, function):
    known = FAMILIES[name, function].mistakes
    assert len(known) >= (10 if function in LARGE else 6)
    assert len(right_answers(name)[function]) >= 6
    assert max(Counter(mistake.id for mistake in known).values()) == 1


@pytest.mark.parametrize("name", SETS)
def test_the_model_answers_get_all_points(name):
    results = SETS[name].run()
    assert lost(results) == 0 and not [r for r in results.values() if r.message]
    assert 10 <= SETS[name].points <= 20


@pytest.mark.parametrize(("name", "function", "source"), ANSWERS)
def test_a_right_answer_of_any_style_gets_all_points(name, function, source):
    problem_set = SETS[name]
    results = problem_set.run({function: source}, only=problem_set.checks(function))
    assert {cell: r.message for cell, r in results.items() if r.message} == {}


@pytest.mark.parametrize(("name", "function", "mistake"), MISTAKES)
def test_a_mistake_loses_points_and_is_told_its_hint(name, function, mistake):
    problem_set = SETS[name]
    results = problem_set.run({function: mistake}, only=problem_set.checks(function))
    assert lost(results) > 0
    hints = {r.message.partition("Hint: ")[2] for r in results.values() if r.message and r.points}
    assert mistake.hint in hints


@every_function
def test_two_mistakes_at_once_lose_points(name, function):
    problem_set = SETS[name]
    pairs = list(FAMILIES[name, function].pairs())
    rng = np.random.default_rng(len(pairs))
    for i in rng.permutation(len(pairs))[:4]:
        results = problem_set.run({function: pairs[i]}, only=problem_set.checks(function))
        assert lost(results) > 0 or pairs[i].id in UNDO_EACH_OTHER, pairs[i].id


@every_function
def test_a_failed_hidden_check_tells_nothing_of_its_inputs(name, function):
    problem_set = SETS[name]
    for mistake in FAMILIES[name, function].mistakes[:4]:
        results = problem_set.run({function: mistake}, only=problem_set.checks(function))
        for result in results.values():
            if result.message and result.points:
                promise, fault, *hint = result.message.splitlines()
                assert promise.startswith(f"{function}: ")
                assert re.fullmatch(r"Here [A-Za-z _.]+", fault)
                assert len(hint) <= 1 and all(line.startswith("Hint: ") for line in hint)


@every_function
def test_an_exception_is_told_by_its_type_only(name, function):
    def leaks(*args, **kwargs):
        raise RuntimeError(f"secret {args} {kwargs}")

    problem_set = SETS[name]
    results = problem_set.run({function: leaks}, only=problem_set.checks(function))
    for result in results.values():
        assert "RuntimeError" in result.message
        assert not result.points or "secret" not in result.message


@every_function
def test_nothing_that_is_no_answer_gets_points(name, function):
    class Agreeable(float):
        """Equal to everything, as some answers would like to be."""

        def __eq__(self, other):
            return True

        __hash__ = float.__hash__

    problem_set = SETS[name]
    for result in (None, "right", Agreeable(1), np.ma.masked, [[1.0], [2.0, 3.0]], object(), 1j):
        results = problem_set.run(
            {function: lambda *args, result=result, **kwargs: result},
            only=problem_set.checks(function),
        )
        assert all(r.message for r in results.values() if r.points)
