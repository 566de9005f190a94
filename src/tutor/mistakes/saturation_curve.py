"""Mistakes of measuring how far the softmax saturates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.bank import family
from tutor.mistakes.jacobian_norm import NORMS
from tutor.mistakes.softmax_jacobian import JACOBIANS, OF_JACOBIAN
from tutor.mistakes.softmax_steps import softmax

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
        weights = softmax(scores, **knobs)
        jacobians = JACOBIANS[jacobian](weights)
        curve.append(AVERAGES[average](NORMS[norm](jacobians), jacobians))
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


FAMILY = family(
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
        for row in OF_JACOBIAN
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
