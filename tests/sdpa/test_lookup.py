import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.sdpa.inputs import DTYPES, assert_near, different_sizes, normal, rounding, same

import sdpa

FUNCTIONS = (sdpa.hard_lookup, sdpa.nearest_lookup, sdpa.soft_lookup, sdpa.kernel_regression)


@st.composite
def tables(draw, dtypes=DTYPES):
    """A query, keys and values, as a lookup takes them."""
    n, d, d_v = draw(different_sizes(3))
    seed = draw(st.integers(0, 2**32 - 1))
    dtype = draw(st.sampled_from(dtypes))
    shapes = ((d,), (n, d), (n, d_v))
    return tuple(normal((seed, i), *shape, dtype=dtype) for i, shape in enumerate(shapes))


def lookup_rounding(query, keys, values, temperature):
    return rounding(query[None], keys, values, scale=1 / temperature)[0]


def dot(left, right):
    return math.fsum(map(math.prod, zip(left, right, strict=True)))


# hard_lookup


@given(st.data())
def test_hard_lookup_is_what_a_dict_does(data):
    n, d, d_v = data.draw(different_sizes(3, largest=6))
    dtype = data.draw(st.sampled_from((*DTYPES, np.int32)))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    keys = rng.integers(0, 2, (n, d)).astype(dtype)
    query = rng.integers(0, 2, d).astype(dtype)
    values = normal(1, n, d_v)
    table = {tuple(key): value for key, value in zip(keys.tolist(), values, strict=True)}
    if tuple(query.tolist()) in table:
        assert same(sdpa.hard_lookup(query, keys, values), table[tuple(query.tolist())])
    else:
        with pytest.raises(KeyError, match="no key equals"):
            sdpa.hard_lookup(query, keys, values)


@given(tables())
def test_hard_lookup_finds_every_key(table):
    _, keys, values = table
    assume(len(np.unique(keys, axis=0)) == len(keys))
    for key, value in zip(keys, values, strict=True):
        assert same(sdpa.hard_lookup(key, keys, values), value)


# nearest_lookup


@given(tables())
def test_nearest_lookup_takes_the_largest_dot_product(table):
    query, keys, values = table
    dots = [dot(query.tolist(), key) for key in keys.tolist()]
    runner_up, largest = sorted([-math.inf, *dots])[-2:]
    assume(largest - runner_up > 2 * lookup_rounding(*table, 1.0))
    assert same(sdpa.nearest_lookup(*table), values[dots.index(largest)])


def test_the_first_of_equally_near_keys_counts():
    query, keys = np.array([1.0, 1.0]), np.array([[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]])
    values = normal(2, 3, 5)
    assert same(sdpa.nearest_lookup(query, keys, values), values[1])


@pytest.mark.parametrize("lookup", [sdpa.nearest_lookup, sdpa.soft_lookup])
def test_float16_dot_products_beyond_65504_stay_right(lookup):
    query = np.array([300, 400, 0], np.float16)
    keys = np.array([[300, 0, 1], [0, 400, 1]], np.float16)  # 90000 and 160000
    assert same(lookup(query, keys, keys), keys[1])


# soft_lookup


@given(tables(), st.sampled_from((0.2, 1.0, 3.0)))
def test_soft_lookup_is_its_definition(table, temperature):
    query, keys, values = (array.astype(np.float64).tolist() for array in table)
    scores = [dot(query, key) / temperature for key in keys]
    kernel = [math.exp(score) for score in scores]
    expected = [
        sum(w * value[c] for w, value in zip(kernel, values, strict=True)) / sum(kernel)
        for c in range(len(values[0]))
    ]
    actual = sdpa.soft_lookup(*table, temperature)
    assert actual.dtype == table[0].dtype
    assert_near(actual, np.array(expected), lookup_rounding(*table, temperature))


@given(tables(), st.sampled_from((1e-30, 1e-60, 1e-320)))
def test_soft_lookup_becomes_the_nearest_as_the_temperature_falls(table, temperature):
    query, keys, _ = table
    dots = keys.astype(np.float64) @ query.astype(np.float64)
    runner_up, largest = sorted([-math.inf, *dots])[-2:]
    assume(largest - runner_up > 2 * lookup_rounding(*table, 1.0))
    assert same(sdpa.soft_lookup(*table, temperature), sdpa.nearest_lookup(*table))


@given(tables(), st.sampled_from((1e20, 1e60, 1e300)))
def test_soft_lookup_becomes_the_mean_as_the_temperature_grows(table, temperature):
    mean = table[2].mean(axis=0, dtype=np.float64)
    assert_near(sdpa.soft_lookup(*table, temperature), mean, lookup_rounding(*table, temperature))


