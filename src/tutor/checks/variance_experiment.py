"""The check of ``variance_experiment``: right answers vary, so chances are computed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tutor import mistakes
from tutor.checks.experiments import Caller, Wrong, explained

# Large experiments, as d_k and n_pairs.
LARGE = ((2, 1500), (12, 400))


def check_variance_experiment(answer: Callable, rng: np.random.Generator, *, promise: str) -> None:
    """Require that ``variance_experiment(d_k, n_pairs, rng)`` measures what it should.

    A right answer is rejected with a chance below 3e-7, in whatever order it draws:

    **Large experiments.** For standard normal pairs the sample variance of N dot products
    has mean d and variance d^2 (2 / (N - 1) + 6 / (d N)), since a dot product's excess
    kurtosis is 6 / d. By Chebyshev one call is off by 4 standard deviations or more with
    a chance of at most 1/16, so most of 21 calls are with a chance of at most
    P(Bin(21, 1/16) >= 11) = 1.2e-8. There are two sizes.

    **Two pairs**, which tell the divisors N and N - 1 apart. The sample variance is
    (q1 k1 - q2 k2)^2 / 2, and q1 k1 - q2 k2 is the difference of two Gamma(d) numbers. For
    d = 30 the root of the variance divided by d has mean 0.795; by Chernoff the mean of
    400 lies below 0.63 with a chance of at most 9e-8, and above 0.98 with at most 5e-8.
    With the divisor N it would be 0.56. One root is below 1/4 with a chance of 0.2, so
    fewer than 35 or more than 125 of 400 are with a chance below 1e-7; with more pairs
    than two it would be fewer.

    A constant fails: all generators give one result.

    Raises:
        AssertionError: the answer is wrong.
    """
    call = Caller(answer, rng)
    with explained("variance_experiment", promise, call, mistakes.VARIANCE_EXPERIMENT, _DRAWS):
        call.check_generator(6, 30)
        for d_k, n_pairs in LARGE:
            deviation = d_k * math.sqrt(2 / (n_pairs - 1) + 6 / (d_k * n_pairs))
            values = [call.number(d_k, n_pairs) for _ in range(21)]
            if sum(abs(value - d_k) > 4 * deviation for value in values) >= 11:
                raise Wrong("the variance is wrong")
        roots = [math.sqrt(max(call.number(30, 2), 0) / 30) for _ in range(400)]
        if not (
            0.63 <= sum(roots) / len(roots) <= 0.98 and 35 <= sum(r < 0.25 for r in roots) <= 125
        ):
            raise Wrong("the variance of few pairs is wrong on average")


_DRAWS = (
    lambda f, rng: [[f(5, 300, rng), f(36, 40, rng)]],
    lambda f, rng: [[f(1, 2, rng)] for _ in range(10)],
    lambda f, rng: [[f(30, 2, rng)] for _ in range(5)],
)
