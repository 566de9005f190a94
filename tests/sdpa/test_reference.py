import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.sdpa.inputs import (
    DTYPES,
    Inputs,
    assert_near,
    attention_by_loops,
    attention_cases,
    attention_inputs,
    make_inputs,
    masks_for,
    normal,
    rounding,
    same,
)

import sdpa


@st.composite
def scores_and_axis(draw, elements=None, dtypes=DTYPES):
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    if elements is None:
        elements = st.floats(width=8 * dtype.itemsize, allow_nan=False, allow_infinity=False)
    shape = draw(hnp.array_shapes(max_dims=4, max_side=5))
    x = draw(hnp.arrays(dtype, shape, elements=elements))
    return x, draw(st.integers(-x.ndim, x.ndim - 1))


def softmax_rounding(x, axis=-1):
    """Each of n weights, and the sum of n exponentials, may be off by an eps."""
    return (x.shape[axis] + 4) * float(np.finfo(x.dtype).eps)


# softmax


@given(scores_and_axis())
def test_softmax_of_any_finite_scores_is_finite_and_sums_to_1(case):
    x, axis = case
    weights = sdpa.softmax(x, axis)
    assert (weights >= 0).all()
    sums = weights.sum(axis=axis, dtype=np.float64)
    assert_near(sums, np.ones_like(sums), softmax_rounding(x, axis))


@given(scores_and_axis(elements=st.integers(-30, 30)))
def test_softmax_is_its_definition(case):
    x, axis = case
    rows = np.moveaxis(x, axis, -1).astype(np.float64)
    expected = np.empty(rows.shape)
    for i in np.ndindex(rows.shape):
        expected[i] = math.exp(rows[i]) / math.fsum(math.exp(y) for y in rows[i[:-1]])
    # exp errs by an eps of its argument, which goes up to 60.
    tolerance = 60 * softmax_rounding(x, axis)
    assert_near(np.moveaxis(sdpa.softmax(x, axis), axis, -1), expected, tolerance)


@given(scores_and_axis(elements=st.integers(-500, 500)), st.integers(-1000, 1000))
def test_softmax_does_not_change_when_all_scores_shift(case, shift):
    x, axis = case  # whole numbers, which every dtype adds exactly
    assert same(sdpa.softmax(x + x.dtype.type(shift), axis), sdpa.softmax(x, axis))


@given(scores_and_axis(), st.randoms(use_true_random=False))
def test_softmax_permutes_as_its_scores_do(case, random):
    x, axis = case
    order = random.sample(range(x.shape[axis]), x.shape[axis])
    permuted = sdpa.softmax(np.take(x, order, axis), axis)
    expected = np.take(sdpa.softmax(x, axis), order, axis)
    assert_near(permuted, expected, softmax_rounding(x, axis))


@given(scores_and_axis())
def test_softmax_keeps_dtype_shape_and_input(case):
    x, axis = case
    before = x.copy()
    x.flags.writeable = False
    weights = sdpa.softmax(x, axis)
    assert (weights.dtype, weights.shape) == (x.dtype, x.shape)
    assert same(x, before)


@given(scores_and_axis(elements=st.integers(-20, 20) | st.just(-np.inf)))
def test_softmax_gives_minus_infinity_no_weight_and_shares_it_among_the_rest(case):
    x, axis = case
    weights = np.moveaxis(sdpa.softmax(x, axis), axis, -1)
    rows = np.moveaxis(x, axis, -1)
    assert not weights[rows == -np.inf].any()
    for i in np.ndindex(rows.shape[:-1]):
        rest = rows[i] > -np.inf
        assert_near(weights[i][rest], sdpa.softmax(rows[i][rest]), softmax_rounding(x, axis))


