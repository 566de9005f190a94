"""Mistakes of the padding mask."""

from __future__ import annotations

import numpy as np

from tutor.mistakes.bank import family

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


FAMILY = family(
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
