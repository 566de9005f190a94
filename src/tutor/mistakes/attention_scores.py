"""Mistakes of attention up to the softmax: scale, axis and product."""

from __future__ import annotations

SCALE = (
    (
        "scale-forgotten",
        "The scores are not divided by sqrt(d_k).",
        "The weights are those of unscaled scores: divide the scores by sqrt(d_k).",
        {"scale": "none"},
    ),
    (
        "scale-d",
        "The scores are divided by d_k, not by its square root.",
        "The weights are those of scores divided by d_k: take the square root of it.",
        {"scale": "d_k"},
    ),
    (
        "scale-sqrt-d-v",
        "The scores are divided by sqrt(d_v).",
        "You divide by the root of the values' size: d_k is the last axis of query and key.",
        {"scale": "sqrt d_v"},
    ),
    (
        "scale-sqrt-n-k",
        "The scores are divided by the root of the number of keys.",
        "You divide by sqrt(n_k), the number of keys: d_k is query.shape[-1], the features.",
        {"scale": "sqrt n_k"},
    ),
    (
        "scale-sqrt-n-q",
        "The scores are divided by the root of the number of queries.",
        "You divide by sqrt(n_q), the number of queries: d_k is query.shape[-1], the features.",
        {"scale": "sqrt n_q"},
    ),
    (
        "scale-multiplied",
        "The scores are multiplied by sqrt(d_k).",
        "You multiply by sqrt(d_k): divide.",
        {"scale": "times sqrt d_k"},
    ),
    (
        "scale-multiplied-d",
        "The scores are multiplied by d_k.",
        "You multiply by d_k: divide by its square root.",
        {"scale": "times d_k"},
    ),
    (
        "scale-whole-root",
        "The square root of d_k is cut to a whole number.",
        "Your root of d_k is a whole number: use np.sqrt, or d_k ** 0.5, without int or //.",
        {"scale": "whole root"},
    ),
    (
        "scale-fourth-root",
        "The scores are divided by the fourth root of d_k.",
        "You divide by d_k ** 0.25: that would be right on both sides, query and key.",
        {"scale": "fourth root"},
    ),
    (
        "scale-square",
        "The scores are divided by the square of d_k.",
        "You divide by d_k ** 2: wanted is the square root, d_k ** 0.5.",
        {"scale": "square"},
    ),
    (
        "scale-log",
        "The scores are divided by the logarithm of d_k.",
        "You divide by log(d_k): wanted is the square root.",
        {"scale": "log"},
    ),
    (
        "scale-half",
        "The scores are divided by sqrt(d_k / 2).",
        "You divide by sqrt(d_k / 2): the 2 is too much.",
        {"scale": "half"},
    ),
    (
        "scale-first-axis",
        "The scores are divided by the root of the first axis' size.",
        "Your scale uses shape[0], or len(): with a batch that is no d_k. Use shape[-1].",
        {"scale": "first axis"},
    ),
    (
        "scale-first-key-axis",
        "The scores are divided by the root of the keys' first axis.",
        "Your scale uses the first axis of key: d_k is its last axis, shape[-1].",
        {"scale": "first axis of key"},
    ),
    (
        "scale-second-axis",
        "The scores are divided by the root of the second axis' size.",
        "Your scale uses shape[1]: with a batch that is no d_k. Use shape[-1].",
        {"scale": "second axis"},
    ),
    (
        "scale-all-heads",
        "The scores are divided by the root of d_k times the number of heads.",
        "Your d_k counts the features of all heads: wanted are those of one.",
        {"scale": "all heads"},
    ),
    (
        "scale-negative",
        "The scores change their sign.",
        "The key that fits worst gets the largest weight: check the sign of the scores.",
        {"scale": "negative"},
    ),
    (
        "scale-after-softmax",
        "The weights are divided by sqrt(d_k), not the scores.",
        "Your rows of weights do not sum to 1: scale the scores before the softmax, not "
        "the weights after it.",
        {"scaled": "weights"},
    ),
    (
        "scale-of-output",
        "The output is divided by sqrt(d_k), not the scores.",
        "Your output is too small by sqrt(d_k): scale the scores before the softmax.",
        {"scaled": "output"},
    ),
)
AXIS = (
    (
        "softmax-over-queries",
        "The softmax runs over the queries.",
        "The weights are what comes out when the softmax runs over the queries: look at `axis`.",
        {"along": "other"},
    ),
    (
        "softmax-over-everything",
        "The softmax runs over all scores at once.",
        "All your weights together sum to 1: the softmax runs over the keys, axis=-1.",
        {"along": "all"},
    ),
    (
        "softmax-over-first-axis",
        "The softmax runs over axis 0, the batch.",
        "The weights are what comes out when the softmax runs over axis 0: use axis=-1.",
        {"along": "first"},
    ),
    (
        "softmax-over-second-axis",
        "The softmax runs over axis 1.",
        "The weights are what comes out when the softmax runs over axis 1, which are the "
        "keys without a batch only: use axis=-1.",
        {"along": "second"},
    ),
    (
        "softmax-over-heads",
        "The softmax runs over the heads.",
        "The weights sum to 1 over the heads: the softmax runs over the keys, axis=-1.",
        {"along": "third last"},
    ),
)
PRODUCT = (
    (
        "query-key-swapped",
        "The scores are key @ query^T.",
        "Your scores are (n_k, n_q), turned round: write query @ key^T.",
        {"product": "key query"},
    ),
    (
        "key-value-swapped",
        "The key is used as value, and the value as key.",
        "Key and value have changed places.",
        {"swapped": ("key", "value")},
    ),
    (
        "key-not-transposed",
        "The key is not transposed.",
        "query @ key needs the last two axes of key exchanged.",
        {"product": "key as it is"},
    ),
    (
        "all-axes-transposed",
        "key.T turns all axes round, the batch too.",
        "key.T reverses every axis: with a batch, exchange the last two only, "
        "key.swapaxes(-1, -2).",
        {"product": "all axes turned"},
    ),
    (
        "key-reshaped",
        "The key is reshaped where it should be transposed.",
        "reshape keeps the order of the numbers and mixes features up: transpose instead.",
        {"product": "key reshaped"},
    ),
    (
        "first-key-for-all",
        "Every element of the batch is compared with the first element's keys.",
        "All elements of the batch use the first one's keys.",
        {"product": "first key for all"},
    ),
    (
        "cosine",
        "The scores are cosines.",
        "You normalise query and key: the scores are plain dot products.",
        {"product": "cosine"},
    ),
    (
        "distance",
        "The scores are negative squared distances.",
        "Your scores are distances: take dot products.",
        {"product": "distance"},
    ),
    (
        "absolute",
        "The scores lose their sign.",
        "Negative scores count as positive ones: leave out the absolute value.",
        {"product": "absolute"},
    ),
    (
        "whole-scores",
        "The scores are stored as whole numbers.",
        "Your scores are cut to whole numbers: store them in an array of floats.",
        {"product": "whole"},
    ),
    (
        "query-with-itself",
        "The queries are compared with each other.",
        "You compare the queries with each other: the key is not used.",
        {"product": "query query"},
    ),
    (
        "key-with-itself",
        "The keys are compared with each other.",
        "You compare the keys with each other: the query is not used.",
        {"product": "key key"},
    ),
)