@pytest.mark.parametrize("dtype", DTYPES)
def test_softmax_of_nothing_but_minus_infinity_is_zeros(dtype):
    x = np.array([[-np.inf] * 3, [1.0, -np.inf, 2.0]], dtype)
    weights = sdpa.softmax(x)
    assert same(weights[0], np.zeros(3, dtype))
    assert weights[1].sum() > 0


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("entry", [np.nan, np.inf])
def test_softmax_of_a_row_with_nan_or_infinity_is_nan_throughout(dtype, entry):
    weights = sdpa.softmax(np.array([[1.0, entry, 3.0], [2.0, -np.inf, 0.0]], dtype))
    assert np.isnan(weights[0]).all()
    assert np.isfinite(weights[1]).all()


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64])
def test_softmax_of_integers_is_float64(dtype):
    x = np.array([[1, 2, 5]], dtype)
    assert same(sdpa.softmax(x), sdpa.softmax(x.astype(np.float64)))


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 5), (2, 0, 3)])
def test_softmax_of_empty_axes_is_empty(shape):
    for axis in range(len(shape)):
        assert sdpa.softmax(np.ones(shape), axis).shape == shape


# attention


@given(attention_cases())
def test_attention_is_its_definition(case):
    inputs, options = case
    output, weights = sdpa.attention(*inputs, **options)
    expected_output, expected_weights = attention_by_loops(*inputs, **options)
    output_tolerance, weights_tolerance = rounding(*inputs, **options)
    assert_near(weights, expected_weights, weights_tolerance)
    assert_near(output, expected_output, output_tolerance)
    assert output.dtype == weights.dtype == inputs.query.dtype


@given(attention_cases())
def test_rows_of_weights_sum_to_1_or_are_all_zero(case):
    inputs, options = case
    output, weights = sdpa.attention(*inputs, **options)
    sums = weights.sum(axis=-1, dtype=np.float64)
    empty = ~weights.any(axis=-1)
    n_k = weights.shape[-1]
    assert_near(sums, np.where(empty, 0.0, 1.0), n_k * float(np.finfo(weights.dtype).eps))
    assert not output[empty].any()


@given(attention_cases())
def test_output_lies_between_the_smallest_and_the_largest_value(case):
    inputs, options = case
    output, weights = sdpa.attention(*inputs, **options)
    value = inputs.value
    low = np.broadcast_to(value.min(axis=-2, keepdims=True), output.shape)
    high = np.broadcast_to(value.max(axis=-2, keepdims=True), output.shape)
    # Weights whose sum is off by n eps move the blend by as much of its size.
    slack = (value.shape[-2] + 4) * float(np.finfo(value.dtype).eps) * np.abs(value).max()
    seen = weights.any(axis=-1)
    assert (output[seen].astype(float) >= low[seen].astype(float) - slack).all()
    assert (output[seen].astype(float) <= high[seen].astype(float) + slack).all()


@given(attention_inputs(), st.data())
def test_the_order_of_keys_does_not_matter(inputs, data):
    mask = data.draw(masks_for(inputs.scores_shape))
    mask = np.broadcast_to(mask, inputs.scores_shape)
    order = data.draw(st.permutations(range(inputs.key.shape[-2])))
    query, key, value = inputs
    output, weights = sdpa.attention(query, key, value, mask)
    shuffled = sdpa.attention(query, key[..., order, :], value[..., order, :], mask[..., order])
    output_tolerance, weights_tolerance = rounding(*inputs, attn_mask=mask)
    assert_near(shuffled[0], output, 2 * output_tolerance)
    assert_near(shuffled[1], weights[..., order], 2 * weights_tolerance)


