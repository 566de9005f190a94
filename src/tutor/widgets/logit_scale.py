"""A row of scores times a number: when softmax is flat, responsive or saturated."""

from __future__ import annotations

import numpy as np
import traitlets
from jaxtyping import Float

import sdpa
from tutor.widgets import logit_figure
from tutor.widgets.base import Interactive
from tutor.widgets.measures import softmax_jacobian
from tutor.widgets.traits import RealBetween, Reals

FEWEST, MOST = 3, 12


class LogitScale(Interactive):
    """Multiply scores; see the weights and how much they still answer to the scores.

    weights  = softmax(scale * scores)
    Jacobian = diag(weights) - weights weights^T

    The Jacobian is that of softmax itself, with respect to the scaled scores.

    Traits, in sync with the page both ways:
        scores: 3 to 12 numbers.
        scale: 0.1 to 32.

    Raises:
        TraitError: a trait is not what is said above.
    """

    module = "logit_scale"
    title = "Scale the scores"

    scores = Reals((1.4, 0.9, 0.3, -0.2, -0.8, -1.6), shape=(None,), wanted="3 to 12 numbers").tag(
        sync=True
    )
    scale = RealBetween(1.0, low=0.1, high=32, wanted="a number from 0.1 to 32").tag(sync=True)

    @traitlets.validate("scores")
    def _as_many_as_fit(self, proposal) -> tuple:
        if not FEWEST <= len(proposal["value"]) <= MOST:
            raise traitlets.TraitError(
                f"scores: got {len(proposal['value'])} numbers; wanted {FEWEST} to {MOST}"
            )
        return proposal["value"]

    @traitlets.observe("scores")
    def _draw_anew(self, _change) -> None:
        if self._markup:  # else the widget is still being made
            self.refresh()

    def weights(self) -> Float[np.ndarray, " n"]:
        """Return the weights of the scaled scores."""
        return sdpa.softmax(np.array(self.scores) * self.scale)

    def jacobian(self) -> Float[np.ndarray, "n n"]:
        """Return how each weight changes with each scaled score."""
        return softmax_jacobian(self.weights())

    def markup(self) -> str:
        """Return the drawing of the present state."""
        return logit_figure.markup(
            scores=self.scores,
            scale=self.scale,
            weights=self.weights(),
            jacobian=self.jacobian(),
        )
