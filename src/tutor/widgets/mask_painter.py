"""A mask to paint: who may look at whom, and what softmax makes of the rest."""

from __future__ import annotations

import numpy as np
import traitlets
from jaxtyping import Float

import sdpa
from tutor.widgets import mask_figure
from tutor.widgets.base import Interactive
from tutor.widgets.traits import Booleans, Reals

MOST = 12  # queries and keys that a grid shows

SCORES = (
    (1.9, 0.5, -0.8, 1.3, 0.2, -1.6, 0.6, -0.3),
    (0.3, 2.4, 1.0, -0.5, -1.4, 0.8, 0.0, 1.1),
    (-0.6, 1.4, 0.3, 1.8, 0.5, -1.0, 2.1, -1.3),
    (1.1, -1.8, 0.6, 0.8, 2.6, 0.3, -0.5, 1.4),
    (-1.1, 1.0, 2.2, -0.3, 1.3, 1.6, 0.2, 0.5),
    (0.8, 0.0, -1.4, 1.9, -0.6, 1.1, 2.9, 1.0),
)


class MaskPainter(Interactive):
    """Block keys by mouse, touch or keyboard; see each row of weights renormalise.

    weights = softmax(scores, with -inf where not allowed)

    They are those of :func:`sdpa.attention` with ``attn_mask=allowed``: True = may
    attend, and a row without an allowed key is all zeros.

    Traits, in sync with the page both ways:
        scores: (n_q, n_k) numbers, at most 12 by 12.
        allowed: (n_q, n_k) booleans; causal, aligned bottom-right, if not given.

    To change how many there are, change both, inside
    ``with widget.hold_trait_notifications():``.

    Raises:
        TraitError: a trait is not what is said above.
    """

    module = "mask_painter"
    title = "Paint the mask"

    scores = Reals(SCORES, shape=(None, None), wanted="rows of numbers, all of one length").tag(
        sync=True
    )
    allowed = Booleans(
        sdpa.causal_mask(6, 8), shape=(None, None), wanted="rows of booleans, all of one length"
    ).tag(sync=True)

    def __init__(self, **traits) -> None:
        """Make the widget, with a causal mask where there are scores and no mask."""
        if "scores" in traits and "allowed" not in traits:
            shape = np.array(self.traits()["scores"].validate(self, traits["scores"])).shape
            traits["allowed"] = sdpa.causal_mask(*shape)
        super().__init__(**traits)

    @traitlets.validate("scores", "allowed")
    def _as_many(self, proposal) -> tuple:
        """Check the shapes, when all traits that change together have changed."""
        name, shape = proposal["trait"].name, np.shape(proposal["value"])
        if max(shape) > MOST:
            raise traitlets.TraitError(f"{name}: got {shape}; wanted at most {MOST} by {MOST}")
        other = "allowed" if name == "scores" else "scores"
        wanted = np.shape(getattr(self, other))
        if shape != wanted:
            raise traitlets.TraitError(f"{name}: got {shape}; wanted {wanted}, as {other}")
        return proposal["value"]

    @traitlets.observe("scores")
    def _draw_anew(self, _change) -> None:
        if self._markup:  # else the widget is still being made
            self.refresh()

    def weights(self) -> Float[np.ndarray, "n_q n_k"]:
        """Return the weights, (n_q, n_k)."""
        return sdpa.softmax(np.where(self.allowed, self.scores, -np.inf))

    def markup(self) -> str:
        """Return the drawing of the present state."""
        return mask_figure.markup(allowed=np.array(self.allowed), weights=self.weights())