@pytest.mark.parametrize(
    "batches",
    [
        ((5,), (), ()),
        ((), (5,), ()),
        ((), (), (5,)),
        ((2, 1), (3,), (2, 3)),
        ((1, 1, 1), (7, 1), (2, 1, 3)),
    ],
)
def test_batch_axes_broadcast(batches):
    shapes = ((4, 3), (6, 3), (6, 5))
    inputs = Inputs(
        *(normal(i, *b, *s) for i, (b, s) in enumerate(zip(batches, shapes, strict=True)))
    )
    batch = np.broadcast_shapes(*batches)
    full = [np.broadcast_to(a, batch + a.shape[-2:]) for a in inputs]
    output, weights = sdpa.attention(*inputs)
    expected_output, expected_weights = sdpa.attention(*full)
    output_tolerance, weights_tolerance = rounding(*inputs)
    assert_near(output, expected_output, 2 * output_tolerance)
    # The weights need no axis that only the values have.
    weights = np.broadcast_to(weights, expected_weights.shape)
    assert_near(weights, expected_weights, 2 * weights_tolerance)
    assert same(sdpa.scaled_dot_product_attention(*inputs), output)


@pytest.mark.parametrize(
    ("sizes", "batch"),
    [
        ((0, 5, 3, 2), ()),
        ((4, 0, 3, 2), (3,)),
        ((4, 5, 3, 0), ()),
        ((4, 5, 3, 2), (0,)),
        ((0, 0, 3, 2), (2, 1)),
    ],
)
@pytest.mark.parametrize("is_causal", [False, True])
def test_empty_axes_give_empty_results_or_zeros(sizes, batch, is_causal):
    n_q, n_k, _, d_v = sizes
    output, weights = sdpa.attention(*make_inputs(1, *sizes, batch=batch), is_causal=is_causal)
    assert output.shape == (*batch, n_q, d_v)
    assert weights.shape == (*batch, n_q, n_k)
    assert np.isfinite(output).all()
    if n_k == 0:
        assert not output.any()


def test_keys_without_features_are_all_alike():
    query, key, value = make_inputs(2, 4, 6, 0, 3)
    _, weights = sdpa.attention(query, key, value, scale=1.0)
    assert same(weights, np.full((4, 6), 1 / 6))


def test_float16_products_beyond_65504_stay_right():
    inputs = make_inputs(3, 5, 7, 11, 3, dtype=np.float16, spread=300.0)
    assert np.abs(inputs.query.astype(float) @ inputs.key.T.astype(float)).max() > 65504
    options = {"scale": 1e-5}
    output, weights = sdpa.attention(*inputs, **options)
    expected_output, expected_weights = attention_by_loops(*inputs, **options)
    output_tolerance, weights_tolerance = rounding(*inputs, **options)
    assert_near(output, expected_output, output_tolerance)
    assert_near(weights, expected_weights, weights_tolerance)


@given(attention_cases(dtypes=(np.float16,)))
def test_float16_results_are_those_of_float32_rounded_once(case):
    inputs, options = case
    results = sdpa.attention(*inputs, **options)
    wide = sdpa.attention(*(array.astype(np.float32) for array in inputs), **options)
    for result, wide_result in zip(results, wide, strict=True):
        assert same(result, wide_result.astype(np.float16))


@given(attention_inputs(), st.data())
def test_a_float_mask_of_minus_infinity_blocks_as_a_boolean_one_does(inputs, data):
    mask = data.draw(masks_for(inputs.scores_shape, dtypes=(bool,)))
    added = np.where(mask, 0.0, -np.inf)
    for left, right in zip(
        sdpa.attention(*inputs, mask), sdpa.attention(*inputs, added), strict=True
    ):
        assert same(left, right)


@given(attention_inputs(), st.data())
def test_weights_of_a_blocked_key_are_zero_and_its_value_is_not_seen(inputs, data):
    blocked = data.draw(st.integers(0, inputs.key.shape[-2] - 1))
    mask = np.arange(inputs.key.shape[-2]) != blocked
    output, weights = sdpa.attention(*inputs, mask)
    assert not weights[..., blocked].any()
    other = inputs.value.copy()
    other[..., blocked, :] += 1
    assert same(sdpa.attention(inputs.query, inputs.key, other, mask)[0], output)


