import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import sdpa
import sdpa.pytorch


def weights(seed, *shape):
    return sdpa.softmax(np.random.default_rng(seed).normal(size=shape))


@given(st.integers(0, 99), st.integers(1, 9))
def test_the_jacobian_is_what_autograd_finds(seed, n):
    scores = torch.from_numpy(np.random.default_rng(seed).normal(size=n))
    expected = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)
    p = torch.softmax(scores, 0)
    np.testing.assert_allclose(sdpa.softmax_jacobian(p.numpy()), expected, atol=1e-15)
    np.testing.assert_allclose(sdpa.pytorch.softmax_jacobian(p), expected, atol=1e-15)


def test_batches_are_done_row_by_row():
    p = weights(0, 2, 3, 5)
    jacobians = sdpa.softmax_jacobian(p)
    assert jacobians.shape == (2, 3, 5, 5)
    for index in np.ndindex(2, 3):
        np.testing.assert_array_equal(jacobians[index], sdpa.softmax_jacobian(p[index]))
    np.testing.assert_allclose(jacobians.sum(axis=-1), 0, atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_dtype_stays(dtype):
    p = weights(0, 4).astype(dtype)
    assert sdpa.softmax_jacobian(p).dtype == dtype
    assert sdpa.pytorch.softmax_jacobian(torch.from_numpy(p)).numpy().dtype == dtype


@pytest.mark.bad_input
def test_what_is_no_array_of_weights_is_named():
    with pytest.raises(TypeError, match="p is a list"):
        sdpa.softmax_jacobian([0.5, 0.5])
    with pytest.raises(ValueError, match=r"p has shape \(\)"):
        sdpa.softmax_jacobian(np.array(1.0))
    with pytest.raises(ValueError, match=r"p has shape \(\)"):
        sdpa.pytorch.softmax_jacobian(torch.tensor(1.0))
