import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from tests.sdpa.inputs import (
    DTYPES,
    Inputs,
    assert_near,
    attention_by_loops,
    attention_cases,
    make_inputs,
    normal,
    rounding,
)
from torch.nn.attention.bias import causal_lower_right

import sdpa
from sdpa import pytorch as tensors

ALL_DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
INF = float("inf")


def to_torch(x, device, **options):
    """The same with every array in it as a tensor."""
    if isinstance(x, np.ndarray):
        return torch.tensor(x, device=device, **options)
    if isinstance(x, tuple | list):
        return [to_torch(item, device, **options) for item in x]
    if isinstance(x, dict):
        return {name: to_torch(item, device, **options) for name, item in x.items()}
    return x


def exact(tensor):
    """The same numbers in float64, in NumPy."""
    return tensor.detach().to("cpu", torch.float64).numpy()


def boolean_mask(seed, *shape, share=0.6):
    return np.random.default_rng(seed).random(shape) < share


# Equal to the NumPy functions


@given(case=attention_cases())
def test_attention_equals_the_numpy_function(device, case):
    inputs, options = case
    ours = tensors.attention(*to_torch(inputs, device), **to_torch(options, device))
    numpy = sdpa.attention(*inputs, **options)
    for left, right, tolerance in zip(ours, numpy, rounding(*inputs, **options), strict=True):
        assert left.cpu().numpy().dtype == right.dtype
        assert_near(left.cpu().numpy(), right, 2 * tolerance)


def test_batch_axes_broadcast_as_in_numpy(device):
    inputs = Inputs(normal(41, 2, 1, 4, 3), normal(42, 5, 6, 3), normal(43, 1, 1, 5, 6, 7))
    ours = tensors.scaled_dot_product_attention(*to_torch(inputs, device))
    expected = sdpa.scaled_dot_product_attention(*inputs)
    assert_near(exact(ours), expected, 2 * rounding(*inputs)[0])


@given(case=attention_cases())
def test_attention_changes_no_tensor(device, case):
    inputs, options = case
    given_tensors = to_torch([*inputs, options["attn_mask"]], device)
    before = [None if x is None else x.clone() for x in given_tensors]
    *tensor_inputs, mask = given_tensors
    for result in tensors.attention(*tensor_inputs, **options | {"attn_mask": mask}):
        result.fill_(7)
    for tensor, copy in zip(given_tensors, before, strict=True):
        assert tensor is None or torch.equal(tensor, copy)


@given(data=st.data())
def test_softmax_equals_the_numpy_function_along_any_axis(device, data):
    dtype = data.draw(st.sampled_from(DTYPES))
    x = normal(data.draw(st.integers(0, 99)), 3, 1, 5, 2, dtype=dtype, spread=9.0)
    x[data.draw(st.sampled_from((x > 1, x > -INF, x > INF)))] = -INF
    axis = data.draw(st.integers(-4, 3))
    weights = tensors.softmax(to_torch(x, device), axis).cpu().numpy()
    assert weights.dtype == dtype
    # exp errs by an eps of its argument, which stays under 64.
    assert_near(weights, sdpa.softmax(x, axis), 64 * float(np.finfo(dtype).eps))


