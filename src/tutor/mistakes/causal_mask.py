"""Mistakes of the causal mask."""

from __future__ import annotations

import numpy as np

from tutor.mistakes import mask_steps
from tutor.mistakes.bank import family

# Shared with attention, which builds a causal mask of its own.
CAUSAL = (
    (
        "causal-top-left",
        "The causal mask is aligned top-left.",
        "Your causal mask puts the first query on the first key: the last query sits on the "
        "last key, so query i sees the keys up to i + n_k - n_q.",
        "top left",
    ),
    (
        "causal-strict",
        "A query does not see its own position.",
        "Your causal mask leaves out a query's own position: allow j == i + n_k - n_q.",
        "strict",
    ),
    (
        "causal-one-ahead",
        "A query sees one key of the future.",
        "Your causal mask shows each query one key too many.",
        "one ahead",
    ),
    (
        "causal-upper",
        "Queries see the future and not the past.",
        "Your causal mask keeps the upper triangle: keep the lower one (np.tril).",
        "upper",
    ),
    (
        "causal-strict-upper",
        "Queries see only the future: blocked and allowed are exchanged.",
        "Your causal mask is True where it should be False: True means may attend.",
        "strict upper",
    ),
    (
        "causal-upper-top-left",
        "Queries see the future, aligned top-left.",
        "Your causal mask keeps the upper triangle, and from the top left: keep the keys "
        "j <= i + n_k - n_q.",
        "upper top left",
    ),
    (
        "causal-strict-upper-top-left",
        "Blocked and allowed are exchanged, aligned top-left.",
        "Your causal mask is True where it should be False, and aligned top-left: keep the "
        "keys j <= i + n_k - n_q.",
        "strict upper top left",
    ),
    (
        "causal-strict-top-left",
        "A query does not see its own position, aligned top-left.",
        "Your causal mask is aligned top-left and leaves out the diagonal: keep the keys "
        "j <= i + n_k - n_q.",
        "strict top left",
    ),
    (
        "causal-one-ahead-top-left",
        "A query sees one key of the future, aligned top-left.",
        "Your causal mask is aligned top-left and one key too wide: keep the keys "
        "j <= i + n_k - n_q.",
        "one ahead top left",
    ),
    (
        "causal-wrong-way",
        "The causal mask is shifted the wrong way.",
        "Your causal mask is shifted by n_q - n_k: the shift is n_k - n_q.",
        "wrong way",
    ),
    (
        "causal-by-distance",
        "The shift is the absolute difference of n_k and n_q.",
        "With more queries than keys your first rows see keys: they should see nothing.",
        "by distance",
    ),
    (
        "causal-never-empty",
        "The shift is never below 0.",
        "With more queries than keys your mask is aligned top-left: its first rows should "
        "be empty.",
        "never below zero",
    ),
    (
        "causal-first-key-for-all",
        "The first key is open to every query.",
        "With more queries than keys your first rows see the first key: they should see nothing.",
        "first key for all",
    ),
    (
        "causal-diagonal",
        "A query sees its own position only.",
        "Your causal mask keeps the diagonal alone: all earlier keys belong to it too.",
        "diagonal",
    ),
    (
        "causal-all",
        "Every query sees every key.",
        "Your causal mask blocks nothing.",
        "all",
    ),
    (
        "causal-flipped",
        "The triangle is mirrored.",
        "Your causal mask is mirrored: query i sees the first keys, up to i + n_k - n_q.",
        "flipped",
    ),
)


def causal_mask(n_q, n_k, *, how="right", size="asked", result="boolean"):
    """Return the causal mask, made wrong by the knobs that are turned."""
    n_q, n_k = {
        "asked": (n_q, n_k),
        "turned": (n_k, n_q),
        "square of queries": (n_q, n_q),
        "square of keys": (n_k, n_k),
    }[size]
    mask = mask_steps.causal(n_q, n_k, how)
    if result == "added":
        return np.where(mask, 0.0, -np.inf)
    return mask.astype(float) if result == "numbers" else mask


FAMILY = family(
    "causal_mask",
    causal_mask,
    *((name, sentence, hint, {"how": how}) for name, sentence, hint, how in CAUSAL),
    (
        "axes-exchanged",
        "Rows belong to the keys, and columns to the queries.",
        "The mask is (n_q, n_k): a row for each query.",
        {"size": "turned"},
    ),
    (
        "square-of-queries",
        "The mask is (n_q, n_q).",
        "The mask has a column for each key: (n_q, n_k).",
        {"size": "square of queries"},
    ),
    (
        "square-of-keys",
        "The mask is (n_k, n_k).",
        "The mask has a row for each query: (n_q, n_k).",
        {"size": "square of keys"},
    ),
    (
        "mask-of-numbers",
        "The mask holds 0 and 1.",
        "The mask holds numbers: make it boolean, for example with a comparison or dtype=bool.",
        {"result": "numbers"},
    ),
    (
        "mask-to-add",
        "The mask holds 0 and -inf, to be added.",
        "The mask is to be boolean: True where a query may attend.",
        {"result": "added"},
    ),
)