@given(tables())
def test_soft_lookup_at_the_root_of_d_is_a_row_of_attention(table):
    query, keys, values = table
    output, _ = sdpa.attention(query[None], keys, values)
    temperature = math.sqrt(len(query))
    tolerance = 2 * lookup_rounding(*table, temperature)
    assert_near(sdpa.soft_lookup(*table, temperature), output[0], tolerance)


# kernel_regression


def regression_rounding(query, keys, values, bandwidth):
    """As a lookup whose scores are the squared distances, each difference rounded once."""
    farthest = np.abs(keys.astype(np.float64)) + np.abs(query.astype(np.float64))
    ones = np.ones(len(query), query.dtype)
    return rounding(ones[None], farthest**2, values, scale=1 / bandwidth**2, dtype=query.dtype)[0]


@given(tables(), st.sampled_from((0.5, 1.0, 3.0)))
def test_kernel_regression_is_its_definition(table, bandwidth):
    query, keys, values = (array.astype(np.float64).tolist() for array in table)
    exponents = [-(math.dist(query, key) ** 2) / (2 * bandwidth**2) for key in keys]
    largest = max(exponents)
    kernel = [math.exp(exponent - largest) for exponent in exponents]
    expected = [
        sum(w * value[c] for w, value in zip(kernel, values, strict=True)) / sum(kernel)
        for c in range(len(values[0]))
    ]
    actual = sdpa.kernel_regression(*table, bandwidth)
    assert actual.dtype == table[0].dtype
    assert_near(actual, np.array(expected), regression_rounding(*table, bandwidth))


@given(tables(), st.sampled_from((0.5, 1.0, 3.0)))
def test_kernel_regression_over_keys_of_one_length_is_soft_lookup(table, bandwidth):
    query, keys, values = table
    keys = np.sign(keys)  # all of length sqrt(d), exactly
    assume(keys.all())
    regression = sdpa.kernel_regression(query, keys, values, bandwidth)
    lookup = sdpa.soft_lookup(query, keys, values, bandwidth**2)
    tolerance = 2 * regression_rounding(query, keys, values, bandwidth)
    assert_near(regression, lookup, tolerance)


@given(tables(), st.sampled_from((1e-12, 1e-30, 1e-200)))
def test_a_small_bandwidth_gives_the_value_of_the_closest_key(table, bandwidth):
    query, keys, values = table
    distances = ((keys.astype(np.float64) - query.astype(np.float64)) ** 2).sum(axis=1)
    closest, runner_up = sorted([*distances, math.inf])[:2]
    assume(runner_up - closest > 2 * lookup_rounding(query, keys, keys, 1.0) + 1e-3 * closest)
    actual = sdpa.kernel_regression(query, keys, values, bandwidth)
    assert same(actual, values[distances.argmin()])


@given(tables(), st.sampled_from((1e20, 1e60, 1e300)))
def test_a_large_bandwidth_gives_the_mean(table, bandwidth):
    mean = table[2].mean(axis=0, dtype=np.float64)
    actual = sdpa.kernel_regression(*table, bandwidth)
    assert_near(actual, mean, lookup_rounding(*table, 1e20))


# All of them


@pytest.mark.parametrize("function", FUNCTIONS)
@given(tables())
def test_lookups_change_no_input_and_return_no_view_of_one(function, table):
    _, keys, values = table
    arrays = (keys[0].copy(), keys, values)
    before = [array.copy() for array in arrays]
    function(*arrays)[...] = 7
    assert all(same(array, copy) for array, copy in zip(arrays, before, strict=True))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_only_key_gives_its_value(function):
    query, values = normal(3, 4), normal(4, 1, 7)
    assert same(function(query, query[None], values), values[0])


@pytest.mark.parametrize("function", FUNCTIONS[2:])
def test_blends_of_integers_are_float64(function):
    arrays = np.array([1, 2]), np.array([[1, 0], [2, 2], [0, 3]]), np.array([[4], [5], [9]])
    assert same(function(*arrays), function(*(array.astype(np.float64) for array in arrays)))


@pytest.mark.parametrize("function", FUNCTIONS[:2])
def test_values_looked_up_keep_their_dtype(function):
    arrays = np.array([1.0, 2]), np.array([[1.0, 0], [1, 2], [0, 0]]), np.array([[4], [5], [9]])
    assert same(function(*arrays), np.array([5]))
