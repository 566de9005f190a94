"""Mistakes of experiments with random numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes import saturation, softmax, variance
from tutor.mistakes.bank import family

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
    return variance.score_variance(queries, keys, spread=spread, products=products)


VARIANCE_EXPERIMENT = family(
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

DIVISORS: dict[str, Callable] = {
    "sqrt d_k": lambda d_k, n: np.sqrt(d_k),
    "d_k": lambda d_k, n: d_k,
    "sqrt n": lambda d_k, n: np.sqrt(n),
    "inverse": lambda d_k, n: 1 / np.sqrt(d_k),
    "log": lambda d_k, n: np.log(d_k) + 1,
}
AVERAGES: dict[str, Callable] = {
    "mean": lambda norms, jacobians: norms.mean(),
    "sum": lambda norms, jacobians: norms.sum(),
    "deviation": lambda norms, jacobians: norms.std(),
    "squares": lambda norms, jacobians: (norms**2).mean(),
    "of mean": lambda norms, jacobians: np.sqrt((jacobians.mean(0) ** 2).sum()),
    "first": lambda norms, jacobians: norms[0],
    "largest": lambda norms, jacobians: norms.max(),
    "median": lambda norms, jacobians: np.median(norms),
}
SWITCHES: dict[str, Callable] = {
    "asked": lambda scaled: scaled,
    "inverted": lambda scaled: not scaled,
    "always": lambda scaled: True,
    "never": lambda scaled: False,
}


def saturation_curve(
    d_ks,
    n_keys,
    rng,
    scaled,
    n_trials=200,
    *,
    divisor="sqrt d_k",
    switch="asked",
    average="mean",
    drawn="anew",
    jacobian="right",
    norm="frobenius",
    result="each",
    trials="asked",
    **knobs,
):
    """Return the mean Jacobian norms, made wrong by the knobs that are turned."""
    if drawn == "own generator":
        rng = np.random.default_rng(0)
    n_trials = 200 if trials == "ignored" else n_trials
    curve = []
    for d_k in d_ks:
        divided_by = DIVISORS[divisor](d_k, n_keys) if SWITCHES[switch](scaled) else 1.0
        scores = _scores(rng, n_trials, n_keys, d_k, drawn) / divided_by
        # The same for each row as saturation.JACOBIANS and NORMS, which take one.
        weights = softmax.softmax(scores, **knobs)
        jacobians = np.array([saturation.JACOBIANS[jacobian](p) for p in weights])
        norms = np.array([saturation.NORMS[norm](j) for j in jacobians])
        curve.append(AVERAGES[average](norms, jacobians))
    curve = np.array(curve)
    return {"each": curve, "one": curve.mean(), "reversed": curve[::-1]}[result]


def _scores(rng, n_trials, n_keys, d_k, drawn):
    draw = rng.random if drawn == "uniform" else rng.normal
    n_queries = 1 if drawn == "one query" else n_trials
    n_sets = 1 if drawn == "one set of keys" else n_trials
    queries = draw(size=(n_queries, d_k))
    keys = (
        queries[:, None] * np.ones((n_keys, 1))
        if drawn == "same"
        else draw(size=(n_sets, n_keys, d_k))
    )
    scores = (queries[:, None, :] * keys).sum(axis=-1)
    return np.broadcast_to(scores, (n_trials, n_keys))


SATURATION_CURVE = family(
    "saturation_curve",
    saturation_curve,
    (
        "scaled-inverted",
        "The scores are scaled when `scaled` is False.",
        "`scaled` has the wrong effect: True divides the scores by sqrt(d_k).",
        {"switch": "inverted"},
    ),
    (
        "never-scaled",
        "The scores are never scaled.",
        "scaled=True changes nothing: divide the scores by sqrt(d_k) then.",
        {"switch": "never"},
    ),
    (
        "always-scaled",
        "The scores are always scaled.",
        "scaled=False changes nothing: leave the scores as they are then.",
        {"switch": "always"},
    ),
    (
        "scale-d",
        "The scores are divided by d_k, not by its square root.",
        "Divide by the square root of d_k.",
        {"divisor": "d_k"},
    ),
    (
        "scale-sqrt-n",
        "The scores are divided by the root of the number of keys.",
        "Divide by sqrt(d_k), not by sqrt(n_keys).",
        {"divisor": "sqrt n"},
    ),
    (
        "scale-multiplied",
        "The scores are multiplied by sqrt(d_k).",
        "Divide by sqrt(d_k), do not multiply.",
        {"divisor": "inverse"},
    ),
    *(
        (name, sentence, hint, {"average": average})
        for name, sentence, hint, average in (
            ("sum", "The norms are summed.", "You sum the norms: take their mean.", "sum"),
            (
                "deviation",
                "The standard deviation of the norms is returned.",
                "You return the standard deviation: wanted is the mean.",
                "deviation",
            ),
            (
                "squares",
                "The squared norms are averaged.",
                "You average squared norms: take the root of each first.",
                "squares",
            ),
            (
                "norm-of-mean",
                "The Jacobians are averaged, and then the norm is taken.",
                "Take the norm of each Jacobian, then the mean: the mean Jacobian is smaller.",
                "of mean",
            ),
            (
                "largest",
                "The largest norm is returned.",
                "You return the largest norm: take the mean.",
                "largest",
            ),
            (
                "first-trial",
                "Only the first trial is used.",
                "Your result is that of one trial: average over n_trials.",
                "first",
            ),
        )
    ),
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
                "own-generator",
                "The numbers come from another generator.",
                "Draw from `rng` only, not from np.random or a generator of your own.",
                "own generator",
            ),
            (
                "one-query",
                "One query serves all trials.",
                "All trials share one query: draw a new one in each.",
                "one query",
            ),
            (
                "one-set-of-keys",
                "One set of keys serves all trials.",
                "All trials share their keys: draw new ones in each.",
                "one set of keys",
            ),
            (
                "keys-equal-query",
                "All keys are the query.",
                "Your keys are the query itself: draw them independently.",
                "same",
            ),
        )
    ),
    (
        "one-mean",
        "One mean over all d_k is returned.",
        "Return one mean for each of d_ks.",
        {"result": "one"},
    ),
    (
        "trials-ignored",
        "200 trials are made whatever n_trials is.",
        "Your function does not use n_trials.",
        {"trials": "ignored"},
    ),
    *(
        row
        for row in saturation.OF_JACOBIAN
        if row[0] in ("diagonal-only", "outer-product-missing", "outer-product-only")
    ),
    (
        "spectral",
        "The largest singular value is taken.",
        "That is the spectral norm, ord=2: the Frobenius norm sums all squares.",
        {"norm": "spectral"},
    ),
    (
        "trace",
        "The trace is taken.",
        "That is the trace, not the norm.",
        {"norm": "nuclear"},
    ),
)