MASKS = {
    "bool": boolean_mask(1, 3, 5),
    "row": boolean_mask(2, 5),
    "column": boolean_mask(3, 3, 1),
    "float": np.where(boolean_mask(4, 3, 5), normal(4, 3, 5), -INF),
    "half": normal(5, 2, 1, 5, dtype=np.float16),
}
TABLE = (normal(6, 4), normal(7, 5, 4), normal(8, 5, 3))
CALLS = {
    "softmax of integers": ("softmax", np.array([[3, 1, 2], [0, 0, 5]])),
    "softmax of a row without a finite score": ("softmax", np.full((2, 3), -INF)),
    "softmax of infinity": ("softmax", np.array([[1.0, INF], [2.0, 3.0]])),
    "softmax of nan": ("softmax", np.array([[1.0, np.nan], [2.0, 3.0]])),
    "softmax of nothing": ("softmax", np.ones((3, 0))),
    "softmax_jacobian": ("softmax_jacobian", np.array([[0.1, 0.7, 0.2], [1.0, 0.0, 0.0]])),
    "softmax_jacobian of integers": ("softmax_jacobian", np.array([0, 1, 0, 0])),
    "causal_mask square": ("causal_mask", 4, 4),
    "causal_mask wide": ("causal_mask", 3, 7),
    "causal_mask tall": ("causal_mask", 7, 3),
    "causal_mask empty": ("causal_mask", 0, 3),
    "sliding_window_mask wide": ("sliding_window_mask", 4, 9, 3),
    "sliding_window_mask tall": ("sliding_window_mask", 9, 4, 3),
    "padding_mask": ("padding_mask", np.array([3, 0, 7]), 7),
    "padding_mask with heads": ("padding_mask", np.array([[3], [5]]), 5),
    "padding_mask of small unsigned integers": ("padding_mask", np.array([3, 5], np.uint8), 300),
    "padding_mask of large unsigned integers": ("padding_mask", np.array([3, 5], np.uint64), 6),
    "padding_mask of one length": ("padding_mask", np.array(2), 3),
    "padding_mask of no length": ("padding_mask", np.zeros((0, 2), np.int64), 3),
    "combine one": ("combine", MASKS["float"]),
    "combine bools": ("combine", MASKS["bool"], MASKS["row"], MASKS["column"]),
    "combine floats": ("combine", MASKS["float"], MASKS["half"]),
    "combine mixed": ("combine", MASKS["column"], MASKS["half"], MASKS["row"]),
    "combine 0-d": ("combine", np.array(True), np.array(0.5)),
    "apply_mask bool": ("apply_mask", normal(9, 2, 3, 5), MASKS["bool"]),
    "apply_mask float": ("apply_mask", normal(10, 3, 5, dtype=np.float32), MASKS["float"]),
    "apply_mask larger than scores": ("apply_mask", normal(11, 3, 1), MASKS["half"]),
    "apply_mask to integers": ("apply_mask", np.arange(5), MASKS["row"]),
    "attention without keys": ("attention", np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 4))),
    "attention of integers": ("attention", np.eye(3, 2, dtype=int), *[np.eye(4, 2, dtype=int)] * 2),
    "attention of other dtypes": ("attention", np.ones((2, 3), "f2"), *[np.ones((4, 3), "f4")] * 2),
    "hard_lookup": ("hard_lookup", TABLE[1][2].copy(), *TABLE[1:]),
    "hard_lookup of repeated keys": ("hard_lookup", np.ones(2), np.ones((3, 2)), np.eye(3)),
    "nearest_lookup": ("nearest_lookup", *TABLE),
    "nearest_lookup of equal keys": ("nearest_lookup", np.ones(2), np.ones((3, 2)), np.eye(3)),
    "soft_lookup": ("soft_lookup", *TABLE, 0.7),
    "soft_lookup coldest": ("soft_lookup", *TABLE, 1e-320),
    "soft_lookup cold in float32": ("soft_lookup", *(x.astype("f4") for x in TABLE), 1e-60),
    "soft_lookup in float16": ("soft_lookup", *(x.astype("f2") for x in TABLE)),
    "kernel_regression": ("kernel_regression", *TABLE, 0.7),
    "kernel_regression narrow": ("kernel_regression", *TABLE, 1e-200),
    "kernel_regression wide": ("kernel_regression", *TABLE, 1e300),
    "kernel_regression in float32": ("kernel_regression", *(x.astype("f4") for x in TABLE)),
}


@pytest.mark.parametrize("call", CALLS)
def test_every_function_equals_its_numpy_namesake(device, call):
    name, *arguments = CALLS[call]
    expected = getattr(sdpa, name)(*arguments)
    actual = getattr(tensors, name)(*to_torch(arguments, device))
    if not isinstance(expected, tuple):
        expected, actual = (expected,), (actual,)
    for left, right in zip(actual, expected, strict=True):
        left = left.cpu().numpy()
        assert (left.dtype, left.shape) == (right.dtype, right.shape)
        if right.dtype.kind == "f":
            # At most 5 terms are summed in scores that stay under 16, before exp.
            eps = float(np.finfo(right.dtype).eps)
            np.testing.assert_allclose(left, right, rtol=5 * 16 * eps, atol=5 * 16 * eps)
        else:
            np.testing.assert_array_equal(left, right)


def test_every_function_was_compared():
    compared = {name for name, *_ in CALLS.values()}
    assert compared | {"scaled_dot_product_attention"} == set(sdpa.__all__)


def test_hard_lookup_of_a_missing_key_fails_as_a_dict_does(device):
    query, keys, values = to_torch(TABLE, device)
    with pytest.raises(KeyError, match="no key equals"):
        tensors.hard_lookup(query, keys, values)


def test_masks_are_made_on_the_device_asked_for(device):
    assert tensors.causal_mask(3, 5, device=device).device.type == device.type
    assert tensors.sliding_window_mask(3, 5, 2, device=device).device.type == device.type
    assert tensors.padding_mask(torch.tensor([2], device=device), 3).device.type == device.type


