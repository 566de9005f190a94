"""What attention costs: known values, and what the calculator writes of them."""

import itertools
import re

import pytest
from traitlets import TraitError

from sdpa import costs
from tutor.widgets import CostCalculator, cost_figure, cost_numbers, units
from tutor.widgets.cost_data import HARDWARE, MODELS

KIB = 1024


def slot(markup: str, name: str) -> str:
    """Return the text of all slots of this name."""
    (text,) = set(re.findall(f'data-slot="{name}">([^<]*)<', markup))
    return text


def test_the_core_of_the_practice_problem():
    count = costs.attention_flops(batch=2, seq=1024, d_model=1024)
    assert count == 8_589_934_592
    assert units.flops(count) == "8.59 GFLOP"


def test_what_the_sweep_grows_by():
    def total(seq: int) -> int:
        core = costs.attention_flops(1, seq, 4096)
        return core + costs.projection_flops(1, seq, 4096, 4096)

    assert total(8192) * 10 == total(2048) * 64
    assert total(32_768) == total(8192) * 10


@pytest.mark.parametrize("d_kv", [128, 1024, 4096])
def test_core_and_projections_meet_at_the_crossover(d_kv):
    seq = costs.crossover_length(4096, d_kv)
    core = costs.attention_flops(3, seq, 4096)
    assert core == costs.projection_flops(3, seq, 4096, d_kv)
    if d_kv == 4096:
        assert seq == 2 * 4096
        assert costs.projection_flops(3, seq, 4096, d_kv) == 8 * 3 * seq * 4096**2


def test_a_matrix_of_scores():
    assert costs.score_bytes(1, 1, 2048, 4) == 16 * KIB**2


@pytest.mark.parametrize(
    ("model", "cached"),
    [("Llama 3 8B", "128 KiB"), ("Llama 2 7B", "512 KiB"), ("GPT-2 small", "36.0 KiB")],
)
def test_cache_a_token_in_16_bits(model, cached):
    markup = CostCalculator(**MODELS[model], context=1024, batch=2).markup()
    assert slot(markup, "token") == cached
    assert slot(markup, "model") == model


def test_the_markup_writes_exact_integers():
    widget = CostCalculator(**MODELS["Llama 2 7B"], context=2**20, batch=256)
    markup = widget.markup()
    assert slot(markup, "exact_core") == f"{4 * 256 * 2**40 * 4096 * 32:,}"
    assert slot(markup, "exact_cache") == f"{2 * 32 * 32 * 128 * 2**20 * 256 * 2:,}"
    assert slot(markup, "crossover") == "8,192"


def test_times_at_the_least():
    markup = CostCalculator().markup()
    assert slot(markup, "ridge") == "295"
    flops = 32 * (4 * 8192**2 * 4096 + 4 * 8192 * 4096 * (4096 + 1024))
    assert slot(markup, "prefill") == f"{flops / 989e12 * 1e3:.1f} ms"
    assert slot(markup, "decode") == f"{2**30 / 3.35e12 * 1e6:.0f} µs"


def test_a_model_of_ones_own_has_no_name():
    markup = CostCalculator(layers=7).markup()
    assert slot(markup, "model") == cost_numbers.CUSTOM
    assert f"selected disabled>{cost_numbers.CUSTOM}" in markup


@pytest.mark.parametrize(("context", "case"), [(5120, "projections"), (5121, "core")])
def test_the_sentence_fits(context, case):
    assert f'<span data-case="{case}">' in CostCalculator(context=context).markup()


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "1 bytes"), (1023, "1023 bytes"), (1024, "1.00 KiB"), (2**80, "1048576 EiB")],
)
def test_bytes(count, text):
    assert units.bytes_(count) == text


@pytest.mark.parametrize(
    ("time", "text"), [(12.0, "12.0 s"), (0.5, "500 ms"), (3.21e-4, "321 µs"), (1e-9, "0.00100 µs")]
)
def test_seconds(time, text):
    assert units.seconds(time) == text


def test_head_sliders_offer_what_divides():
    assert cost_figure.divisors(12) == [1, 2, 3, 4, 6, 12]
    assert cost_figure.divisors(4096)[-1] == 128
    widget = CostCalculator(**MODELS["GPT-2 small"])
    assert widget.head_dim == 64
    assert 'data-trait="kv_heads" data-stops="[1,2,3,4,6,12]"' in widget.markup()


@pytest.mark.parametrize(
    ("traits", "wanted"),
    [
        ({"heads": 5, "kv_heads": 5}, "wanted heads (5) to divide d_model (4096)"),
        ({"kv_heads": 3}, "kv_heads: got 3; wanted kv_heads (3) to divide heads (32)"),
        ({"d_model": 0}, "d_model: got 0; wanted an integer from 1 to 65,536"),
        ({"layers": 2.0}, "layers: got 2.0; wanted an integer from 1 to 1,024"),
        ({"batch": True}, "batch: got True; wanted an integer"),
        ({"context": 100}, "context: got 100; wanted an integer from 128 to 1,048,576"),
        ({"bytes_per_element": 3}, "bytes_per_element: got 3; wanted 1, 2 or 4"),
        ({"hardware": "TPU"}, "hardware: got 'TPU'; wanted one of H100 SXM, A100 80GB, RTX 4090"),
    ],
)
def test_bad_traits_say_what_is_wanted(traits, wanted):
    with pytest.raises(TraitError, match=re.escape(wanted)):
        CostCalculator(**traits)


def test_another_model_when_all_change_together():
    widget = CostCalculator()
    with pytest.raises(TraitError, match="to divide"):
        widget.d_model = 100
    assert widget.d_model == 4096
    with widget.hold_trait_notifications():
        for name, size in MODELS["GPT-2 small"].items():
            setattr(widget, name, size)
    assert widget.head_dim == 64


def test_extreme_states_are_drawn():
    least = {"d_model": 1, "layers": 1, "heads": 1, "kv_heads": 1, "context": 128}
    most = {"d_model": 65_536, "layers": 1024, "heads": 1024, "kv_heads": 1024, "batch": 65_536}
    for sizes, hardware in itertools.product((least, {**most, "context": 2**20}), HARDWARE):
        markup = CostCalculator(**sizes, hardware=hardware).markup()
        assert "nan" not in markup
