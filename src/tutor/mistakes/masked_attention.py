"""Mistakes of attention with masks."""

from __future__ import annotations

import numpy as np

from tutor.mistakes.attention import UNMASKED
from tutor.mistakes.attention_steps import attention
from tutor.mistakes.bank import family
from tutor.mistakes.causal_mask import CAUSAL

POLARITY = (
    (
        "polarity-inverted",
        "True blocks, where it should allow.",
        "You block where the mask says True: True means may attend.",
        {"polarity": "block"},
    ),
    (
        "mask-ignored",
        "attn_mask is not used.",
        "attn_mask changes nothing in your function.",
        {"mask_part": "ignored"},
    ),
)
JOINED = (
    (
        "either-mask",
        "A key counts as soon as one of the two masks allows it.",
        "With both arguments a key must pass both masks: join them with &, not with |.",
        {"joined": "or"},
    ),
    (
        "causal-dropped",
        "is_causal is ignored where there is an attn_mask.",
        "With attn_mask given, your function forgets is_causal: apply both.",
        {"joined": "mask wins"},
    ),
    (
        "mask-dropped",
        "attn_mask is ignored where is_causal is True.",
        "With is_causal=True your function forgets attn_mask: apply both.",
        {"joined": "causal wins"},
    ),
    (
        "masks-differ",
        "A key counts where the two masks differ.",
        "Join the masks with &: ^ keeps the keys on which they differ.",
        {"joined": "xor"},
    ),
)
APPLIED = (
    (
        "mask-multiplied",
        "The scores are multiplied by the mask.",
        "A blocked key with score 0 still gets weight, since exp(0) is 1: set blocked scores "
        "to -inf.",
        {"applied": "multiplied", "empty": "left"},
    ),
    (
        "mask-added",
        "The mask is added to the scores as 0 and 1.",
        "Adding True adds 1 and blocks nothing: set blocked scores to -inf.",
        {"applied": "as numbers", "empty": "left"},
    ),
    (
        "mask-after-softmax",
        "The weights are masked after the softmax.",
        "Your rows of weights sum to less than 1: mask the scores before the softmax.",
        {"applied": "after", "empty": "left"},
    ),
    (
        "mask-after-softmax-renormalised",
        "The weights are masked after the softmax, and divided by their new sum.",
        "Where a blocked key has by far the largest score, nothing is left to divide: mask "
        "the scores before the softmax.",
        {"applied": "after, renormalised"},
    ),
    (
        "zero-scores-blocked",
        "Scores that are 0 are taken for blocked ones.",
        "A score that happens to be 0 is blocked by your function: go by the mask.",
        {"applied": "zeros replaced"},
    ),
    (
        "maximum-of-blocked",
        "The maximum is taken before the mask is applied.",
        "The maximum that you subtract may be that of a blocked key: mask first.",
        {"maximum": "all", "shift": "none"},
    ),
    *(
        (
            f"fill-{name}",
            f"Blocked scores are set to {fill:g}, not to -inf.",
            f"Blocked scores of {fill:g} still compete with the others: use -np.inf.",
            {"fill": fill},
        )
        for name, fill in (
            ("zero", 0.0),
            ("one", -1.0),
            ("ten", -10.0),
            ("hundred", -100.0),
            ("thousand", -1e3),
            ("1e4", -1e4),
            ("1e5", -1e5),
            ("1e6", -1e6),
        )
    ),
    (
        "fill-multiplied",
        "Blocked scores are multiplied by -inf.",
        "A negative score times -inf is +inf: set blocked scores to -inf, do not multiply.",
        {"applied": "times fill"},
    ),
    (
        "fill-plus-infinity",
        "Blocked scores are set to +inf.",
        "Blocked scores need -inf: +inf makes NaN.",
        {"fill": np.inf},
    ),
)
BATCH = tuple(
    (name, sentence, hint, {"batch": batch})
    for name, sentence, hint, batch in (
        (
            "first-mask-for-all",
            "The first batch element's mask is used for all.",
            "All elements of the batch get the first one's mask.",
            "first",
        ),
        (
            "last-mask-for-all",
            "The last batch element's mask is used for all.",
            "All elements of the batch get the last one's mask.",
            "last",
        ),
        (
            "any-mask-for-all",
            "A key counts as soon as one batch element may see it.",
            "You join the masks of the batch: each element has its own.",
            "any",
        ),
        (
            "all-masks-for-all",
            "A key counts only where every batch element may see it.",
            "You join the masks of the batch: each element has its own.",
            "all",
        ),
        (
            "next-mask",
            "Each batch element gets its neighbour's mask.",
            "The masks of the batch are out of step with the scores.",
            "next",
        ),
        (
            "first-head-mask",
            "All heads get the first head's mask.",
            "All heads get the first one's mask: keep the mask's own axes.",
            "first head",
        ),
        (
            "mask-turned",
            "The mask is transposed.",
            "Your mask is used along the wrong axis: its last axis belongs to the keys.",
            "turned",
        ),
        (
            "first-row-for-all",
            "All queries get the first query's mask.",
            "All queries get the first row of the mask: each has its own.",
            "first row",
        ),
        (
            "last-row-for-all",
            "All queries get the last query's mask.",
            "All queries get the last row of the mask: each has its own.",
            "last row",
        ),
        (
            "keys-only",
            "A key is blocked for all queries as soon as it is for one.",
            "Your mask blocks whole keys: each query has a row of its own.",
            "keys only",
        ),
    )
)
EMPTY = (
    (
        "empty-nan",
        "A row without an allowed key becomes NaN.",
        "A row of -inf makes 0 / 0: give zeros where no key is allowed.",
        {"empty": "nan"},
    ),
    (
        "empty-uniform",
        "A row without an allowed key attends to all keys alike.",
        "A row without an allowed key gets the mean of all values: it should give zeros. "
        "That is what a large negative number in place of -inf does.",
        {"empty": "uniform"},
    ),
    (
        "empty-weights",
        "A row without an allowed key has zeros in the output, but weights of 1 / n_k.",
        "A row without an allowed key should have zeros in the weights too.",
        {"empty_returned": "uniform"},
    ),
    (
        "empty-weights-nan",
        "A row without an allowed key has zeros in the output, but NaN as weights.",
        "A row without an allowed key should have zeros in the weights too, not NaN.",
        {"empty_returned": "nan"},
    ),
    (
        "empty-output",
        "A row without an allowed key has weights of 0, but the mean of all values.",
        "A row without an allowed key should have zeros in the output too.",
        {"empty": "uniform", "empty_returned": "zeros"},
    ),
    (
        "empty-output-nan",
        "A row without an allowed key has weights of 0, but an output of NaN.",
        "A row without an allowed key should have zeros in the output too, not NaN.",
        {"empty": "nan", "empty_returned": "zeros"},
    ),
    (
        "empty-ones",
        "A row without an allowed key has weights of 1.",
        "A row without an allowed key should have zeros in weights and output.",
        {"empty": "ones"},
    ),
    (
        "empty-first",
        "A row without an allowed key attends to the first key.",
        "A row without an allowed key should see nothing, not the first key.",
        {"empty": "first"},
    ),
    (
        "empty-last",
        "A row without an allowed key attends to the last key.",
        "A row without an allowed key should see nothing, not the last key.",
        {"empty": "last"},
    ),
)
SHOWN = (
    (
        "unmasked-scores-returned",
        "The scores before masking are returned in place of the weights.",
        "The output is right, but you return the scores: return the weights.",
        {"shown": "unmasked scores"},
    ),
    (
        "mask-changed",
        "attn_mask is inverted in place.",
        "Your function changes `attn_mask`: work on a new array, such as ~attn_mask.",
        {"writes_to": "mask", "polarity": "block"},
    ),
)

FAMILY = family(
    "attention",
    attention,
    *POLARITY,
    *((name, sentence, hint, {"causal_part": how}) for name, sentence, hint, how in CAUSAL),
    *JOINED,
    *EMPTY,
    *APPLIED,
    *BATCH,
    *SHOWN,
    *UNMASKED,
)