def test_tensors_on_two_devices_are_refused():
    query, key, value = (torch.ones(3, 2) for _ in range(3))
    elsewhere = torch.ones(3, 2, device="meta")
    with pytest.raises(ValueError, match="key is on meta; wanted cpu, as query is"):
        tensors.attention(query, elsewhere, value)
    with pytest.raises(ValueError, match="attn_mask is on meta; wanted cpu, as query is"):
        tensors.attention(query, key, value, torch.ones(3, 3, device="meta"))


# Dtypes


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_the_result_has_the_dtype_of_the_inputs(device, dtype):
    inputs = [x.to(dtype) for x in to_torch(make_inputs(1, 4, 6, 3, 5), device)]
    assert {x.dtype for x in tensors.attention(*inputs, is_causal=True)} == {dtype}
    assert tensors.softmax(inputs[0]).dtype == dtype
    assert tensors.soft_lookup(inputs[0][0], *inputs[1:]).dtype == dtype


def test_two_half_dtypes_meet_in_float32(device):
    query, key, value = to_torch(make_inputs(2, 4, 6, 3, 5), device)
    output, weights = tensors.attention(query.half(), key.bfloat16(), value.half())
    assert output.dtype == weights.dtype == torch.float32


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_dtypes_accumulate_in_float32(device, dtype):
    inputs = make_inputs(3, 5, 301, 65, 3, spread=300.0)
    inputs = [x.to(dtype) for x in to_torch(inputs, device)]
    rounded = Inputs(*map(exact, inputs))
    assert np.abs(rounded.query @ rounded.key.T).max() > 65504
    output, _ = tensors.attention(*inputs, scale=1e-6)
    expected, _ = attention_by_loops(*rounded, scale=1e-6)
    # Half an eps of the largest entry, and half as much again for float32's own rounding.
    assert_near(exact(output), expected, 0.75 * torch.finfo(dtype).eps * np.abs(expected).max())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_results_are_those_of_float32_rounded_once(device, dtype):
    inputs = [x.to(dtype) for x in to_torch(make_inputs(44, 9, 31, 5, 7, batch=(2,)), device)]
    results = tensors.attention(*inputs, is_causal=True)
    wide = tensors.attention(*(x.float() for x in inputs), is_causal=True)
    for result, wide_result in zip(results, wide, strict=True):
        assert torch.equal(result, wide_result.to(dtype))


# Gradients

EMPTY_ROWS = np.array([[True, False, True, True, False], [False] * 5, [True] * 5])
GRADIENT_CASES = {
    "plain": {},
    "boolean mask": {"attn_mask": boolean_mask(12, 3, 5)},
    "empty rows": {"attn_mask": EMPTY_ROWS},
    "float mask": {"attn_mask": normal(13, 3, 5)},
    "float mask with empty rows": {"attn_mask": np.where(EMPTY_ROWS, normal(14, 3, 5), -INF)},
    "causal": {"is_causal": True},
    "causal and mask": {"is_causal": True, "attn_mask": boolean_mask(15, 5)},
    "scale": {"scale": -0.3},
}


def differentiable(arrays, device):
    return [x.requires_grad_() for x in to_torch(list(arrays), device)]


@pytest.mark.parametrize("case", GRADIENT_CASES)
def test_gradients_of_output_and_weights_are_right(device, case):
    options = to_torch(GRADIENT_CASES[case], device)
    inputs = differentiable(make_inputs(16, 3, 5, 4, 2, batch=(2,)), device)
    assert torch.autograd.gradcheck(lambda *x: tensors.attention(*x, **options), inputs)


def test_gradients_are_right_with_more_queries_than_keys(device):
    inputs = differentiable(make_inputs(17, 5, 3, 4, 2), device)
    assert torch.autograd.gradcheck(lambda *x: tensors.attention(*x, is_causal=True), inputs)


def test_gradients_reach_an_added_mask(device):
    inputs = differentiable([*make_inputs(18, 3, 5, 4, 2), normal(18, 3, 1)], device)
    assert torch.autograd.gradcheck(tensors.attention, inputs)


def test_gradients_of_grouped_heads_are_right(device):
    arrays = normal(19, 6, 3, 4), normal(20, 2, 5, 4), normal(21, 2, 5, 1)
    inputs = differentiable(arrays, device)
    function = tensors.scaled_dot_product_attention
    assert torch.autograd.gradcheck(
        lambda *x: function(*x, is_causal=True, enable_gqa=True), inputs
    )


