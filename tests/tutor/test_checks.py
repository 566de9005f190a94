import sys
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import special, stats

from tutor import checks
from tutor.checks import array, attention_case, case, check, far_rows, large_scores, mask
from tutor.checks.experiments import bernstein, distribution_bound
from tutor.checks.problems import PROBLEMS
from tutor.checks.values import agree, agreeing, fresh, plain_array

PROMISE = "the weights are right."
CASE = case(np.array([[1.0, -3.0, 0.5], [0.0, 2.0, 1.0]]))


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def message(answer, *cases, hidden=False, problem="softmax"):
    with pytest.raises(AssertionError) as caught:
        check(answer, problem, cases or [CASE], promise=PROMISE, hidden=hidden)
    return text_of(caught.value)


def text_of(error):
    """Return what a failed check says, which a grader finds as `feedback`."""
    assert type(error) is AssertionError
    assert error.feedback == str(error)
    return error.feedback


@pytest.mark.parametrize(
    "answer",
    [
        softmax,
        lambda x: softmax(x).tolist(),
        lambda x: torch.tensor(softmax(x), requires_grad=True) * 1,
        lambda x: [torch.tensor(row) for row in softmax(x)],
        lambda x: softmax(x).astype(np.float32),
        lambda x: np.asmatrix(softmax(x)),
    ],
    ids=["array", "list", "tensor", "list of tensors", "float32", "matrix"],
)
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_right_results_of_any_kind_pass(answer):
    check(answer, "softmax", [CASE], promise=PROMISE)


def test_prints_and_warnings_cost_nothing(capsys):
    def noisy(x):
        print("hello")
        print("oh", file=sys.stderr)
        warnings.warn("careful", stacklevel=1)
        return softmax(x)

    check(noisy, "softmax", [CASE], promise=PROMISE)
    assert capsys.readouterr() == ("", "")


def test_a_numpy_that_raises_for_warnings_costs_nothing():
    with np.errstate(all="raise"):
        check(softmax, "softmax", [case([1000.0, 0.0])], promise=PROMISE)


def test_wrong_numbers_show_promise_call_expected_got_and_hint():
    text = message(lambda x: softmax(x, axis=0))
    assert f"softmax: {PROMISE}" in text and "Here the result is wrong." in text
    assert "The call was softmax([[ 1. , -3. ,  0.5]," in text
    assert "Expected" in text and "got" in text
    assert "Hint: The weights are what comes out along axis 0" in text


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda x: softmax(x)[0], "wrong shape"),
        (lambda x: "two", "the result is a str"),
        (lambda x: [[1.0], [1.0, 2.0]], "the result is a list of other things"),
        (lambda x: 1j * softmax(x), "the result is a ndarray of other things"),
        (lambda x: None, "the result is a NoneType"),
        (lambda x: softmax(x) > 0.5, "holds True and False, not numbers"),
        (lambda x: 1 / 0, "it raised ZeroDivisionError"),
        (lambda x: sys.exit("stop"), "it raised SystemExit"),
        (lambda x: np.nan * softmax(x), "NaN comes from"),
        (lambda x: softmax(x) / np.zeros(3), "Something overflows"),
        (lambda x: 3.5 * softmax(x), "the right ones times 3.5"),
    ],
)
def test_other_faults_are_named(answer, says):
    assert says in message(answer)


def test_an_answer_not_written_yet_is_told_so():
    def unwritten(x):
        raise NotImplementedError

    assert "it is not written yet" in message(unwritten)


def test_changing_an_argument_is_a_fault_and_leaves_the_case_intact():
    def in_place(x):
        result = softmax(x)
        x += 1.0
        return result

    one = case(np.array([1.0, 2.0]))
    assert "it changed its argument x" in message(in_place, one)
    assert one.args[0].tolist() == [1.0, 2.0]
    assert "it changed its argument x" in message(in_place, case(x=np.array([1.0, 2.0])))


def test_a_list_changed_inside_is_a_fault():
    def in_place(x):
        x[0][0] = 7.0
        return softmax([[1.0, 2.0]])

    assert "changed its argument x" in message(in_place, case([[1.0, 2.0]]))


def test_an_answer_that_remembers_the_last_call_is_told_so():
    calls = []

    def forgetful(x):
        calls.append(x)
        return softmax(x) if len(calls) == 1 else 2 * softmax(x)

    assert "a second call with the same arguments differs" in message(forgetful)


