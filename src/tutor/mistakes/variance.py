"""Mistakes of variances, measured and derived."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.bank import family

PRODUCTS: dict[str, Callable] = {
    "pairs": lambda q, k: (q * k).sum(axis=1),
    "all pairs": lambda q, k: q @ k.T,
    "features": lambda q, k: (q * k).sum(axis=0),
    "terms": lambda q, k: q * k,
    "means": lambda q, k: (q * k).mean(axis=1),
    "first row": lambda q, k: q[0] * k[0],
    "cosines": lambda q, k: (q * k).sum(1) / np.sqrt((q * q).sum(1) * (k * k).sum(1)),
    "query only": lambda q, k: (q * q).sum(axis=1),
    "absolute": lambda q, k: abs((q * k).sum(axis=1)),
    "first query": lambda q, k: k @ q[0],
    "all but last": lambda q, k: (q * k).sum(axis=1)[:-1],
    "query sums": lambda q, k: q.sum(axis=1) * k.sum(axis=1),
}

SPREADS: dict[str, Callable] = {
    "variance": lambda x, d: x.var(ddof=1),
    "ddof 0": lambda x, d: x.var(),
    "ddof 2": lambda x, d: ((x - x.mean()) ** 2).sum() / (x.size - 2),
    "deviation": lambda x, d: x.std(ddof=1),
    "deviation ddof 0": lambda x, d: x.std(),
    "scaled": lambda x, d: x.var(ddof=1) / d,
    "scaled by sqrt": lambda x, d: x.var(ddof=1) / np.sqrt(d),
    "square mean": lambda x, d: (x * x).mean(),
    "square sum": lambda x, d: ((x - x.mean()) ** 2).sum(),
    "absolute": lambda x, d: abs(x - x.mean()).mean(),
    "mean": lambda x, d: x.mean(),
    "for each": lambda x, d: x.var(axis=0, ddof=1) * np.ones(2),
}


def score_variance(queries, keys, *, products="pairs", spread="variance", writes=False):
    """Return the variance of the pairs' dot products, made wrong by knobs."""
    if writes and isinstance(queries, np.ndarray) and queries.dtype.kind == "f":
        queries *= keys
        return SPREADS[spread](queries.sum(axis=1), queries.shape[1])
    queries, keys = (np.asarray(a).astype(float) for a in (queries, keys))
    return SPREADS[spread](PRODUCTS[products](queries, keys), queries.shape[1])


SCORE_VARIANCE = family(
    "score_variance",
    score_variance,
    *(
        (name, sentence, hint, {"spread": spread})
        for name, sentence, hint, spread in (
            (
                "ddof-0",
                "The squares are divided by n, not by n - 1.",
                "You divide by the number of pairs: with ddof=1 it is one less.",
                "ddof 0",
            ),
            (
                "ddof-2",
                "The squares are divided by n - 2.",
                "You divide by n - 2: with ddof=1 it is n - 1.",
                "ddof 2",
            ),
            (
                "deviation",
                "The standard deviation is returned.",
                "You return the standard deviation: leave out the square root.",
                "deviation",
            ),
            (
                "deviation-ddof-0",
                "The standard deviation is returned, and with ddof=0.",
                "You return the standard deviation, and with ddof=0: use var(ddof=1).",
                "deviation ddof 0",
            ),
            (
                "scaled",
                "The variance is divided by d.",
                "The scores are unscaled: do not divide by d.",
                "scaled",
            ),
            (
                "scaled-by-root",
                "The variance is divided by sqrt(d).",
                "The scores are unscaled: do not divide by sqrt(d).",
                "scaled by sqrt",
            ),
            (
                "mean-not-subtracted",
                "The mean of the squares is returned.",
                "Subtract the mean of the dot products before you square.",
                "square mean",
            ),
            (
                "sum-of-squares",
                "The squares are not divided.",
                "Divide the sum of squares by n - 1.",
                "square sum",
            ),
            (
                "absolute-deviation",
                "The mean absolute deviation is returned.",
                "You average absolute values: square them.",
                "absolute",
            ),
            (
                "mean",
                "The mean is returned.",
                "You return the mean of the dot products: wanted is their variance.",
                "mean",
            ),
            (
                "several-numbers",
                "Several numbers are returned.",
                "The result is one number, the variance over the pairs.",
                "for each",
            ),
        )
    ),
    *(
        (name, sentence, hint, {"products": products})
        for name, sentence, hint, products in (
            (
                "all-pairs",
                "Every query is paired with every key.",
                "Query i belongs to key i alone: multiply row by row, not queries @ keys.T.",
                "all pairs",
            ),
            (
                "over-features",
                "The sum runs over the pairs, not the features.",
                "A dot product sums over the features, axis=1.",
                "features",
            ),
            (
                "not-summed",
                "The products are not summed.",
                "You take the variance of single products: sum over the features first.",
                "terms",
            ),
            (
                "means",
                "The products are averaged, not summed.",
                "A dot product is the sum of the products, not their mean.",
                "means",
            ),
            (
                "cosines",
                "The dot products are divided by the lengths.",
                "You take cosines: the dot products are not normalised.",
                "cosines",
            ),
            (
                "query-with-itself",
                "The queries are multiplied by themselves.",
                "You multiply the queries by themselves: use the keys.",
                "query only",
            ),
            (
                "absolute",
                "The dot products lose their sign.",
                "Leave out the absolute value.",
                "absolute",
            ),
            (
                "first-query",
                "The first query is compared with all keys.",
                "All keys meet the first query: query i belongs to key i.",
                "first query",
            ),
            (
                "last-pair-dropped",
                "The last pair is left out.",
                "The last pair is missing.",
                "all but last",
            ),
            (
                "sums-multiplied",
                "The sums of query and key are multiplied.",
                "Multiply first, then sum: a dot product is no product of sums.",
                "query sums",
            ),
        )
    ),
    (
        "queries-changed",
        "The queries are multiplied in place.",
        "Your function changes `queries`: `queries *= ...` writes into the caller's array.",
        {"writes": True},
    ),
)

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


THEORETICAL_VARIANCE = family(
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
