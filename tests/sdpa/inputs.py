"""What the tests share: inputs to try, a plain oracle, and how far rounding may lead."""

import math
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

DTYPES = (np.float16, np.float32, np.float64)


class Inputs(NamedTuple):
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray

    @property
    def scores_shape(self):
        batch = np.broadcast_shapes(*(array.shape[:-2] for array in self))
        return (*batch, self.query.shape[-2], self.key.shape[-2])


def normal(seed, *shape, dtype=np.float64, spread=1.0):
    return (np.random.default_rng(seed).standard_normal(shape) * spread).astype(dtype)


def make_inputs(seed, n_q, n_k, d_k, d_v, batch=(), dtype=np.float64, spread=1.0):
    shapes = ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    return Inputs(
        *(
            normal((seed, i), *batch, *shape, dtype=dtype, spread=spread)
            for i, shape in enumerate(shapes)
        )
    )


def different_sizes(count, largest=9):
    sizes = st.integers(1, largest)
    return st.lists(sizes, min_size=count, max_size=count, unique=True)


@st.composite
def attention_inputs(draw, dtypes=DTYPES, batch_axes=2):
    """Query, key and value with sizes that all differ, in two axes or more."""
    n_q, n_k, d_k, d_v, *batch = draw(different_sizes(4 + batch_axes, largest=8))
    return make_inputs(
        draw(st.integers(0, 2**32 - 1)),
        *(n_q, n_k, d_k, d_v),
        batch=tuple(batch[: draw(st.integers(0, batch_axes))]),
        dtype=draw(st.sampled_from(dtypes)),
        spread=draw(st.sampled_from((0.1, 1.0, 5.0))),
    )


@st.composite
def masks_for(draw, scores_shape, dtypes=(bool, *DTYPES)):
    """A mask that broadcasts to the scores: fewer axes, or axes of size 1."""
    axes = draw(st.integers(0, len(scores_shape)))
    shape = [draw(st.sampled_from((1, n))) for n in scores_shape[len(scores_shape) - axes :]]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    allowed = np.asarray(rng.random(shape) < draw(st.sampled_from((0.0, 0.3, 0.7, 1.0))))
    dtype = draw(st.sampled_from(dtypes))
    if dtype is bool:
        return allowed
    return np.where(allowed, rng.standard_normal(shape) * 3, -np.inf).astype(dtype)


@st.composite
def attention_cases(draw, dtypes=DTYPES):
    """Inputs, and options of ``attention``."""
    inputs = draw(attention_inputs(dtypes))
    options = {
        "attn_mask": draw(st.none() | masks_for(inputs.scores_shape)),
        "is_causal": draw(st.booleans()),
        "scale": draw(st.none() | st.sampled_from((0.0, 0.3, 1.5, -0.7))),
    }
    return inputs, options


def attention_by_loops(query, key, value, attn_mask=None, is_causal=False, scale=None):
    """Attention from its definition: one number at a time, in float64."""
    (n_q, d_k), (n_k, d_v) = query.shape[-2:], value.shape[-2:]
    batch = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    query, key, value = (
        np.broadcast_to(array, batch + array.shape[-2:]).astype(np.float64)
        for array in (query, key, value)
    )
    added = np.zeros(()) if attn_mask is None else attn_mask.astype(np.float64)
    if attn_mask is not None and attn_mask.dtype == bool:
        added = np.where(attn_mask, 0.0, -np.inf)
    added = np.broadcast_to(added, (*batch, n_q, n_k))
    scale = 1 / math.sqrt(d_k) if scale is None else scale

    output = np.zeros((*batch, n_q, d_v))
    weights = np.zeros((*batch, n_q, n_k))
    for row in np.ndindex(*batch, n_q):
        *b, i = row
        scores = {}
        for j in range(n_k):
            sees = not is_causal or i + (n_k - n_q) >= j
            if sees and added[(*row, j)] > -math.inf:
                dot = sum(query[row][c] * key[(*b, j)][c] for c in range(d_k))
                scores[j] = dot * scale + added[(*row, j)]
        largest = max(scores.values(), default=0.0)
        total = sum(math.exp(score - largest) for score in scores.values())
        for j, score in scores.items():
            weights[(*row, j)] = math.exp(score - largest) / total
            for c in range(d_v):
                output[(*row, c)] += weights[(*row, j)] * value[(*b, j)][c]
    return output, weights


def rounding(query, key, value, attn_mask=None, scale=None, dtype=None, **_):
    """Return how far rounding alone may take (output, weights) from exact ones.

    A dot product of d terms errs by d eps times the sum of the terms' magnitudes,
    scaling, masking and subtracting the maximum by an eps each. exp turns an error
    of its argument into a relative one of the weight, twice over as the sum errs
    too; summing n terms adds n eps. At the end the result is rounded to ``dtype``.
    """
    dtype = dtype or np.result_type(query, key, value)
    eps_out = float(np.finfo(dtype).eps)
    eps = float(np.finfo(np.float32).eps) if dtype == np.float16 else eps_out
    d_k, n_k = key.shape[-1], key.shape[-2]
    scale = 1 / math.sqrt(d_k) if scale is None else scale
    query, key, value = (np.abs(array).astype(np.float64) for array in (query, key, value))
    magnitude = abs(scale) * (query @ key.swapaxes(-1, -2)).max(initial=0)
    if attn_mask is not None and attn_mask.dtype != bool:
        magnitude += np.abs(attn_mask, where=attn_mask > -np.inf, out=np.zeros_like(attn_mask)).max(
            initial=0
        )
    relative = math.expm1((2 * (d_k + 5) * magnitude + 2 * n_k + 8) * eps)
    weights = relative + eps_out
    return weights * value.max(initial=0), weights


def assert_near(actual, expected, tolerance):
    assert actual.shape == expected.shape
    error = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    assert (error <= tolerance).all(), f"off by {error.max()}, tolerated {tolerance}"


def same(left, right):
    """Whether two arrays are equal in dtype, shape and every entry, NaN included."""
    return left.dtype == right.dtype and np.array_equal(
        left, right, equal_nan=left.dtype.kind == "f"
    )