def test_second_gradients_are_right(device):
    inputs = differentiable(make_inputs(22, 2, 3, 4, 1), device)
    mask = to_torch(np.array([[True, False, True], [False] * 3]), device)
    assert torch.autograd.gradgradcheck(lambda *x: tensors.attention(*x, mask)[0], inputs)


@pytest.mark.parametrize("function", ["soft_lookup", "kernel_regression"])
def test_gradients_of_lookups_are_right(device, function):
    inputs = differentiable(TABLE, device)
    assert torch.autograd.gradcheck(lambda *x: getattr(tensors, function)(*x, 0.8), inputs)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("kind", ["boolean mask", "float mask", "causal"])
def test_a_query_that_sees_no_key_has_zeros_in_output_and_gradient(device, dtype, kind):
    arrays = make_inputs(23, 7, 4, 3, 5)
    inputs = [x.to(dtype).requires_grad_() for x in to_torch(arrays, device)]
    allowed = sdpa.causal_mask(7, 4)
    options = {
        "boolean mask": {"attn_mask": to_torch(allowed, device)},
        "float mask": {"attn_mask": to_torch(np.where(allowed, 0.5, -INF), device)},
        "causal": {"is_causal": True},
    }[kind]
    output, weights = tensors.attention(*inputs, **options)
    assert not output[:3].any()
    assert not weights[:3].any()
    (output.sum() + weights.square().sum()).backward()
    assert all(x.grad.isfinite().all() for x in inputs)
    assert not inputs[0].grad[:3].any()
    assert inputs[0].grad[4:].any()


def test_softmax_of_nothing_but_minus_infinity_has_a_zero_gradient(device):
    x = torch.full((2, 3), -INF, device=device, requires_grad=True)
    tensors.softmax(x)[0, 1].backward()
    assert torch.equal(x.grad, torch.zeros_like(x))


# Compared with torch's own function


def assert_within_error_budget(ours, theirs, expected):
    """Require at most twice torch's own error with one rounding of the result added."""
    assert ours.dtype == theirs.dtype
    assert tuple(ours.shape) == expected.shape
    one_rounding = torch.finfo(ours.dtype).eps / 2 * np.abs(expected).max()
    their_error = np.abs(exact(theirs) - expected).max()
    assert_near(exact(ours), expected, 2 * (their_error + one_rounding))


def compare_with_torch(inputs, device, dtype, attn_mask=None, theirs=None, **options):
    """``theirs`` holds the options that say the same to torch's function."""
    inputs = [x.to(dtype) for x in to_torch(list(inputs), device)]
    mask = to_torch(attn_mask, device)
    if mask is not None and mask.is_floating_point():
        mask = mask.to(dtype)
        attn_mask = exact(mask)
    expected, _ = attention_by_loops(*map(exact, inputs), attn_mask, **options)
    ours = tensors.scaled_dot_product_attention(*inputs, mask, **options)
    theirs = {"attn_mask": mask, **options} if theirs is None else theirs
    assert_within_error_budget(ours, F.scaled_dot_product_attention(*inputs, **theirs), expected)


TORCH_MASKS = {
    "none": None,
    "bool": boolean_mask(24, 9, 13),
    "empty rows": boolean_mask(25, 9, 13) & (np.arange(9) % 4 > 0)[:, None],
    "float": normal(26, 9, 13, spread=2.0),
    "float with empty rows": np.where((np.arange(9) % 4 > 0)[:, None], normal(27, 9, 13), -INF),
}


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)], ids=["2-D", "3-D", "4-D"])
@pytest.mark.parametrize("mask", TORCH_MASKS)
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_masks_do_what_they_do_in_torch(device, dtype, mask, batch):
    inputs = make_inputs(28, 9, 13, 5, 7, batch=batch)
    compare_with_torch(inputs, device, dtype, TORCH_MASKS[mask])


@pytest.mark.parametrize("sizes", [(3, 17, 5, 7), (17, 3, 7, 5), (1, 11, 4, 9), (35, 21, 9, 15)])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_sizes_may_all_differ_as_in_torch(device, dtype, sizes):
    compare_with_torch(make_inputs(29, *sizes, batch=(2, 3)), device, dtype)


@pytest.mark.parametrize("scale", [0.0, 0.05, 1.0])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_scale_does_what_it_does_in_torch(device, dtype, scale):
    compare_with_torch(make_inputs(30, 5, 11, 9, 7, batch=(3,)), device, dtype, scale=scale)


