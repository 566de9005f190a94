"""Scores of a fixed sample: standard normal queries and keys, the same in the page.

sample.mjs draws the very same numbers, so they come from a generator that is small and
defined on 32-bit integers: mulberry32, whose i-th number depends on i and the seed only.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from jaxtyping import Float

QUERIES, KEYS = 64, 64
SEED = 14


@cache
def raw_scores(d_k: int) -> Float[np.ndarray, "64 64"]:
    """Return query @ key^T of vectors of ``d_k`` standard normal entries."""
    # One row of all vectors' entries for each dimension: more dimensions add rows.
    entries = normals(d_k * (QUERIES + KEYS)).reshape(d_k, QUERIES + KEYS)
    scores = entries[:, :QUERIES].T @ entries[:, QUERIES:]
    scores.setflags(write=False)
    return scores


def normals(count: int) -> Float[np.ndarray, " count"]:
    """Return the first standard normal numbers; the count is even (Box and Muller)."""
    first, second = uniforms(count).reshape(-1, 2).T
    radius, angle = np.sqrt(-2 * np.log(first)), 2 * np.pi * second
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()


def uniforms(count: int) -> Float[np.ndarray, " count"]:
    """Return the first numbers of the generator, all between 0 and 1."""
    # On arrays of uint32, sums and products keep the last 32 bits, as is wanted.
    state = np.uint32(SEED) + np.arange(1, count + 1, dtype=np.uint32) * np.uint32(0x6D2B79F5)
    bits = (state ^ (state >> 15)) * (state | 1)
    bits = (bits + (bits ^ (bits >> 7)) * (bits | 61)) ^ bits
    return ((bits ^ (bits >> 14)) + 0.5) / 2**32
