"""A query to drag among keys in the plane: soft lookup, seen."""

from __future__ import annotations

import numpy as np
import traitlets

import sdpa
from tutor.widgets import query_figure
from tutor.widgets.base import Interactive
from tutor.widgets.traits import Names, PositiveReal, Reals

LABELS = ("river", "bank", "money", "loan", "the")
KEY = ((-1.04, 0.42), (-0.17, 0.98), (1.09, 0.59), (0.91, -0.41), (-0.22, -0.56))
# Each value is a curve; the output is the curve that they blend into.
VALUE = (
    (0.9, 0.75, 0.35, 0.1, -0.1, -0.2, -0.1),
    (0.55, 0.7, 0.6, 0.2, 0.0, 0.1, 0.1),
    (-0.3, -0.1, 0.35, 0.75, 0.9, 0.7, 0.35),
    (-0.6, -0.45, -0.05, 0.4, 0.8, 0.95, 0.75),
    (-0.1, -0.35, -0.6, -0.75, -0.6, -0.35, -0.1),
)


class QueryAmongKeys(Interactive):
    """Move a query by mouse, touch or arrow keys; see weights and the blended value.

    weights = softmax(key @ query / temperature)
    output  = weights @ value

    Traits, in sync with the page both ways:
        query: 2 numbers, the place in the plane.
        key: (n, 2), where each key stands.
        labels: n short names, one a key.
        value: (n, d_v), drawn as n curves of d_v points.
        temperature: above 0; near 0 one key takes all, at 10 all count alike.

    The names are those of :func:`sdpa.attention` (``keys`` has another meaning in every
    ipywidget).

    To change how many keys there are, change key, labels and value together, inside
    ``with widget.hold_trait_notifications():``.

    Raises:
        TraitError: a trait is not what is said above.
    """

    module = "query_among_keys"
    title = "Drag the query among the keys"

    query = Reals((0.55, 0.62), shape=(2,), wanted="2 numbers, each at most a million").tag(
        sync=True
    )
    key = Reals(KEY, shape=(None, 2), wanted="a row of 2 numbers for each key").tag(sync=True)
    labels = Names(LABELS, wanted="names of 1 to 12 characters, no two alike").tag(sync=True)
    value = Reals(
        VALUE, shape=(None, None), wanted="a row of numbers for each key, all of one length"
    ).tag(sync=True)
    temperature = PositiveReal(0.3, wanted="a finite number above 0").tag(sync=True)

    @traitlets.validate("key", "labels", "value")
    def _as_many_as_keys(self, proposal) -> tuple:
        """Check the counts, when all traits that change together have changed."""
        name, value = proposal["trait"].name, proposal["value"]
        if len(value) != len(self.key):
            wanted = f"as many as key ({len(self.key)})"
            raise traitlets.TraitError(f"{name}: got {len(value)}; wanted {wanted}")
        if name == "key" and len(value) != len(self.labels):
            wanted = f"as many as labels ({len(self.labels)})"
            raise traitlets.TraitError(f"key: got {len(value)}; wanted {wanted}")
        return value

    @traitlets.observe("key", "labels", "value")
    def _draw_anew(self, _change) -> None:
        if self._markup:  # else the widget is still being made
            self.refresh()

    @traitlets.observe("query")
    def _widen(self, change) -> None:
        """Draw anew at another scale where the query leaves the picture."""
        if self._markup and query_figure.reach(self.key, change.new) > query_figure.reach(
            self.key, change.old
        ):
            self.refresh()

    def weights(self) -> np.ndarray:
        """Return the weight on each key, (n,)."""
        return sdpa.softmax(np.array(self.key) @ np.array(self.query) / self.temperature)

    def output(self) -> np.ndarray:
        """Return the blended value, (d_v,)."""
        arrays = map(np.array, (self.query, self.key, self.value))
        return sdpa.soft_lookup(*arrays, temperature=self.temperature)

    def markup(self) -> str:
        """Return the drawing of the present state."""
        return query_figure.markup(
            query=self.query,
            keys=self.key,
            labels=self.labels,
            values=self.value,
            temperature=self.temperature,
            weights=self.weights(),
            output=self.output(),
        )