@pytest.mark.parametrize(("heads", "kv_heads"), [(6, 2), (6, 3), (5, 1)])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_enable_gqa_does_what_it_does_in_torch(device, dtype, heads, kv_heads):
    query = normal(31, 2, heads, 7, 5)
    key, value = normal(32, 2, kv_heads, 11, 5), normal(33, 2, kv_heads, 11, 3)
    query, key, value = inputs = [x.to(dtype) for x in to_torch([query, key, value], device)]
    shared = [np.repeat(exact(x), heads // kv_heads, axis=1) for x in (key, value)]
    expected, _ = attention_by_loops(exact(query), *shared)
    ours = tensors.scaled_dot_product_attention(*inputs, enable_gqa=True)
    theirs = F.scaled_dot_product_attention(*inputs, enable_gqa=True)
    assert_within_error_budget(ours, theirs, expected)


@pytest.mark.parametrize(("n_q", "n_k"), [(7, 7), (5, 11), (1, 6)])
@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_is_causal_is_the_lower_right_mask_of_torch(device, dtype, n_q, n_k):
    inputs = make_inputs(34, n_q, n_k, 3, 9, batch=(2, 3))
    theirs = {"attn_mask": causal_lower_right(n_q, n_k)}
    compare_with_torch(inputs, device, dtype, theirs=theirs, is_causal=True)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_is_causal_with_more_queries_than_keys_leaves_the_first_rows_empty(device, dtype):
    explicit = torch.ones(11, 5, dtype=torch.bool, device=device).tril(diagonal=5 - 11)
    inputs = make_inputs(35, 11, 5, 3, 7, batch=(2, 3))
    compare_with_torch(inputs, device, dtype, theirs={"attn_mask": explicit}, is_causal=True)


@pytest.mark.parametrize(("n_q", "n_k"), [(5, 5), (5, 11), (11, 5)])
def test_is_causal_of_torch_aligns_top_left_instead(device, n_q, n_k):
    inputs = to_torch(make_inputs(36, n_q, n_k, 3, 7, batch=(2, 3)), device)
    theirs = F.scaled_dot_product_attention(*inputs, is_causal=True)
    top_left = torch.ones(n_q, n_k, dtype=torch.bool, device=device).tril(diagonal=0)
    ours = tensors.scaled_dot_product_attention
    torch.testing.assert_close(theirs, ours(*inputs, top_left))
    same = torch.allclose(theirs, ours(*inputs, is_causal=True))
    assert same == (n_q == n_k)


def test_torch_forbids_is_causal_beside_a_mask_and_we_apply_both(device):
    inputs = to_torch(make_inputs(37, 5, 11, 3, 7), device)
    mask = to_torch(boolean_mask(37, 5, 11), device)
    with pytest.raises(RuntimeError, match="attn_mask"):
        F.scaled_dot_product_attention(*inputs, attn_mask=mask, is_causal=True)
    both = mask & tensors.causal_mask(5, 11, device=device)
    ours = tensors.scaled_dot_product_attention
    assert torch.equal(ours(*inputs, mask, is_causal=True), ours(*inputs, both))


@pytest.mark.parametrize("entry", [INF, float("nan")])
def test_a_float_mask_is_not_examined_and_makes_its_row_nan(device, entry):
    inputs = to_torch(make_inputs(38, 3, 5, 4, 2), device)
    mask = torch.zeros(3, 5, dtype=torch.float64, device=device)
    mask[1, 2] = entry
    output, weights = tensors.attention(*inputs, mask)
    assert output.isnan().all(dim=-1).tolist() == [False, True, False]
    assert weights.isnan().all(dim=-1).tolist() == [False, True, False]


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_a_mask_of_the_lowest_number_blocks_where_another_key_is_allowed(device, dtype):
    inputs = [x.to(dtype) for x in to_torch(make_inputs(39, 3, 5, 4, 2), device)]
    mask = torch.tensor([0, torch.finfo(dtype).min, 0, -INF, 0], dtype=dtype, device=device)
    _, weights = tensors.attention(*inputs, mask)
    assert (weights > 0).tolist() == [[True, False, True, False, True]] * 3


@pytest.mark.cuda
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_attention_does_not_wait_for_the_device():
    inputs = to_torch(make_inputs(40, 5, 7, 3, 4), "cuda")
    mask = torch.ones(5, 7, dtype=torch.bool, device="cuda")
    torch.cuda.set_sync_debug_mode("error")
    try:
        tensors.attention(*inputs, mask, is_causal=True)
    finally:
        torch.cuda.set_sync_debug_mode("default")
