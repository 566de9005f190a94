import sys
import warnings

import numpy as np
import pytest
import torch

from tutor.checks import case, check

PROMISE = "the double of x."


def double(x):
    return 2 * np.asarray(x, dtype=float)


def message(answer, *cases, hidden=False, oracle=double, **options):
    with pytest.raises(AssertionError) as caught:
        check(answer, oracle, cases, promise=PROMISE, hidden=hidden, **options)
    return str(caught.value)


CASE = case(np.array([[1.0, -3.0, 0.5]]))


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: np.asarray(x) + np.asarray(x),
        lambda x: (2 * np.asarray(x)).tolist(),
        lambda x: torch.tensor(x, requires_grad=True) * 2,
        lambda x: np.float32(2) * np.asarray(x, dtype=np.float32),
    ],
    ids=["array", "list", "tensor", "float32"],
)
def test_right_answers_of_any_kind_pass(answer):
    check(answer, double, [CASE, case([1.0, 2.0])], promise=PROMISE)


def test_prints_and_warnings_cost_nothing(capsys):
    def noisy(x):
        print("hello")
        print("oh", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return double(x)

    check(noisy, double, [CASE], promise=PROMISE)
    assert capsys.readouterr() == ("", "")


def test_wrong_numbers_show_promise_call_expected_and_got():
    text = message(lambda x: 3 * np.asarray(x), CASE)
    assert PROMISE in text and "wrong numbers" in text
    assert (
        "array([[ 1. , -3. ,  0.5]])" in text
        and "[[ 2. -6.  1.]]" in text
        and "[[ 3.  -9.   1.5]]" in text
    )


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda x: np.asarray(x)[0], "wrong shape"),
        (lambda x: "two", "no array of real numbers but a str"),
        (lambda x: [[1.0], [1.0, 2.0]], "no array of real numbers but a list"),
        (lambda x: 1j * np.asarray(x), "no array of real numbers but a ndarray"),
        (lambda x: None, "no array of real numbers but a NoneType"),
        (lambda x: 1 / 0, "raised ZeroDivisionError"),
        (lambda x: np.nan * np.asarray(x), "wrong numbers"),
    ],
    ids=["shape", "string", "ragged", "complex", "none", "raises", "nan"],
)
def test_other_faults_are_named(answer, says):
    assert says in message(answer, CASE)


def test_an_answer_not_written_yet_is_told_so():
    def unwritten(x):
        raise NotImplementedError

    assert "not written yet" in message(unwritten, CASE)


def test_changing_an_argument_is_a_fault_and_leaves_the_case_intact():
    def in_place(x):
        x *= 2
        return x

    one = case(np.array([1.0, 2.0]))
    assert "changed its arguments" in message(in_place, one)
    assert one.args[0].tolist() == [1.0, 2.0]
    keyword = case(x=np.array([1.0, 2.0]))
    assert "changed its arguments" in message(in_place, keyword)


def test_an_answer_that_remembers_the_last_call_is_wrong():
    calls = []

    def forgetful(x):
        calls.append(x)
        return len(calls) * double(x)

    assert "wrong numbers" in message(forgetful, CASE)


def test_several_results_are_compared_by_name():
    def pair(x):
        return double(x), np.asarray(x)

    def swapped(x):
        return np.asarray(x), double(x)

    names = {"oracle": pair, "results": ("output", "weights")}
    check(pair, pair, [CASE], promise=PROMISE, results=("output", "weights"))
    assert "output has wrong numbers" in message(swapped, CASE, **names)
    assert "no tuple (output, weights)" in message(double, CASE, **names)


def test_a_hidden_case_tells_promise_and_kind_of_fault_only():
    secret = case(np.array([7.25, -6.125]))
    for answer in (lambda x: x, lambda x: x[:1], lambda x: np.linalg.inv(x)):
        text = message(answer, secret, hidden=True)
        assert PROMISE in text
        assert not any(char.isdigit() for char in text)


def test_an_exception_that_quotes_its_input_is_not_repeated_when_hidden():
    def leaks(x):
        raise ValueError(f"input was {x}")

    text = message(leaks, case([7.25]), hidden=True)
    assert "ValueError" in text and "7.25" not in text
