import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdpa import costs

SIZE = st.integers(0, 10**6)


@given(SIZE, SIZE, SIZE)
def test_flops_are_those_of_the_products(batch, seq, d_model):
    multiply_adds = batch * seq * seq * d_model
    assert costs.attention_flops(batch, seq, d_model) == 2 * (multiply_adds + multiply_adds)
    assert costs.projection_flops(batch, seq, d_model) == 2 * 4 * batch * seq * d_model * d_model


@given(st.integers(1, 10**5), st.integers(1, 64))
def test_at_the_crossover_core_and_projections_cost_the_same(d_model, batch):
    length = costs.crossover_length(d_model)
    core, projections = costs.attention_flops, costs.projection_flops
    assert core(batch, length, d_model) == projections(batch, length, d_model)
    assert core(batch, length + 1, d_model) > projections(batch, length + 1, d_model)


def test_the_practice_problem():
    assert costs.attention_flops(2, 1024, 1024) == 8_589_934_592


@pytest.mark.parametrize(
    ("layers", "kv_heads", "head_dim", "kib"), [(32, 8, 128, 128), (32, 32, 128, 512)]
)
def test_the_cache_of_known_models_takes_what_is_known(layers, kv_heads, head_dim, kib):
    assert costs.kv_cache_bytes(layers, kv_heads, head_dim, 1, 1, 2) == kib * 1024


def test_counts_are_exact_python_integers():
    big = costs.kv_cache_bytes(126, 8, 128, 10**9, 10**6, 2)
    assert type(big) is int and big == 2 * 126 * 8 * 128 * 10**15 * 2


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: costs.attention_flops(1.0, 2, 3), "batch is a float; wanted an integer"),
        (lambda: costs.attention_flops(1, -2, 3), "seq is -2; wanted at least 0"),
        (lambda: costs.projection_flops(1, 2, True), "d_model is a bool; wanted an integer"),
        (lambda: costs.kv_cache_bytes(1, 1, 1, 1, 1, 0), "bytes_per_element is 0; wanted at"),
        (lambda: costs.kv_cache_bytes(1, "8", 1, 1, 1, 2), "kv_heads is a str"),
        (lambda: costs.crossover_length(-1), "d_model is -1"),
    ],
)
def test_wrong_sizes_are_named(call, says):
    with pytest.raises((TypeError, ValueError), match=says):
        call()
