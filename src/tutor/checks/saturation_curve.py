"""The check of ``saturation_curve``: right answers vary, so chances are computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

import sdpa
from tutor import mistakes
from tutor.checks.experiments import Caller, Wrong, bernstein, distribution_bound, explained

# Results of our own that a student's are compared with.
OURS = 10_000
# A trial's norm is at most 1/2.
SPAN = 0.5


def check_saturation_curve(
    answer: Callable,
    rng: np.random.Generator,
    means: Sequence[dict[str, Any]],
    *,
    promise: str,
    spreads: Sequence[dict[str, Any]] = (),
) -> None:
    """Require that ``saturation_curve`` measures the mean Jacobian norm for each d_k.

    What is right comes from 10,000 results of our own. A right answer is rejected with a
    chance of at most 1e-8 for each number of ``means``, and 3e-8 for each of ``spreads``:

    **Means.** One trial's norm lies in [0, 1/2]: with S = sum p_i^2 its square is
    S - 2 sum p_i^3 + S^2, which is at most S - S^2 since sum p_i^3 >= S^2. The mean of n
    of them is as near the right one as Bernstein's bound says. To that comes the error of
    our own mean: 6 of its standard deviations.

    **Spreads.** The results for a list of equal d_ks are independent, so their
    distribution is as near ours as the bound of Dvoretzky, Kiefer and Wolfowitz says,
    ours as near the right one, their mean within Bernstein's bound, and so is the share
    of them in the middle 80 % of ours. A constant fails here, and so do a mean over
    another number of trials than asked for, and trials that share a query.

    Args:
        answer: the student's function.
        rng: where the answer's generators come from.
        means: calls to compare by their numbers: d_ks, n_keys, scaled, n_trials.
        promise: what the problem asks for, one sentence.
        spreads: calls to compare by the distribution of their numbers: d_k, and how many
            times it stands in d_ks as ``times``; n_keys, scaled, n_trials.

    Raises:
        AssertionError: the answer is wrong.
    """
    call = Caller(answer, rng)
    with explained("saturation_curve", promise, call, mistakes.SATURATION_CURVE, _DRAWS):
        call.check_generator([3, 5], 4, scaled=False, n_trials=3)
        for case in means:
            _means_are_right(call, **case)
        for case in spreads:
            _spread_is_right(call, **case)


_DRAWS = (
    lambda f, rng: [f([3, 40], 5, rng, True, 6)],
    lambda f, rng: [f([40], 5, rng, False, 6)],
    lambda f, rng: [f([2], 40, rng, True, 8)],
)


def _means_are_right(call, d_ks, n_keys, scaled, n_trials) -> None:
    got = _curve(call, list(d_ks), n_keys, scaled, n_trials)
    for d_k, value in zip(d_ks, got, strict=True):
        trials = ours(d_k, n_keys, scaled, 1)
        allowed = bernstein(trials.var(), n_trials, SPAN) + 6 * trials.std() / math.sqrt(OURS)
        if not abs(value - trials.mean()) <= allowed:
            raise Wrong("a mean is wrong")


def _spread_is_right(call, d_k, times, n_keys, scaled, n_trials) -> None:
    got = _curve(call, [d_k] * times, n_keys, scaled, n_trials)
    right = ours(d_k, n_keys, scaled, n_trials)
    off = bernstein(right.var(), times, SPAN) + 6 * right.std() / math.sqrt(OURS)
    low, high = np.quantile(right, [0.1, 0.9])
    inside = ((low <= got) & (got <= high)).mean()
    off_inside = bernstein(0.16, times, 1.0) + 6 * math.sqrt(0.16 / OURS)
    if not (
        abs(got.mean() - right.mean()) <= off
        and abs(inside - 0.8) <= off_inside
        and _gap(np.sort(got), right) <= distribution_bound(times) + distribution_bound(OURS)
    ):
        raise Wrong("the results do not spread as they should")


def _curve(call, d_ks, n_keys, scaled, n_trials) -> np.ndarray:
    got = call.array(d_ks, n_keys, scaled=scaled, n_trials=n_trials)
    if got.shape != (len(d_ks),):
        raise Wrong("the result has the wrong shape")
    return got


def _gap(left: np.ndarray, right: np.ndarray) -> float:
    """Return how far the distributions of two sorted samples are apart at most."""
    places = np.concatenate([left, right])
    shares = [np.searchsorted(one, places, side="right") / len(one) for one in (left, right)]
    return float(np.abs(shares[0] - shares[1]).max())


@lru_cache(maxsize=64)
def ours(d_k: int, n_keys: int, scaled: bool, n_trials: int) -> np.ndarray:
    """Return 10,000 right results for one d_k, sorted: the oracle of the curve.

    A trial's scores are query . key_j, which given the query are independent normal
    numbers of its length.
    """
    rng = np.random.default_rng(0)
    length = np.sqrt(rng.chisquare(d_k, size=(OURS * n_trials, 1)))
    scores = length * rng.normal(size=(OURS * n_trials, n_keys))
    p = sdpa.softmax(scores / math.sqrt(d_k) if scaled else scores)
    squares = (p * p).sum(axis=1)
    # |diag(p) - p p^T|^2 = sum p_i^2 - 2 sum p_i^3 + (sum p_i^2)^2
    norms = np.sqrt(np.maximum(squares - 2 * (p**3).sum(axis=1) + squares**2, 0.0))
    results = np.sort(norms.reshape(OURS, n_trials).mean(axis=1))
    results.flags.writeable = False
    return results
