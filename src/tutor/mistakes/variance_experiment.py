"""Mistakes of measuring a variance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.bank import family
from tutor.mistakes.score_variance import score_variance

# The pairs of one experiment: queries and keys, from generator, pairs n and size d.
DRAWS: dict[str, Callable] = {
    "right": lambda rng, n, d: rng.normal(size=(2, n, d)),
    "uniform": lambda rng, n, d: rng.random(size=(2, n, d)),
    "around zero": lambda rng, n, d: rng.uniform(-1, 1, size=(2, n, d)),
    "same": lambda rng, n, d: np.repeat(rng.normal(size=(1, n, d)), 2, axis=0),
    "one query": lambda rng, n, d: (
        np.repeat(rng.normal(size=(1, d)), n, axis=0),
        rng.normal(size=(n, d)),
    ),
    "turned": lambda rng, n, d: rng.normal(size=(2, d, n)),
    "own generator": lambda rng, n, d: np.random.default_rng(0).normal(size=(2, n, d)),
    "one feature": lambda rng, n, d: rng.normal(size=(2, n, 1)),
    "shifted": lambda rng, n, d: rng.normal(1.0, 1.0, size=(2, n, d)),
    "too wide": lambda rng, n, d: rng.normal(0.0, np.sqrt(d), size=(2, n, d)),
}


def variance_experiment(d_k, n_pairs, rng, *, drawn="right", spread="variance", products="pairs"):
    """Return one experiment's variance, made wrong by the knobs that are turned."""
    if spread == "theory":
        return float(d_k)
    queries, keys = DRAWS[drawn](rng, n_pairs, d_k)
    if spread == "first hundred":
        queries, keys, spread = queries[:100], keys[:100], "variance"
    return score_variance(queries, keys, spread=spread, products=products)


FAMILY = family(
    "variance_experiment",
    variance_experiment,
    *(
        (name, sentence, hint, {"drawn": drawn})
        for name, sentence, hint, drawn in (
            (
                "uniform",
                "The numbers are uniform between 0 and 1.",
                "Your numbers are uniform: draw standard normal ones, rng.normal.",
                "uniform",
            ),
            (
                "uniform-around-zero",
                "The numbers are uniform between -1 and 1.",
                "Your numbers are uniform: draw standard normal ones, rng.normal.",
                "around zero",
            ),
            (
                "same-numbers",
                "Query and key are the same numbers.",
                "Query and key are the same numbers: draw both, independently.",
                "same",
            ),
            (
                "one-query",
                "One query meets all keys.",
                "One query meets all keys: draw a query for each pair.",
                "one query",
            ),
            (
                "sizes-exchanged",
                "d_k and n_pairs are exchanged.",
                "Your pairs and features have changed places: n_pairs rows of d_k numbers, and the "
                "dot products sum over axis=1.",
                "turned",
            ),
            (
                "own-generator",
                "The numbers come from another generator.",
                "Draw from `rng` only, not from np.random or a generator of your own.",
                "own generator",
            ),
            (
                "mean-of-one",
                "The numbers have mean 1.",
                "Standard normal numbers have mean 0.",
                "shifted",
            ),
            (
                "too-wide",
                "The numbers have the standard deviation sqrt(d_k).",
                "Standard normal numbers have the standard deviation 1, whatever d_k is.",
                "too wide",
            ),
            (
                "one-feature",
                "Queries and keys have one feature.",
                "Each query and key has d_k numbers.",
                "one feature",
            ),
        )
    ),
    *(
        (name, sentence, hint, {"spread": spread})
        for name, sentence, hint, spread in (
            (
                "scaled",
                "The variance is divided by d_k.",
                "Your dot products are scaled: wanted is the variance of unscaled ones.",
                "scaled",
            ),
            (
                "deviation",
                "The standard deviation is returned.",
                "You return the standard deviation: leave out the square root.",
                "deviation",
            ),
            (
                "ddof-0",
                "The squares are divided by n_pairs, not by one less.",
                "With few pairs your variance is too small: use ddof=1.",
                "ddof 0",
            ),
            (
                "mean",
                "The mean is returned.",
                "You return the mean of the dot products: wanted is their variance.",
                "mean",
            ),
            (
                "sum-of-squares",
                "The squares are not divided.",
                "Divide the sum of squares by n_pairs - 1.",
                "square sum",
            ),
            (
                "theory",
                "The theoretical value is returned.",
                "You return the theory: draw numbers, and measure.",
                "theory",
            ),
        )
    ),
    (
        "not-summed",
        "The products are not summed.",
        "You take the variance of single products: sum over the features first.",
        {"products": "terms"},
    ),
)
