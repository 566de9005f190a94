"""Mistakes of counting attention's FLOPs."""

from __future__ import annotations

from collections.abc import Callable

from tutor.mistakes.bank import family

# FLOPs of the core, from batch b, sequence s and model size d.
FLOPS: dict[str, Callable] = {
    "right": lambda b, s, d: 4 * b * s * s * d,
    "one product": lambda b, s, d: 2 * b * s * s * d,
    "one product single": lambda b, s, d: b * s * s * d,
    "no batch": lambda b, s, d: 4 * s * s * d,
    "linear": lambda b, s, d: 4 * b * s * d,
    "d squared": lambda b, s, d: 4 * b * s * s * d * d,
    "projections": lambda b, s, d: 4 * b * s * s * d + 8 * b * s * d * d,
    "projections only": lambda b, s, d: 8 * b * s * d * d,
    "softmax": lambda b, s, d: 4 * b * s * s * d + 3 * b * s * s,
    "softmax five": lambda b, s, d: 4 * b * s * s * d + 5 * b * s * s,
    "scaling": lambda b, s, d: 4 * b * s * s * d + b * s * s,
    "exact adds": lambda b, s, d: b * s * s * (2 * d - 1) + b * s * d * (2 * s - 1),
    "causal": lambda b, s, d: 2 * b * s * (s + 1) * d,
    "doubled": lambda b, s, d: 8 * b * s * s * d,
    "three": lambda b, s, d: 3 * b * s * s * d,
    "six": lambda b, s, d: 6 * b * s * s * d,
    "batch squared": lambda b, s, d: 4 * b * b * s * s * d,
    "swapped": lambda b, s, d: 4 * b * s * d * d,
    "float32": lambda b, s, d: 4 * b * s * s * d * (1 + 2.0**-20),
    "giga": lambda b, s, d: 4 * b * s * s * d / 1e9,
    "cubed": lambda b, s, d: 4 * b * s**3 * d,
}


def attention_flops(batch, seq, d_model, *, count="right"):
    """Return the FLOPs of the two products, made wrong by the knob."""
    return FLOPS[count](batch, seq, d_model)


FAMILY = family(
    "attention_flops",
    attention_flops,
    *(
        (name, sentence, hint, {"count": count})
        for name, sentence, hint, count in (
            (
                "multiply-add-as-one",
                "One product is missing, or a multiply-add counts as 1.",
                "Your count is half: there are two products, and a multiply-add counts as 2.",
                "one product",
            ),
            (
                "one-product-multiply-add-as-one",
                "One product is missing, and a multiply-add counts as 1.",
                "Your count is a quarter: there are two products, and a multiply-add counts as 2.",
                "one product single",
            ),
            (
                "no-batch",
                "The batch is forgotten.",
                "The batch is missing: every sequence costs as much.",
                "no batch",
            ),
            (
                "linear",
                "The sequence length counts once.",
                "Every query meets every key: the length counts squared.",
                "linear",
            ),
            (
                "cubed",
                "The sequence length counts cubed.",
                "The length counts squared: each product is seq by seq by d_model.",
                "cubed",
            ),
            (
                "d-squared",
                "d_model counts squared.",
                "Each of the two products sums over d_model once.",
                "d squared",
            ),
            (
                "swapped",
                "seq and d_model are exchanged.",
                "The length counts squared and d_model once: yours is the other way round.",
                "swapped",
            ),
            (
                "with-projections",
                "The projections are counted too.",
                "Count the two products only, without the four projections.",
                "projections",
            ),
            (
                "projections-only",
                "The projections are counted, and not the products.",
                "That is the cost of the projections: count query @ key^T and weights @ value.",
                "projections only",
            ),
            (
                "with-softmax",
                "The softmax is counted too, at 3 a score.",
                "Count the two products only, without the softmax.",
                "softmax",
            ),
            (
                "with-softmax-of-five",
                "The softmax is counted too, at 5 a score.",
                "Count the two products only, without the softmax.",
                "softmax five",
            ),
            (
                "with-scaling",
                "The scaling is counted too.",
                "Count the two products only, without the scaling.",
                "scaling",
            ),
            (
                "one-addition-less",
                "A sum of n terms is counted as n - 1 additions.",
                "A multiply-add counts as 2, so a dot product of n terms costs 2 n.",
                "exact adds",
            ),
            (
                "causal",
                "Only the causal half is counted.",
                "Count all scores, not only the causal ones.",
                "causal",
            ),
            (
                "doubled",
                "The count is doubled.",
                "Your count is twice the right one: is the 2 of the multiply-add in it twice?",
                "doubled",
            ),
            (
                "three",
                "The factor is 3.",
                "Two products of 2 batch seq^2 d_model make a factor of 4.",
                "three",
            ),
            (
                "six",
                "Three products are counted.",
                "There are two products: query @ key^T and weights @ value.",
                "six",
            ),
            (
                "batch-squared",
                "The batch counts squared.",
                "The batch counts once: sequences do not meet each other.",
                "batch squared",
            ),
            (
                "giga",
                "The count is in billions.",
                "Return FLOPs, not GFLOPs.",
                "giga",
            ),
            (
                "inexact",
                "The count is rounded.",
                "Your count is not exact: multiply whole numbers.",
                "float32",
            ),
        )
    ),
)