def test_several_results_are_compared_by_name():
    one = attention_case(np.random.default_rng(0), n_q=2, n_k=3, d_k=4, d_v=5)
    right = PROBLEMS["attention"].oracle

    def message_of(answer):
        return message(answer, one, problem="attention")

    check(lambda *a: list(right(*a)), "attention", [one], promise=PROMISE)
    assert "weights is wrong" in message_of(lambda *a: (right(*a)[0], right(*a)[1] ** 2))
    assert "not the tuple (output, weights)" in message_of(lambda *a: right(*a)[0][0, 0])
    assert "ndarray, not the tuple" in message_of(lambda *a: right(*a)[0])
    assert "have changed places" in message_of(lambda *a: right(*a)[::-1])
    off = "The weights are right, the output is not"
    assert off in message_of(lambda *a: (right(*a)[0] + 0.1, right(*a)[1]))


def test_a_hidden_case_tells_promise_fault_and_hint_only():
    secret = case(np.array([7.25, -6.125]))
    for answer in (lambda x: x, lambda x: x[:1], lambda x: np.linalg.inv(x)):
        text = message(answer, secret, hidden=True)
        assert PROMISE in text
        assert not any(character.isdigit() for character in text)


def test_an_exception_that_quotes_its_input_is_not_repeated_when_hidden():
    def leaks(x):
        raise ValueError(f"input was {x}")

    assert "7.25" in message(leaks, case([7.25]))
    text = message(leaks, case([7.25]), hidden=True)
    assert "ValueError" in text and "7.25" not in text


def test_names_of_the_answers_own_are_not_repeated():
    secret = case(np.array([7.25, -6.125]))

    def raises(x):
        raise type(f"Saw{x[0]}", (ArithmeticError,), {})

    def returns(x):
        return type(f"Saw{x[0]}", (), {})()

    assert "it raised ArithmeticError" in message(raises, secret, hidden=True)
    for answer in (raises, returns):
        assert "Saw" not in message(answer, secret, hidden=True)
        assert "Saw" not in variance_message(lambda d, n, rng, answer=answer: answer([rng]))
    one = attention_case(np.random.default_rng(0), n_q=2, n_k=3, d_k=4, d_v=5)
    for hidden in (True, False):
        text = message(lambda q, k, v: [1] * 725, one, problem="attention", hidden=hidden)
        assert ("725" in text) != hidden


def test_a_common_factor_is_told_only_where_it_tells_nothing_else():
    def jacobian_message(*cases):
        return message(lambda scores: 0.125, *cases, problem="jacobian_norm", hidden=True)

    assert "the right ones times 3.5" in message(lambda x: 3.5 * softmax(x), hidden=True)
    assert "Hint" not in jacobian_message(case([0.0, 1.0]))
    assert "Hint" not in jacobian_message(case([0.0, 1.0]), case([0.0, 2.0]))


def test_what_is_right_depends_on_the_content_of_a_case_only():
    numbers = np.arange(6.0).reshape(2, 3)
    for other in (numbers.copy(), np.asfortranarray(numbers), numbers.astype(np.float32)):
        check(softmax, "softmax", [case(numbers), case(other)], promise=PROMISE)
    numbers[0, 0] = 9.0
    check(softmax, "softmax", [case(numbers), case(numbers, axis=0)], promise=PROMISE)
    assert "is wrong" in message(lambda x: softmax(np.arange(6.0).reshape(2, 3)), case(numbers))


def test_an_object_that_equals_everything_does_not_pass():
    class Agreeable(np.ndarray):
        def __eq__(self, other):
            return np.ones(self.shape, bool)

        def __sub__(self, other):
            return np.zeros(self.shape)

    wrong = np.zeros((2, 3)).view(Agreeable)
    assert "wrong" in message(lambda x: wrong)


def test_replacing_what_numpy_compares_with_changes_nothing(monkeypatch):
    monkeypatch.setattr(np, "allclose", lambda *a, **k: True)
    monkeypatch.setattr(np, "isfinite", lambda x: np.ones(np.shape(x), bool))
    monkeypatch.setattr(np, "abs", lambda x: np.zeros(np.shape(x)))
    assert "wrong" in message(lambda x: softmax(x, axis=0))


def test_two_mistakes_at_once_are_told_together():
    one = attention_case(np.random.default_rng(0), 2, n_q=3, n_k=4, d_k=5, d_v=6)

    def twice(query, key, value):
        scores = query @ key.swapaxes(-1, -2)
        weights = softmax(scores, axis=-2)
        return weights @ value, weights

    text = message(twice, one, problem="attention")
    assert "Two things look wrong." in text
    assert "divide the scores by sqrt(d_k)" in text and "over the queries" in text


def test_a_mistake_that_fits_only_some_cases_is_not_named():
    def moody(x, axis=-1):
        return softmax(x, axis=0) if np.size(x) > 4 else 2 * softmax(x)

    text = message(moody, CASE, case(np.array([[1.0, 2.0]])))
    assert "axis 0" not in text


