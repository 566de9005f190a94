import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.sdpa.inputs import DTYPES, make_inputs, masks_for, normal, same

import sdpa

SIZES = st.integers(0, 9)


def mask_by_loops(n_q, n_k, sees):
    """``sees(i, j)`` for query i at its position, the last one on the last key."""
    mask = np.zeros((n_q, n_k), bool)
    for i in range(n_q):
        for j in range(n_k):
            mask[i, j] = sees(n_k - n_q + i, j)
    return mask


@st.composite
def masks_that_broadcast(draw, count=None, dtypes=(bool, *DTYPES)):
    shape = draw(hnp.array_shapes(max_dims=3, max_side=4))
    count = count or draw(st.integers(1, 4))
    return [draw(masks_for(shape, dtypes)) for _ in range(count)]


def added(mask):
    """A mask of any dtype as the float64 numbers that it adds to scores."""
    return np.where(mask, 0.0, -np.inf) if mask.dtype == bool else mask.astype(np.float64)


# causal_mask and sliding_window_mask


@given(SIZES, SIZES)
def test_causal_mask_lets_a_position_see_itself_and_the_past(n_q, n_k):
    assert same(sdpa.causal_mask(n_q, n_k), mask_by_loops(n_q, n_k, lambda i, j: j <= i))


@given(SIZES, SIZES, st.integers(1, 12))
def test_a_causal_window_holds_the_own_position_and_those_just_before(n_q, n_k, window):
    expected = mask_by_loops(n_q, n_k, lambda i, j: j in range(i - window + 1, i + 1))
    assert same(sdpa.sliding_window_mask(n_q, n_k, window), expected)


@given(SIZES, SIZES, st.integers(1, 12))
def test_a_window_on_both_sides_is_symmetric_about_the_own_position(n_q, n_k, window):
    expected = mask_by_loops(n_q, n_k, lambda i, j: j in range(i - window + 1, i + window))
    assert same(sdpa.sliding_window_mask(n_q, n_k, window, is_causal=False), expected)


@given(SIZES, SIZES)
def test_a_window_of_1_is_the_own_position_and_an_endless_one_is_causal(n_q, n_k):
    own = mask_by_loops(n_q, n_k, lambda i, j: i == j)
    assert same(sdpa.sliding_window_mask(n_q, n_k, 1), own)
    assert same(sdpa.sliding_window_mask(n_q, n_k, 1, is_causal=False), own)
    assert same(sdpa.sliding_window_mask(n_q, n_k, n_q + n_k + 1), sdpa.causal_mask(n_q, n_k))


# padding_mask


@given(st.data())
def test_padding_mask_lets_see_the_first_keys_of_each_length(data):
    n_k = data.draw(SIZES)
    dtype = data.draw(st.sampled_from((np.int8, np.uint8, np.int64, np.uint64)))
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
    lengths = data.draw(hnp.arrays(dtype, shape, elements=st.integers(0, n_k)))
    mask = sdpa.padding_mask(lengths, n_k)
    assert (mask.shape, mask.dtype) == ((*shape, 1, n_k), bool)
    for i in np.ndindex(shape):
        assert mask[i][0].tolist() == [j < lengths[i] for j in range(n_k)]


def test_padding_mask_holds_more_keys_than_the_dtype_of_lengths_can_count():
    assert sdpa.padding_mask(np.array([3, 127], np.int8), 300).sum() == 130


def test_lengths_with_a_head_axis_give_a_mask_for_input_with_heads():
    inputs = make_inputs(1, 4, 6, 3, 5, batch=(2, 3))
    lengths = np.array([6, 2])
    mask = sdpa.padding_mask(lengths[:, None], 6)
    assert mask.shape == (2, 1, 1, 6)
    _, weights = sdpa.attention(*inputs, mask)
    assert ((weights > 0).sum(axis=-1) == lengths[:, None, None]).all()


def test_lengths_without_a_head_axis_are_taken_for_the_heads_where_their_numbers_agree():
    inputs = make_inputs(2, 4, 6, 3, 5, batch=(2, 2))
    lengths = np.array([6, 1])
    _, weights = sdpa.attention(*inputs, sdpa.padding_mask(lengths, 6))
    assert ((weights > 0).sum(axis=-1) == lengths[None, :, None]).all()


