"""Arguments to try: sizes from the test, numbers from its generator.

``kind`` says how an array is stored: "float64", "float32", "whole" (int64), "list"
(nested lists of floats), "whole list", "turned" (column by column), "every second"
(entries that lie apart in a larger array).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tutor.checks.calls import Case


def case(*args: Any, **kwargs: Any) -> Case:
    """Return the case of a call with these arguments."""
    return Case(args, kwargs)


def array(
    rng: np.random.Generator, *shape: int, kind: str = "float64", scale: float = 1.0
) -> np.ndarray | list:
    """Return standard normal numbers times ``scale``, stored as ``kind`` says."""
    return stored(scale * rng.normal(size=shape), kind)


def stored(numbers: np.ndarray, kind: str) -> np.ndarray | list:
    """Return the numbers, stored as ``kind`` says; whole ones are rounded doubles of them."""
    if kind.startswith("whole"):
        numbers = np.round(2 * numbers).astype(np.int64)
    if kind.endswith("list"):
        return numbers.tolist()
    if kind == "float32":
        return numbers.astype(np.float32)
    if kind == "turned":
        return np.asfortranarray(numbers)
    if kind == "every second":
        apart = np.zeros((*numbers.shape[:-1], 2 * numbers.shape[-1]))
        apart[..., ::2] = numbers
        return apart[..., ::2]
    return numbers


def far_rows(rng: np.random.Generator, *shape: int, distance: float = 900.0) -> np.ndarray:
    """Return an array whose rows lie ``distance`` and more apart from each other."""
    rows = rng.permutation(shape[-2]) - shape[-2] // 2
    return rng.normal(size=shape) + distance * rows[:, None]


def qkv(
    rng: np.random.Generator,
    *batch: int,
    n_q: int,
    n_k: int,
    d_k: int,
    d_v: int,
    kind: str = "float64",
    scale: float = 1.0,
) -> tuple:
    """Return query, key and value; ``scale`` is that of the query."""
    return (
        array(rng, *batch, n_q, d_k, kind=kind, scale=scale),
        array(rng, *batch, n_k, d_k, kind=kind),
        array(rng, *batch, n_k, d_v, kind=kind),
    )


def attention_case(rng: np.random.Generator, *batch: int, **options: Any) -> Case:
    """Return the case of attention on :func:`qkv` of these sizes.

    Args:
        rng: where the numbers come from.
        batch: sizes of the batch axes.
        options: the sizes and kinds of :func:`qkv`; ``attn_mask`` and ``is_causal`` are
            passed on to the function.
    """
    passed = {name: options.pop(name) for name in ("attn_mask", "is_causal") if name in options}
    return Case(qkv(rng, *batch, **options), passed)


def mask(
    rng: np.random.Generator, *shape: int, keep: float = 0.6, empty: tuple[int, ...] = ()
) -> np.ndarray:
    """Return a boolean mask, True with chance ``keep``, with a key left in every row.

    Args:
        rng: where the choice comes from.
        shape: (..., n_q, n_k), or what broadcasts to it.
        keep: the chance that an entry is True.
        empty: rows, along the second last axis, that are to allow no key.
    """
    allowed = rng.random(size=shape) < keep
    spared = rng.integers(shape[-1], size=(*shape[:-1], 1))
    allowed |= np.arange(shape[-1]) == spared
    if empty:
        allowed[..., list(empty), :] = False
    return allowed


def large_scores(
    rng: np.random.Generator,
    allowed: np.ndarray,
    *batch: int,
    d_k: int,
    d_v: int,
    size: float,
    toward: str,
) -> tuple:
    """Return query, key and value whose scores are as large as about size^2.

    Args:
        rng: where the numbers come from.
        allowed: a mask (n_k,) that says which keys count.
        batch: sizes of the batch axes, then n_q.
        d_k, d_v: sizes of a key and of a value.
        size: of the entries of query and key.
        toward: which keys get the large positive scores, "blocked" or "allowed"; the
            others get large negative ones.
    """
    n_k = allowed.size
    *outer, n_q = batch
    query = size * (0.5 + rng.random(size=(*outer, n_q, d_k)))
    key = size * (0.5 + rng.random(size=(*outer, n_k, d_k)))
    sign = np.where(allowed, 1.0, -1.0) * (1.0 if toward == "allowed" else -1.0)
    return query, key * sign[:, None], rng.normal(size=(*outer, n_k, d_v))
