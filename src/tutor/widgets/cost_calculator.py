"""What attention costs: FLOPs, bytes and the time that they take at the least."""

from __future__ import annotations

import traitlets

from tutor.widgets import cost_figure
from tutor.widgets.base import Interactive
from tutor.widgets.cost_data import HARDWARE, MODELS
from tutor.widgets.traits import IntegerBetween, OneOf


def _count(default: int, low: int, high: int) -> traitlets.TraitType:
    wanted = f"an integer from {low:,} to {high:,}"
    return IntegerBetween(default, low=low, high=high, wanted=wanted).tag(sync=True)


class CostCalculator(Interactive):
    """Choose a model, a context and a machine; see what attention costs.

    The numbers are those of :mod:`sdpa.costs`. A known model goes in
    as ``CostCalculator(**MODELS["GPT-2 small"])``; see :mod:`tutor.widgets.cost_data`.

    Traits, in sync with the page both ways:
        d_model: features of a token over all heads.
        layers: layers of the model.
        heads: query heads; they divide d_model into parts of head_dim.
        kv_heads: heads of keys and values; they divide heads.
        batch, context: sequences, and tokens in each (128 to 1,048,576).
        bytes_per_element: 1, 2 or 4.
        hardware: "H100 SXM", "A100 80GB" or "RTX 4090".

    Raises:
        TraitError: a trait is not what is said above.
    """

    module = "cost_calculator"
    title = "What does attention cost?"

    d_model = _count(MODELS["Llama 3 8B"]["d_model"], 1, 65_536)
    layers = _count(MODELS["Llama 3 8B"]["layers"], 1, 1024)
    heads = _count(MODELS["Llama 3 8B"]["heads"], 1, 1024)
    kv_heads = _count(MODELS["Llama 3 8B"]["kv_heads"], 1, 1024)
    batch = _count(1, 1, 65_536)
    context = _count(8192, 128, 2**20)
    bytes_per_element = OneOf(2, among=(1, 2, 4), wanted="1, 2 or 4").tag(sync=True)
    hardware = OneOf("H100 SXM", among=tuple(HARDWARE), wanted=f"one of {', '.join(HARDWARE)}").tag(
        sync=True
    )

    @traitlets.validate("d_model", "heads", "kv_heads")
    def _divide(self, proposal) -> int:
        """Check that heads fit, when all traits that change together have changed."""
        name, value = proposal["trait"].name, proposal["value"]
        sizes = {size: getattr(self, size) for size in ("d_model", "heads", "kv_heads")}
        sizes[name] = value
        for part, whole in (("heads", "d_model"), ("kv_heads", "heads")):
            if name in (part, whole) and sizes[whole] % sizes[part]:
                wanted = f"{part} ({sizes[part]}) to divide {whole} ({sizes[whole]})"
                raise traitlets.TraitError(f"{name}: got {value}; wanted {wanted}")
        return value

    @property
    def head_dim(self) -> int:
        """The features of one head, d_model / heads."""
        return self.d_model // self.heads

    def markup(self) -> str:
        """Return the drawing of the present state."""
        state = {name: getattr(self, name) for name in self.state_names()}
        return cost_figure.markup(**state)