# combine


@given(masks_that_broadcast(dtypes=(bool,)))
def test_boolean_masks_combine_by_and(masks):
    combined = sdpa.combine(*masks)
    shape = np.broadcast_shapes(*(mask.shape for mask in masks))
    assert (combined.shape, combined.dtype) == (shape, bool)
    for i in np.ndindex(shape):
        assert combined[i] == all(np.broadcast_to(mask, shape)[i] for mask in masks)


@given(masks_that_broadcast())
def test_masks_with_a_float_one_among_them_are_added(masks):
    combined = sdpa.combine(*masks)
    floats = [mask for mask in masks if mask.dtype != bool]
    if floats:
        assert combined.dtype == np.result_type(*floats)
    exact = sum(map(added, masks))
    assert added(combined).shape == exact.shape
    assert ((added(combined) == -np.inf) == (exact == -np.inf)).all()
    # Each addition rounds to an eps of the terms, of which none is above 16.
    dtypes = [mask.dtype for mask in floats] or [np.dtype(np.float64)]
    eps = max(float(np.finfo(dtype).eps) for dtype in dtypes)
    finite = exact > -np.inf
    error = np.abs(added(combined)[finite] - exact[finite])
    assert (error <= len(masks) * 16 * len(masks) * eps).all()


@given(masks_that_broadcast(count=2))
def test_the_order_of_two_masks_does_not_matter(masks):
    left, right = masks
    assert same(sdpa.combine(left, right), sdpa.combine(right, left))


@given(masks_that_broadcast(count=1))
def test_masks_that_block_nothing_or_add_0_change_nothing(masks):
    (mask,) = masks
    assert same(sdpa.combine(mask), mask)
    assert same(sdpa.combine(mask, np.ones(mask.shape, bool)), mask)
    if mask.dtype != bool:
        assert same(sdpa.combine(mask, np.zeros(mask.shape, mask.dtype)), mask)


@given(masks_that_broadcast())
def test_combine_changes_no_mask(masks):
    before = [mask.copy() for mask in masks]
    sdpa.combine(*masks)
    assert all(same(mask, copy) for mask, copy in zip(masks, before, strict=True))


@pytest.mark.parametrize("dtype", DTYPES)
def test_adding_two_of_the_lowest_numbers_blocks_without_a_warning(dtype):
    lowest = np.full((2, 3), np.finfo(dtype).min, dtype)
    assert same(sdpa.combine(lowest, lowest), np.full((2, 3), -np.inf, dtype))


# apply_mask


@given(masks_that_broadcast(count=1), st.sampled_from(DTYPES))
def test_apply_mask_adds_to_the_scores_and_keeps_their_dtype(masks, dtype):
    (mask,) = masks
    scores = normal(3, 5, *mask.shape, dtype=dtype)
    before = scores.copy()
    applied = sdpa.apply_mask(scores, mask)
    blocked = np.broadcast_to(added(mask) == -np.inf, scores.shape)
    assert applied.dtype == dtype
    assert same(scores, before)
    assert ((applied == -np.inf) == blocked).all()
    exact = scores.astype(np.float64) + added(mask)
    # The mask is rounded to the dtype, and then the sum; neither is above 16.
    tolerance = 2 * 16 * float(np.finfo(dtype).eps)
    assert (np.abs(applied[~blocked] - exact[~blocked]) <= tolerance).all()


def test_a_boolean_mask_leaves_the_scores_it_allows_as_they_are():
    scores = normal(4, 3, 5)
    mask = np.random.default_rng(4).random((3, 5)) < 0.5
    assert same(sdpa.apply_mask(scores, mask)[mask], scores[mask])


def test_apply_mask_broadcasts_in_both_directions():
    applied = sdpa.apply_mask(normal(5, 4, 1), sdpa.causal_mask(1, 6)[None] | True)
    assert applied.shape == (1, 4, 6)


def test_integer_scores_become_float64():
    applied = sdpa.apply_mask(np.array([3, 4]), np.array([True, False]))
    assert same(applied, np.array([3.0, -np.inf]))