def test_a_mask_may_differ_for_each_batch_element():
    inputs = make_inputs(5, 4, 6, 3, 5, batch=(2, 3))
    mask = np.random.default_rng(5).random((2, 1, 4, 6)) < 0.6
    output, _ = sdpa.attention(*inputs, mask)
    for b, h in np.ndindex(2, 3):
        single, _ = sdpa.attention(*(array[b, h] for array in inputs), mask[b, 0])
        assert_near(output[b, h], single, 2 * rounding(*inputs)[0])


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_finite_mask_below_the_range_of_the_scores_blocks(dtype):
    inputs = make_inputs(6, 3, 4, 5, 2, dtype=dtype)
    mask = np.where(np.arange(4) < 2, 0.0, np.finfo(np.float64).min)
    _, weights = sdpa.attention(*inputs, mask)
    assert not weights[:, 2:].any()


@given(attention_inputs(), st.data())
def test_causal_and_mask_are_both_applied(inputs, data):
    mask = data.draw(masks_for(inputs.scores_shape))
    both = sdpa.combine(mask, sdpa.causal_mask(*inputs.scores_shape[-2:]))
    for left, right in zip(
        sdpa.attention(*inputs, mask, True), sdpa.attention(*inputs, both), strict=True
    ):
        assert same(left, right)


def test_the_last_causal_query_sees_every_key_and_the_one_before_it_one_less():
    _, weights = sdpa.attention(*make_inputs(7, 3, 5, 4, 2), is_causal=True)
    assert (weights > 0).sum(axis=-1).tolist() == [3, 4, 5]


def test_causal_queries_before_the_first_key_get_zeros():
    output, weights = sdpa.attention(*make_inputs(8, 7, 4, 5, 3), is_causal=True)
    assert (weights > 0).sum(axis=-1).tolist() == [0, 0, 0, 1, 2, 3, 4]
    assert not output[:3].any()
    assert output[3:].all()


def test_decoding_one_query_gives_the_last_row_of_the_whole():
    query, key, value = inputs = make_inputs(9, 6, 6, 3, 5, batch=(2,))
    whole, _ = sdpa.attention(query, key, value, is_causal=True)
    for n in range(1, 7):
        step, _ = sdpa.attention(query[:, n - 1 : n], key[:, :n], value[:, :n], is_causal=True)
        assert_near(step, whole[:, n - 1 : n], 2 * rounding(*inputs)[0])


def test_the_default_scale_is_one_over_the_root_of_the_features():
    inputs = make_inputs(10, 5, 7, 3, 2)
    default = sdpa.attention(*inputs)[1]
    assert same(default, sdpa.attention(*inputs, scale=1 / math.sqrt(3))[1])
    assert same(default, sdpa.attention(*inputs, scale=np.float64(1 / math.sqrt(3)))[1])


def test_scale_0_gives_the_mean_of_the_values():
    inputs = make_inputs(11, 5, 7, 3, 2)
    output, weights = sdpa.attention(*inputs, scale=0.0)
    assert same(weights, np.full((5, 7), 1 / 7))
    mean = np.broadcast_to(inputs.value.mean(axis=0), (5, 2))
    assert_near(output, mean, rounding(*inputs, scale=0.0)[0])


