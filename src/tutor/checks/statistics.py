"""Checks of answers that draw random numbers: right ones vary, so chances are computed.

Each check rejects a right answer with a chance below one in a million over all its
parts, whatever order it draws its numbers in. The bounds are those of Chebyshev and
Bernstein, which hold for any distribution, and exact tails of known ones.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy import allclose

import sdpa
from tutor import mistakes
from tutor.checks.calls import silence
from tutor.checks.fingerprint import nearest
from tutor.checks.values import NotNumbers, plain_array
from tutor.mistakes.bank import Family

# Trials of our own that a student's are compared with.
OURS = 10_000


class _Wrong(Exception):
    """What is wrong with an answer, as fault and hint."""

    def __init__(self, fault: str, hint: str = ""):
        super().__init__(fault)
        self.hint = hint


def check_variance_experiment(answer: Callable, rng: np.random.Generator, *, promise: str) -> None:
    """Require that ``variance_experiment(d_k, n_pairs, rng)`` measures what it should.

    **Large samples.** For standard normal pairs the sample variance of N dot products
    has mean d and variance d^2 (2 / (N - 1) + 6 / (d N)), since a dot product's excess
    kurtosis is 6 / d. By Chebyshev one call is off by 8 standard deviations or more with
    a chance of at most 1/64, so 7 or more of 20 calls are with a chance of at most
    P(Bin(20, 1/64) >= 7) = 1.5e-8. There are two such tests.

    **Two pairs of one feature.** Then the sample variance is (q1 k1 - q2 k2)^2 / 2, and
    q1 k1 - q2 k2 has Laplace's distribution, so the root of twice the variance is
    exponential with mean 1. The sum of 1,200 of them is Gamma(1200): their mean lies
    outside 0.84 to 1.18 with a chance of 1e-8; with ddof=0 it would be 0.71. One of them
    is below 1/4 with a chance of 1 - exp(-1/4) = 0.221, so the count of those is outside
    190 to 345 with a chance of 2e-7; with more pairs than two it would be lower.

    Together less than 4e-7. A constant fails: all generators give one result.

    Raises:
        AssertionError: the answer is wrong.
    """
    call = _Caller(answer, rng)
    with _explained(
        "variance_experiment", promise, call, mistakes.VARIANCE_EXPERIMENT, _VARIANCE_DRAWS
    ):
        call.check_generator(6, 30)
        for d_k, n_pairs in ((5, 4000), (37, 700)):
            deviation = d_k * math.sqrt(2 / (n_pairs - 1) + 6 / (d_k * n_pairs))
            values = [call.number(d_k, n_pairs) for _ in range(20)]
            if sum(abs(value - d_k) > 8 * deviation for value in values) >= 7:
                raise _Wrong("the variance is wrong")
        roots = [math.sqrt(2 * max(call.number(1, 2), 0)) for _ in range(1200)]
        if not (
            0.84 <= sum(roots) / len(roots) <= 1.18
            and 190 <= sum(root < 0.25 for root in roots) <= 345
        ):
            raise _Wrong("the variance of few pairs is wrong on average")


_VARIANCE_DRAWS = (
    lambda f, rng: [[f(5, 300, rng), f(36, 40, rng)]],
    lambda f, rng: [[f(1, 2, rng)] for _ in range(10)],
    lambda f, rng: [[f(30, 2, rng)] for _ in range(5)],
)


def check_saturation_curve(
    answer: Callable,
    rng: np.random.Generator,
    cases: Sequence[dict[str, Any]],
    *,
    promise: str,
    anew: bool = False,
) -> None:
    """Require that ``saturation_curve`` measures the mean Jacobian norm for each d_k.

    Each case holds d_ks, n_keys, scaled and n_trials.

    **Means.** One trial's norm lies in [0, 1/2]: with S = sum p_i^2 its square is
    S - 2 sum p_i^3 + S^2, which is at most S - S^2 since sum p_i^3 >= S^2. Mean and
    variance v of a trial come from 10,000 trials of our own. By Bernstein the mean of n
    trials is off by more than t with a chance of at most
    2 exp(-n t^2 / (2 v + t / 3)), and t is chosen so that this is 1e-8. To t comes the
    error of our own mean: 6 of its standard deviations, a chance of 2e-9.

    **Spread**, with ``anew``. With n_trials=1 each number is one trial. The middle half of
    10,000 trials of our own holds at least 0.47 and at most 0.53 of a right answer's (6
    standard deviations), so of 1,000 calls fewer than 385 or more than 615 fall into it
    with a chance of at most 2 P(Bin(1000, 0.47) < 385) = 8e-8. A constant fails here, and
    so does a mean over another number of trials than asked for.

    Together less than 6e-7 for up to 50 numbers.

    Raises:
        AssertionError: the answer is wrong.
    """
    call = _Caller(answer, rng)
    with _explained("saturation_curve", promise, call, mistakes.SATURATION_CURVE, _CURVE_DRAWS):
        call.check_generator([3, 5], 4, scaled=False, n_trials=3)
        for case in cases:
            _curve_is(call, rng, **case)
        if anew:
            _spread_is(call, rng)


def _curve_is(call, rng, d_ks, n_keys, scaled, n_trials) -> None:
    got = call.array(list(d_ks), n_keys, scaled=scaled, n_trials=n_trials)
    if got.shape != (len(d_ks),):
        raise _Wrong("the result has the wrong shape")
    trials = {d_k: jacobian_norms(rng, d_k, n_keys, scaled, OURS) for d_k in set(d_ks)}
    for d_k, value in zip(d_ks, got, strict=True):
        mean, deviation = trials[d_k].mean(), trials[d_k].std()
        allowed = _bernstein(deviation**2, n_trials) + 6 * deviation / math.sqrt(OURS)
        if not abs(value - mean) <= allowed:
            raise _Wrong("a mean is wrong")


_CURVE_DRAWS = (
    lambda f, rng: [f([3, 40], 5, rng, False, 6)],
    lambda f, rng: [f([3, 40], 5, rng, True, 6)],
    lambda f, rng: [f([6], 3, rng, False, n_trials=1) for _ in range(3)],
)


def _bernstein(variance: float, n: int, range_: float = 0.5, chance: float = 1e-8) -> float:
    """Return t with 2 exp(-n t^2 / (2 variance + 2 range t / 3)) = chance."""
    log = math.log(2 / chance)
    linear = 2 * range_ * log / 3
    return (linear + math.sqrt(linear**2 + 8 * n * variance * log)) / (2 * n)


def _spread_is(call, rng) -> None:
    """Require that single trials spread as they do: n_trials is what is averaged."""
    low, high = np.quantile(jacobian_norms(rng, 6, 3, False, OURS), [0.25, 0.75])
    values = [float(call.array([6], 3, scaled=False, n_trials=1)[0]) for _ in range(1000)]
    inside = sum(low <= value <= high for value in values)
    if not 385 <= inside <= 615:
        raise _Wrong("single trials do not spread as they should")


def jacobian_norms(
    rng: np.random.Generator, d_k: int, n_keys: int, scaled: bool, n_trials: int
) -> np.ndarray:
    """Return the Jacobian norms of single trials: the oracle of the saturation curve.

    A trial's scores are query . key_j, which given the query are independent normal
    numbers of its length.
    """
    length = np.sqrt(rng.chisquare(d_k, size=(n_trials, 1)))
    scores = length * rng.normal(size=(n_trials, n_keys)) / (math.sqrt(d_k) if scaled else 1.0)
    p = sdpa.softmax(scores)
    squares = (p * p).sum(axis=1)
    # |diag(p) - p p^T|^2 = sum p_i^2 - 2 sum p_i^3 + (sum p_i^2)^2
    return np.sqrt(np.maximum(squares - 2 * (p**3).sum(axis=1) + squares**2, 0.0))


class _Caller:
    """Calls an answer with generators of its own, and reads numbers."""

    def __init__(self, answer: Callable, rng: np.random.Generator):
        self.answer, self.rng = answer, rng

    def array(self, *args: Any, generator: np.random.Generator | None = None, **kwargs: Any):
        """Return the result of one call as an array of float64."""
        if generator is None:
            generator = np.random.default_rng(self.rng.integers(2**63))
        with silence():
            try:
                result = self.answer(*args, generator, **kwargs)
            except NotImplementedError:
                raise _Wrong("it is not written yet", "Write your code first.") from None
            # Whatever an answer raises, it is the answer that is wrong, not the check.
            except (Exception, SystemExit) as error:  # noqa: BLE001
                raise _Wrong(f"it raised {type(error).__name__}") from None
            try:
                array = plain_array(result)
            except NotNumbers as error:
                raise _Wrong(f"the result is a {error}, no number") from None
        if array.dtype.kind == "b" or not np.isfinite(array).all():
            raise _Wrong("the result is no finite number")
        return array.astype(np.float64)

    def number(self, *args: Any, **kwargs: Any) -> float:
        """Return the result of one call, which must be one number."""
        array = self.array(*args, **kwargs)
        if array.shape != ():
            raise _Wrong("the result is no single number", "Return one number, a float.")
        return float(array)

    def check_generator(self, *args: Any, **kwargs: Any) -> None:
        """Require that numbers come from the generator, and from nothing else."""
        one, same, other = (np.random.default_rng(seed) for seed in (11, 11, 12))
        before = repr(one.bit_generator.state)
        first = self.array(*args, generator=one, **kwargs)
        if repr(one.bit_generator.state) == before:
            raise _Wrong("it draws nothing from rng")
        second, again = (self.array(*args, generator=g, **kwargs) for g in (same, other))
        if first.shape != second.shape or not allclose(first, second, rtol=1e-4):
            raise _Wrong(
                "the same generator gives two results",
                "Draw from `rng` only, not from np.random or a generator of your own.",
            )
        if first.shape == again.shape and (first == again).all():
            raise _Wrong("all generators give one result")


@contextlib.contextmanager
def _explained(
    name: str, promise: str, call: _Caller, known: Family, draws: tuple
) -> Iterator[None]:
    """Turn what is wrong with an answer into the message of a failed check."""
    try:
        yield
    except _Wrong as wrong:
        hint = wrong.hint
        if not hint:
            with silence():
                mistake = nearest(call.answer, known, draws)
            hint = "" if mistake is None else mistake.hint
        lines = [f"{name}: {promise}", f"Here {wrong}."] + [f"Hint: {hint}"] * bool(hint)
        raise AssertionError("\n".join(lines)) from None
