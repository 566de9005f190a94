"""How far scores spread: the histogram, the theory, and what softmax makes of it."""

from __future__ import annotations

import math

import numpy as np
from jaxtyping import Float

import sdpa
from tutor.widgets import sample, score_figure
from tutor.widgets.base import Interactive
from tutor.widgets.traits import OneOf, RealBetween

D_K = tuple(2**i for i in range(13))
ROW = 16  # keys in the row that goes through softmax


class ScoreHistogram(Interactive):
    """Change d_k, the entries' spread and the divisor; see scores and weights.

    scores  = query @ key / divisor          of a fixed sample of 64 queries and 64 keys
    weights = softmax(one row of 16 scores)

    Traits, in sync with the page both ways:
        d_k: the length of query and key, a power of two up to 4096.
        sigma: the standard deviation of their entries, 0.1 to 4.
        divide_by: "nothing", "log" (of d_k), "root" (of d_k) or "d_k".

    Raises:
        TraitError: a trait is not what is said above.
    """

    module = "score_histogram"
    title = "Raise d_k and choose what to divide by"

    d_k = OneOf(64, among=D_K, wanted="a power of two from 1 to 4096").tag(sync=True)
    sigma = RealBetween(1.0, low=0.1, high=4, wanted="a number from 0.1 to 4").tag(sync=True)
    divide_by = OneOf(
        "nothing",
        among=tuple(score_figure.DIVISORS),
        wanted=f"one of {', '.join(score_figure.DIVISORS)}",
    ).tag(sync=True)

    def divisor(self) -> float:
        """Return what the dot products are divided by; 0 for the log of 1."""
        divisors = {"nothing": 1.0, "log": math.log(self.d_k), "root": math.sqrt(self.d_k)}
        return divisors.get(self.divide_by, float(self.d_k))

    def theory(self) -> float:
        """Return the scores' standard deviation by theory, sqrt(d_k) sigma^2 / divisor."""
        return math.sqrt(self.d_k) * self.sigma**2 / self.divisor()

    def scores(self) -> Float[np.ndarray, "64 64"]:
        """Return the scores of the sample."""
        return sample.raw_scores(self.d_k) * (self.sigma**2 / self.divisor())

    def weights(self) -> Float[np.ndarray, " 16"]:
        """Return the softmax of the first query's scores with the first 16 keys."""
        return sdpa.softmax(self.scores()[0, :ROW])

    def markup(self) -> str:
        """Return the drawing of the present state."""
        state = {"d_k": self.d_k, "sigma": self.sigma, "divide_by": self.divide_by}
        if self.divisor() == 0:
            return score_figure.undefined(**state)
        return score_figure.markup(
            **state, theory=self.theory(), scores=self.scores(), weights=self.weights()
        )