LAYOUTS = {
    "transposed": lambda a: np.ascontiguousarray(a.swapaxes(-1, -2)).swapaxes(-1, -2),
    "every second": lambda a: np.repeat(a, 2, axis=-2)[..., ::2, :],
    "reversed": lambda a: np.ascontiguousarray(a[..., ::-1, ::-1])[..., ::-1, ::-1],
    "broadcast": lambda a: np.broadcast_to(a, (3, *a.shape)),
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_layout_in_memory_does_not_matter(layout, dtype):
    inputs = make_inputs(12, 4, 6, 3, 5, batch=(2, 1), dtype=dtype)
    strange = [LAYOUTS[layout](array) for array in inputs]
    for array in strange:
        array.flags.writeable = False
    actual = sdpa.attention(*strange, is_causal=True)
    expected = sdpa.attention(*inputs, is_causal=True)
    for left, right, tolerance in zip(actual, expected, rounding(*inputs), strict=True):
        assert left.dtype == dtype
        assert_near(left, np.broadcast_to(right, left.shape), 2 * tolerance)


@given(attention_cases())
def test_attention_changes_no_input(case):
    inputs, options = case
    arrays = [*inputs] + [options["attn_mask"]] * (options["attn_mask"] is not None)
    before = [array.copy() for array in arrays]
    output, weights = sdpa.attention(*inputs, **options)
    for result in (output, weights):
        result[...] = 7
    assert all(same(array, copy) for array, copy in zip(arrays, before, strict=True))


@given(*[st.sampled_from((*DTYPES, np.int8, np.int64))] * 3)
def test_mixed_dtypes_give_their_common_one(query_dtype, key_dtype, value_dtype):
    float_inputs = make_inputs(13, 3, 5, 4, 2, spread=3.0)
    dtypes = (query_dtype, key_dtype, value_dtype)
    inputs = [a.astype(dtype) for a, dtype in zip(float_inputs, dtypes, strict=True)]
    common = np.result_type(*dtypes)
    common = common if common.kind == "f" else np.dtype(np.float64)
    output, weights = sdpa.attention(*inputs)
    assert output.dtype == weights.dtype == common
    expected, _ = attention_by_loops(*inputs)
    assert_near(output, expected, rounding(*inputs, dtype=common)[0])


# scaled_dot_product_attention


@given(attention_cases())
def test_scaled_dot_product_attention_is_the_output_of_attention(case):
    inputs, options = case
    output, _ = sdpa.attention(*inputs, **options)
    assert same(sdpa.scaled_dot_product_attention(*inputs, **options), output)


@pytest.mark.parametrize(("heads", "kv_heads"), [(6, 3), (6, 2), (5, 1), (3, 3), (0, 2)])
def test_consecutive_query_heads_share_a_key_head(heads, kv_heads):
    query = normal((14, 0), 2, heads, 4, 3)
    key, value = normal((14, 1), 2, kv_heads, 7, 3), normal((14, 2), 2, kv_heads, 7, 5)
    output = sdpa.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
    assert output.shape == (2, heads, 4, 5)
    for h in range(heads):
        shared = h // (heads // kv_heads)
        inputs = query[:, h], key[:, shared], value[:, shared]
        single, _ = sdpa.attention(*inputs, is_causal=True)
        assert_near(output[:, h], single, 2 * rounding(*inputs)[0])


def test_a_mask_of_grouped_heads_is_for_the_query_heads():
    query = normal((15, 0), 6, 4, 3)
    key, value = normal((15, 1), 2, 5, 3), normal((15, 2), 2, 5, 7)
    mask = np.random.default_rng(15).random((6, 4, 5)) < 0.6
    output = sdpa.scaled_dot_product_attention(query, key, value, mask, enable_gqa=True)
    for h in range(6):
        single, _ = sdpa.attention(query[h], key[h // 3], value[h // 3], mask[h])
        assert_near(output[h], single, 2 * rounding(query[h], key[h // 3], value[h // 3])[0])


@given(attention_inputs(), st.data())
def test_a_later_key_cannot_change_an_earlier_causal_query(inputs, data):
    query, key, value = inputs
    n_q, n_k = inputs.scores_shape[-2:]
    changed = data.draw(st.integers(0, n_k - 1))
    before = max(0, changed + n_q - n_k)  # rows before it see no such key
    assume(before > 0)
    other_key, other_value = key.copy(), value.copy()
    other_key[..., changed, :] = 1
    other_value[..., changed, :] = 1
    output, _ = sdpa.attention(query, key, value, is_causal=True)
    other, _ = sdpa.attention(query, other_key, other_value, is_causal=True)
    assert same(output[..., :before, :], other[..., :before, :])
