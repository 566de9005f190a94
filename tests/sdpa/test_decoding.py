import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sdpa
from sdpa.decoding import KVCache


def tokens(seed, *batch, n=7, d_k=5, d_v=3, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(*batch, n, d)).astype(dtype) for d in (d_k, d_k, d_v)]


def decode(query, key, value, cuts):
    cache, outputs, start = KVCache(), [], 0
    for end in [*cuts, query.shape[-2]]:
        chunk = [array[..., start:end, :] for array in (query, key, value)]
        outputs.append(cache.step(*chunk))
        start = end
    assert len(cache) == query.shape[-2]
    return np.concatenate(outputs, axis=-2)


@given(st.integers(0, 99), st.lists(st.integers(1, 6), unique=True).map(sorted))
def test_chunks_of_any_length_give_causal_attention(seed, cuts):
    query, key, value = tokens(seed, 2, 3)
    expected, _ = sdpa.attention(query, key, value, is_causal=True)
    # The sums run over the same terms, in the order of another matrix product.
    np.testing.assert_allclose(decode(query, key, value, cuts), expected, rtol=0, atol=1e-13)


def test_the_dtype_stays():
    query, key, value = tokens(0, dtype=np.float32)
    assert decode(query, key, value, [3]).dtype == np.float32


def test_the_scale_is_passed_on():
    query, key, value = tokens(0)
    got = KVCache().step(query, key, value, scale=0.5)
    expected, _ = sdpa.attention(query, key, value, is_causal=True, scale=0.5)
    np.testing.assert_array_equal(got, expected)


def test_what_is_cached_can_be_read_and_is_a_copy():
    query, key, value = tokens(0)
    cache = KVCache()
    assert cache.keys is None and cache.values is None and len(cache) == 0
    cache.append(key[:2], value[:2])
    cache.append(key[2:], value[2:])
    np.testing.assert_array_equal(cache.keys, key)
    np.testing.assert_array_equal(cache.values, value)
    assert not np.shares_memory(cache.keys, key)
    del query


@pytest.mark.bad_input
@pytest.mark.parametrize(
    ("chunk", "error", "says"),
    [
        ((np.ones(3), np.ones(3)), ValueError, "key has shape"),
        ((np.ones((2, 5)), np.ones((3, 4))), ValueError, "value has shape"),
        ((np.ones((2, 6)), np.ones((2, 4))), ValueError, "key has shape .*as cached"),
        ((np.ones((2, 5)), np.ones((2, 7))), ValueError, "value has shape .*as cached"),
        ((np.ones((2, 5), "f4"), np.ones((2, 4))), TypeError, "key has dtype float32"),
        (([[1.0]], np.ones((1, 4))), TypeError, "key is a list"),
    ],
)
def test_a_chunk_that_does_not_fit_is_named_and_not_added(chunk, error, says):
    cache = KVCache()
    cache.append(np.ones((1, 5)), np.ones((1, 4)))
    with pytest.raises(error, match=says):
        cache.append(*chunk)
    assert len(cache) == 1


@pytest.mark.bad_input
def test_as_many_queries_as_keys_are_wanted():
    with pytest.raises(ValueError, match="query has shape"):
        KVCache().step(np.ones((1, 5)), np.ones((2, 5)), np.ones((2, 4)))