# Values and cases


def test_a_copy_keeps_strides_protection_and_aliases():
    base = np.arange(12.0).reshape(3, 4)
    base.flags.writeable = False
    first, second, same = fresh((base[:, ::2], base.T, base.T))
    assert first.strides == base[:, ::2].strides and second.strides == base.T.strides
    assert not first.flags.writeable
    assert (first == base[:, ::2]).all() and not np.shares_memory(first, base)
    once = np.ones(3)
    left, right = fresh((once, once))
    assert left is right is not once
    assert same is not second  # two views are two arrays


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_a_plain_array_is_of_numpys_own_type():
    assert type(plain_array(np.asmatrix([[1.0]]))) is np.ndarray
    with pytest.raises(checks.values.NotNumbers):
        plain_array(object())


def test_numbers_agree_with_nan_and_infinity_in_the_same_places():
    numbers = np.array([1.0, np.nan, np.inf, -np.inf])
    assert agree(numbers, numbers, 0.0)
    assert not agree(numbers, np.array([1.0, np.nan, -np.inf, -np.inf]), 1.0)
    assert not agree(np.zeros(3), np.zeros((3, 1)), 1.0)
    assert agree(np.zeros(0), np.zeros(0), 0.0)


@pytest.mark.parametrize("kind", ["float32", "whole", "list", "whole list", "turned"])
def test_arrays_are_stored_as_asked(kind):
    stored = array(np.random.default_rng(0), 3, 4, kind=kind)
    assert isinstance(stored, list) == kind.endswith("list")
    assert np.shape(stored) == (3, 4)
    if kind == "turned":
        assert stored.flags.f_contiguous and not stored.flags.c_contiguous


def test_entries_that_lie_apart_are_not_contiguous():
    stored = array(np.random.default_rng(0), 3, 4, kind="every second")
    assert stored.shape == (3, 4) and not stored.flags.contiguous


def test_a_mask_leaves_a_key_in_every_row_but_the_empty_ones():
    made = mask(np.random.default_rng(0), 3, 5, 4, keep=0.1, empty=(1,))
    assert made.any(axis=-1)[:, [0, 2, 3, 4]].all() and not made[:, 1].any()


def test_far_rows_are_far_and_large_scores_large():
    rng = np.random.default_rng(0)
    rows = far_rows(rng, 4, 6)
    assert np.diff(np.sort(rows.mean(axis=1))).min() > 800
    keys = np.array([True, False, True])
    query, key, _ = large_scores(rng, keys, 2, d_k=5, d_v=2, size=1e4, toward="blocked")
    scores = query @ key.T
    assert (scores[:, keys] < -1e7).all() and (scores[:, ~keys] > 1e7).all()


# Answers that draw


def experiment(d_k, n_pairs, rng):
    queries, keys = rng.normal(size=(2, n_pairs, d_k))
    return (queries * keys).sum(axis=1).var(ddof=1)


def variance_message(answer, seed=0):
    with pytest.raises(AssertionError) as caught:
        checks.check_variance_experiment(answer, np.random.default_rng(seed), promise=PROMISE)
    return text_of(caught.value)


def test_right_experiments_pass_with_any_seed():
    for seed in range(12):
        checks.check_variance_experiment(experiment, np.random.default_rng(seed), promise=PROMISE)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda d, n, rng: float(d), "draws nothing from rng"),
        (lambda d, n, rng: float(d) + 0 * rng.normal(), "all generators give one result"),
        (lambda d, n, rng: experiment(d, n, np.random.default_rng()), "draws nothing from rng"),
        (lambda d, n, rng: rng.normal() + np.random.default_rng().normal(), "gives two results"),
        (lambda d, n, rng: experiment(d, 2 * n, rng), "few pairs is wrong"),
        (lambda d, n, rng: experiment(d, n, rng) * (n - 1) / n, "use ddof=1"),
        (lambda d, n, rng: np.nan * rng.normal(), "no finite number"),
        (lambda d, n, rng: [experiment(d, n, rng)], "no single number"),
        (lambda d, n, rng: 1 / 0, "raised ZeroDivisionError"),
    ],
)
def test_wrong_experiments_are_named(answer, says):
    assert says in variance_message(answer)


