"""The calculator in the page: the same arithmetic, operated by keyboard."""

import numpy as np
import pytest
from tests.interactives.comparing import assert_shows, run

from sdpa import costs
from tutor.widgets import CostCalculator, cost_numbers, units
from tutor.widgets.cost_data import HARDWARE, MODELS

RNG = np.random.default_rng(24)


def state(**traits) -> dict:
    widget = CostCalculator(**traits)
    return {name: getattr(widget, name) for name in widget.state_names()}


@pytest.mark.parametrize(
    ("name", "call", "sizes"),
    [
        ("attention_flops", "attentionFlops", (300, 2**20, 16_384)),
        ("projection_flops", "projectionFlops", (300, 2**20, 16_384, 16_384)),
        ("crossover_length", "crossoverLength", (16_384, 16_384)),
        ("score_bytes", "scoreBytes", (300, 128, 2**20, 4)),
        ("kv_cache_bytes", "kvCacheBytes", (128, 128, 512, 2**20, 300, 4)),
    ],
)
def test_the_arithmetic_is_exact(page, name, call, sizes):
    for _ in range(20):
        drawn = [int(RNG.integers(1, size + 1)) for size in sizes]
        shown = run(page, "cost_arithmetic", f"String(m.{call}(...a.map(BigInt)))", *drawn)
        assert int(shown) == getattr(costs, name)(*drawn)


@pytest.mark.parametrize("power", [0, 3, 9, 10, 11, 20, 29, 30, 41, 52, 63, 77, 85])
def test_units(page, power):
    count = int(RNG.integers(2**20, 2**21)) * 2**power // 2**20
    shown = run(page, "units", "[m.flops(BigInt(a[0])), m.bytes(BigInt(a[0]))]", str(count))
    assert shown == [units.flops(count), units.bytes_(count)]
    time = count / 1e13
    assert run(page, "units", "m.seconds(a[0])", time) == units.seconds(time)


@pytest.mark.parametrize("hardware", HARDWARE)
@pytest.mark.parametrize(
    "traits",
    [
        *MODELS.values(),
        {"context": 2**20, "batch": 300, "bytes_per_element": 4},
        {"d_model": 16_384, "heads": 128, "kv_heads": 16, "layers": 126, "context": 131_072},
        {"d_model": 1, "heads": 1, "kv_heads": 1, "layers": 1, "context": 128},
    ],
)
def test_every_text_is_pythons(page, traits, hardware):
    wanted = state(**traits, hardware=hardware)
    shown = run(page, "cost_numbers", "m.texts(...a)", wanted, MODELS, HARDWARE[hardware])
    assert shown == cost_numbers.texts(wanted)


@pytest.mark.parametrize(
    ("presses", "traits"),
    [
        ([("Model", "ArrowDown")], MODELS["Llama 2 7B"]),
        ([("Model", "ArrowDown")] * 2, MODELS["GPT-2 small"]),
        ([("tokens", "End")], {"context": 2**20}),
        (
            [("tokens", "Home"), ("Hardware", "End")],
            {"context": 128, "hardware": "RTX 4090"},
        ),
        ([("Layers", "ArrowRight")], {"layers": 40}),
        ([("Key-value heads", "End")], {"kv_heads": 32}),
        ([("Query heads", "Home")], {"heads": 1, "kv_heads": 1}),
        ([("over all heads", "End")], {"d_model": 16_384}),
        (
            [("Model", "ArrowDown"), ("Model", "ArrowDown"), ("over all heads", "ArrowRight")],
            {"d_model": 1024, "layers": 12, "heads": 8, "kv_heads": 8},
        ),
        (
            [("over all heads", "ArrowLeft")] * 5,
            {"d_model": 768, "heads": 32, "kv_heads": 8},
        ),
        ([("Sequences", "End"), ("Bytes an", "End")], {"batch": 256, "bytes_per_element": 1}),
    ],
)
def test_what_is_set_by_keyboard_is_what_python_draws(open_page, presses, traits):
    root = open_page().locator("[data-module=cost_calculator]")
    for label, key in presses:
        root.get_by_label(label).press(key)
    assert_shows(root, CostCalculator(**traits).markup())


def test_a_slider_makes_it_a_model_of_ones_own_and_reset_leads_back(open_page):
    root = open_page().locator("[data-module=cost_calculator]")
    model = root.get_by_role("combobox", name="Model", exact=True)
    root.get_by_label("Layers").press("ArrowLeft")
    assert model.evaluate("e => e.value") == cost_numbers.CUSTOM
    root.get_by_role("button", name="Reset").click()
    assert model.evaluate("e => e.value") == "Llama 3 8B"
    assert_shows(root, CostCalculator().markup())
