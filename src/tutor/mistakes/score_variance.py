"""Mistakes of the variance of given dot products."""

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


FAMILY = family(
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
