"""Mistakes of the masks themselves, causal and padding."""

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


CAUSAL_MASK = family(
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


# Whether key j of a sequence of that length counts.
PADDINGS = {
    "right": lambda j, length, n_k: j < length,
    "inverted": lambda j, length, n_k: j >= length,
    "one more": lambda j, length, n_k: j <= length,
    "one less": lambda j, length, n_k: j < length - 1,
    "left": lambda j, length, n_k: j >= n_k - length,
    "left inverted": lambda j, length, n_k: j < n_k - length,
    "after": lambda j, length, n_k: j > length,
    "last only": lambda j, length, n_k: j == length - 1,
    "all": lambda j, length, n_k: j >= 0 * length,
}


def padding_mask(lengths, n_k, *, how="right", axes="query", length="own", result="boolean"):
    """Return the padding mask, made wrong by the knobs that are turned."""
    lengths = np.asarray(lengths)
    if length == "first":
        lengths = np.full_like(lengths, lengths.flat[0])
    if length == "longest":
        lengths = np.full_like(lengths, lengths.max())
    if length == "shortest":
        lengths = np.full_like(lengths, lengths.min())
    n_k = lengths.max() if axes == "longest" else n_k
    mask = PADDINGS[how](np.arange(n_k), lengths[..., None], n_k)
    mask = {
        "query": mask[..., None, :],
        "longest": mask[..., None, :],
        "none": mask,
        "key first": mask[..., :, None],
        "heads too": mask[..., None, None, :],
        "square": np.broadcast_to(mask[..., None, :], (*mask.shape[:-1], n_k, n_k)),
        "in front": mask[None],
    }[axes]
    return mask.astype(float) if result == "numbers" else mask


PADDING_MASK = family(
    "padding_mask",
    padding_mask,
    *(
        (name, sentence, hint, {"how": how})
        for name, sentence, hint, how in (
            (
                "padding-inverted",
                "True marks the padding.",
                "Your mask is True at the padding: True means may attend.",
                "inverted",
            ),
            (
                "padding-one-more",
                "One key of the padding counts.",
                "Your mask allows one key too many: the first `length` keys are 0 to length - 1.",
                "one more",
            ),
            (
                "padding-one-less",
                "The last real key does not count.",
                "Your mask allows one key too few: the last real key is at length - 1.",
                "one less",
            ),
            (
                "padding-left",
                "The padding is taken to stand in front.",
                "Your mask allows the last keys: the padding stands behind the first `length`.",
                "left",
            ),
            (
                "padding-left-inverted",
                "The keys are counted from the end, and blocked.",
                "Your mask counts keys from the end: the first `length` may be seen.",
                "left inverted",
            ),
            (
                "padding-after",
                "Only keys behind the length count.",
                "Your mask is True behind the length: True means may attend.",
                "after",
            ),
            (
                "padding-last-only",
                "Only the last real key counts.",
                "Your mask allows the key at length - 1 alone: use <, not ==.",
                "last only",
            ),
            (
                "padding-nothing",
                "No key is blocked.",
                "Your mask blocks nothing.",
                "all",
            ),
        )
    ),
    *(
        (name, sentence, hint, {"axes": axes})
        for name, sentence, hint, axes in (
            (
                "no-query-axis",
                "The axis of the queries is missing.",
                "The mask needs an axis of size 1 for the queries: (..., 1, n_k).",
                "none",
            ),
            (
                "key-axis-first",
                "The axis of size 1 stands last.",
                "The axis of size 1 belongs before the keys: (..., 1, n_k).",
                "key first",
            ),
            (
                "head-axis-added",
                "An axis for heads is added.",
                "One axis too many: with heads the caller passes lengths[:, None].",
                "heads too",
            ),
            (
                "mask-square",
                "The mask is (..., n_k, n_k).",
                "The axis of the queries has size 1, and broadcasts: (..., 1, n_k).",
                "square",
            ),
            (
                "axis-in-front",
                "The axis of size 1 stands in front of the batch.",
                "The axis of size 1 stands between batch and keys: (..., 1, n_k).",
                "in front",
            ),
            (
                "longest-as-width",
                "The mask is as wide as the longest sequence.",
                "The mask has n_k columns, also where all sequences are shorter.",
                "longest",
            ),
        )
    ),
    *(
        (name, sentence, hint, {"length": length})
        for name, sentence, hint, length in (
            (
                "first-length-for-all",
                "All sequences get the first one's length.",
                "All sequences get the first one's mask: each has its own length.",
                "first",
            ),
            (
                "longest-for-all",
                "All sequences get the longest one's length.",
                "All sequences get the longest one's mask: each has its own length.",
                "longest",
            ),
            (
                "shortest-for-all",
                "All sequences get the shortest one's length.",
                "All sequences get the shortest one's mask: each has its own length.",
                "shortest",
            ),
        )
    ),
    (
        "mask-of-numbers",
        "The mask holds 0 and 1.",
        "The mask holds numbers: make it boolean, for example with a comparison.",
        {"result": "numbers"},
    ),
)
