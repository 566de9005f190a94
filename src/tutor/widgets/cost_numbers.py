"""The calculator's numbers as text; cost_numbers.mjs writes the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sdpa import costs
from tutor.widgets import units
from tutor.widgets.cost_data import HARDWARE, MODELS
from tutor.widgets.drawing import fixed

CUSTOM = "Your own"


class Costs(NamedTuple):
    """Exact counts, of one layer but for the cache, which is that of all."""

    core: int
    projections: int
    scores: int
    cache: int
    crossover: int


def costs_of(state: Mapping, context: int) -> Costs:
    """Return what the calculator's state costs at this context."""
    head_dim = state["d_model"] // state["heads"]
    d_model, d_kv = state["d_model"], state["kv_heads"] * head_dim
    batch, width = state["batch"], state["bytes_per_element"]
    cached = (state["layers"], state["kv_heads"], head_dim)
    return Costs(
        core=costs.attention_flops(batch, context, d_model),
        projections=costs.projection_flops(batch, context, d_model, d_kv),
        scores=costs.score_bytes(batch, state["heads"], context, width),
        cache=costs.kv_cache_bytes(*cached, context, batch, width),
        crossover=costs.crossover_length(d_model, d_kv),
    )


def model_name(state: Mapping) -> str:
    """Return the name of the known model with these sizes, if there is one."""
    for name, sizes in MODELS.items():
        if all(state[size] == value for size, value in sizes.items()):
            return name
    return CUSTOM


def texts(state: Mapping) -> dict[str, str]:
    """Return everything that the calculator writes, by the name of its slot."""
    found, layers = costs_of(state, state["context"]), state["layers"]
    together = found.core + found.projections
    return {
        **_settings(state),
        **_machine(HARDWARE[state["hardware"]], layers * together, found.cache),
        "core": units.flops(found.core),
        "projections": units.flops(found.projections),
        "together": units.flops(together),
        "core_all": units.flops(layers * found.core),
        "projections_all": units.flops(layers * found.projections),
        "together_all": units.flops(layers * together),
        "scores": units.bytes_(found.scores),
        "cache": units.bytes_(found.cache // layers),
        "cache_all": units.bytes_(found.cache),
        "token": units.bytes_(found.cache // (state["context"] * state["batch"])),
        "share": f"{fixed(100 * found.core / together, 0)}%",
        "crossover": f"{found.crossover:,}",
        "exact_core": f"{layers * found.core:,}",
        "exact_cache": f"{found.cache:,}",
    }


def _settings(state: Mapping) -> dict[str, str]:
    counts = ("d_model", "layers", "heads", "kv_heads", "batch", "context", "bytes_per_element")
    return {
        **{name: f"{state[name]:,}" for name in counts},
        "head_dim": f"{state['d_model'] // state['heads']:,}",
        "model": model_name(state),
        "hardware": state["hardware"],
    }


def _machine(machine: Mapping, flops: int, cache: int) -> dict[str, str]:
    return {
        "peak": fixed(machine["flops"] / 1e12, 0),
        "bandwidth": fixed(machine["bandwidth"] / 1e12, 2),
        "ridge": fixed(machine["flops"] / machine["bandwidth"], 0),
        "prefill": units.seconds(flops / machine["flops"]),
        "decode": units.seconds(cache / machine["bandwidth"]),
    }