def test_the_chances_for_two_pairs_are_those_of_the_docstring():
    d, n = 30, 400
    # The difference of two Gamma(d) numbers has a density with a Bessel function.
    x = np.linspace(0, 250, 100_001)
    positive = np.maximum(x, 1e-3)
    bessel = np.log(special.kve(d - 0.5, positive)) - positive
    logarithm = (d - 0.5) * np.log(positive / 2) + bessel
    density = 2 * np.exp(logarithm - special.gammaln(d)) / np.sqrt(np.pi)
    roots = x / np.sqrt(2 * d)

    def mean(values):
        return np.trapezoid(values * density, x)

    def chernoff(bound, slopes):
        return np.exp(n * min(np.log(mean(np.exp(t * roots))) - t * bound for t in slopes))

    assert mean(1.0) == pytest.approx(1) and mean(roots) == pytest.approx(0.795, abs=1e-3)
    assert chernoff(0.63, np.linspace(-4, 0, 81)) < 9e-8
    assert chernoff(0.98, np.linspace(0, 3, 61)) < 5e-8
    small = mean(roots < 0.25)
    assert small == pytest.approx(0.2, abs=0.001)
    assert stats.binom.cdf(34, n, small) + stats.binom.sf(125, n, small) < 1e-7
    assert stats.binom.sf(10, 21, 1 / 16) < 1.2e-8


def test_the_bounds_hold_for_means_and_distributions():
    rng = np.random.default_rng(0)
    samples = np.sort(rng.random(size=(2000, 50)))
    off = np.abs(samples.mean(axis=1) - 0.5)
    assert (off > bernstein(1 / 12, 50, 0.5, chance=0.1)).mean() < 0.1
    steps = np.arange(51) / 50
    gaps = np.maximum(abs(samples - steps[1:]), abs(samples - steps[:-1])).max(axis=1)
    assert 0.01 < (gaps > distribution_bound(50, chance=0.1)).mean() < 0.1


def check_curve(**changed):
    def answer(d_ks, n_keys, rng, scaled, n_trials=200):
        trials = changed.get("trials", n_trials)
        return [norms(d_k, n_keys, rng, scaled, trials).mean() for d_k in d_ks]

    def norms(d_k, n_keys, rng, scaled, n_trials):
        query = rng.normal(size=(changed.get("queries", n_trials), 1, d_k))
        scores = (query * rng.normal(size=(n_trials, n_keys, d_k))).sum(axis=-1)
        p = softmax(np.floor(scores) if "floor" in changed else scores)
        return np.linalg.norm(p[:, :, None] * (np.eye(n_keys) - p[:, None]), axis=(1, 2))

    checks.check_saturation_curve(
        answer,
        np.random.default_rng(0),
        [{"d_ks": [2, 50], "n_keys": 3, "scaled": False, "n_trials": 100}],
        spreads=[
            {"d_k": 1, "times": 160, "n_keys": 2, "scaled": False, "n_trials": 8},
            {"d_k": 1, "times": 400, "n_keys": 3, "scaled": False, "n_trials": 1},
        ],
        promise=PROMISE,
    )


@pytest.mark.parametrize("changed", [{"floor": True}, {"queries": 1}, {"trials": 50}])
def test_the_spread_of_a_curve_tells_what_its_means_do_not(changed):
    check_curve()
    with pytest.raises(AssertionError) as caught:
        check_curve(**changed)
    assert "do not spread as they should" in text_of(caught.value)


class Elsewhere:
    """An answer that is told its calls ahead, and knows when a repeated one gave the same."""

    def __init__(self, answer, is_steady=True):
        self.answer, self.is_steady = answer, is_steady
        self.announced = []

    def announce(self, calls, times):
        self.announced += calls
        for _ in calls:
            yield self.answer
            for _ in range(times - 1):
                yield None if self.is_steady else (lambda x, **more: self.answer(x + 1, **more) * 2)


def test_an_answer_elsewhere_is_told_all_its_calls_and_judged_like_any():
    remote = Elsewhere(softmax)
    check(remote, "softmax", [CASE, CASE], promise=PROMISE)
    assert len(remote.announced) == 2
    assert message(Elsewhere(np.exp)) == message(np.exp)
    assert "a second call" in message(Elsewhere(softmax, is_steady=False))


NUMBERS = st.sampled_from([0.0, 1.0, 1.0 + 1e-9, -2.0, np.inf, -np.inf, np.nan])


@given(
    arrays.arrays(np.float64, (3, 2, 2), elements=NUMBERS),
    arrays.arrays(np.float64, (2, 2), elements=NUMBERS),
    st.sampled_from([0.0, 1e-6]),
)
def test_stacks_are_compared_as_single_arrays_are(stack, expected, tolerance):
    with np.errstate(invalid="ignore"):
        found = agreeing(stack, expected, tolerance).tolist()
    assert found == [agree(one, expected, tolerance) for one in stack]
