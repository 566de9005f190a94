"""Mistakes of the variance that theory gives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.bank import family

# The variance of a dot product of d_k terms, from d_k, mean m and standard deviation s.
THEORIES: dict[str, Callable] = {
    "right": lambda d, m, s: d * ((s**2 + m**2) ** 2 - m**4),
    "d": lambda d, m, s: d,
    "one": lambda d, m, s: (s**2 + m**2) ** 2 - m**4,
    "s squared": lambda d, m, s: d * ((s + m**2) ** 2 - m**4),
    "no mean": lambda d, m, s: d * s**4,
    "std squared": lambda d, m, s: d * s**2,
    "second moment": lambda d, m, s: d * (s**2 + m**2) ** 2,
    "m squared": lambda d, m, s: d * ((s**2 + m**2) ** 2 - m**2),
    "both once": lambda d, m, s: d * (s**4 + m**2 * s**2),
    "no cross": lambda d, m, s: d * (s**4 + m**4),
    "root": lambda d, m, s: np.sqrt(d * ((s**2 + m**2) ** 2 - m**4)),
    "d squared": lambda d, m, s: d**2 * ((s**2 + m**2) ** 2 - m**4),
    "root of d": lambda d, m, s: np.sqrt(d) * ((s**2 + m**2) ** 2 - m**4),
    "plus": lambda d, m, s: d * ((s**2 + m**2) ** 2 + m**4),
    "swapped": lambda d, m, s: d * ((s**2 + m**2) ** 2 - s**4),
    "mean of sum": lambda d, m, s: d * (s**2 + m**2) ** 2 - d**2 * m**4,
    "whole": lambda d, m, s: d * ((s**2 + m**2) ** 2 - m**4) // 1,
    "doubled": lambda d, m, s: 2 * d * ((s**2 + m**2) ** 2 - m**4),
    "minus": lambda d, m, s: d * ((s**2 - m**2) ** 2 - m**4),
}


def theoretical_variance(d_k, mean=0.0, std=1.0, *, theory="right"):
    """Return the variance of a dot product, made wrong by the knob."""
    return THEORIES[theory](d_k, mean, std)


FAMILY = family(
    "theoretical_variance",
    theoretical_variance,
    *(
        (name, sentence, hint, {"theory": theory})
        for name, sentence, hint, theory in (
            (
                "standard-only",
                "d_k is returned whatever mean and std are.",
                "d_k is right for mean 0 and std 1 only: use `mean` and `std`.",
                "d",
            ),
            (
                "one-term",
                "The variance of one term is returned.",
                "That is the variance of one product: the sum has d_k of them.",
                "one",
            ),
            (
                "mean-ignored",
                "The mean is not used.",
                "That is right for mean 0 only: with a mean, E[x^2] is std^2 + mean^2.",
                "no mean",
            ),
            (
                "std-as-variance",
                "The standard deviation is used as if it were the variance.",
                "`std` is the standard deviation: the variance is its square.",
                "s squared",
            ),
            (
                "std-to-the-second",
                "The variance of one factor is used in place of the product's.",
                "A product of two has the variance std^4 at mean 0: both factors vary.",
                "std squared",
            ),
            (
                "second-moment",
                "The squared mean of the product is not subtracted.",
                "That is E[(qk)^2]: subtract (E[qk])^2, which is mean^4.",
                "second moment",
            ),
            (
                "mean-squared-subtracted",
                "mean^2 is subtracted, not mean^4.",
                "E[qk] is mean^2, so its square is mean^4.",
                "m squared",
            ),
            (
                "one-cross-term",
                "Only one of the two cross terms is counted.",
                "The mean of each factor multiplies the spread of the other: there are two "
                "terms mean^2 std^2.",
                "both once",
            ),
            (
                "no-cross-term",
                "std^4 + mean^4 is used for the term.",
                "The cross term 2 mean^2 std^2 is missing, and mean^4 cancels.",
                "no cross",
            ),
            (
                "deviation",
                "The standard deviation is returned.",
                "You return the standard deviation: leave out the square root.",
                "root",
            ),
            (
                "d-squared",
                "The variance grows with d_k^2.",
                "Variances of independent terms add: d_k of them, not d_k^2.",
                "d squared",
            ),
            (
                "root-of-d",
                "The variance grows with sqrt(d_k).",
                "The variance grows with d_k; the standard deviation with its root.",
                "root of d",
            ),
            (
                "mean-added",
                "mean^4 is added, not subtracted.",
                "Subtract mean^4: Var[x] = E[x^2] - (E[x])^2.",
                "plus",
            ),
            (
                "mean-and-std-exchanged",
                "The parts of mean and std are exchanged.",
                "mean and std have changed places.",
                "swapped",
            ),
            (
                "moments-of-the-sum",
                "The squared mean of the whole sum is subtracted.",
                "Take the variance of one term first, then multiply it by d_k.",
                "mean of sum",
            ),
            (
                "whole-number",
                "The result is cut to a whole number.",
                "The variance need not be a whole number: leave out int and //.",
                "whole",
            ),
            (
                "doubled",
                "The variance is doubled.",
                "Your result is twice the variance.",
                "doubled",
            ),
            (
                "moments-subtracted",
                "mean^2 is subtracted from std^2.",
                "E[x^2] is std^2 + mean^2.",
                "minus",
            ),
        )
    ),
)
