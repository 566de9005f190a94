"""Mistakes of counting."""

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


ATTENTION_FLOPS = family(
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


# Bytes of the cache, from layers n, heads h, head size d, length s, batch b, bytes e.
BYTES: dict[str, Callable] = {
    "right": lambda n, h, d, s, b, e: 2 * n * h * d * s * b * e,
    "one of two": lambda n, h, d, s, b, e: n * h * d * s * b * e,
    "no batch": lambda n, h, d, s, b, e: 2 * n * h * d * s * e,
    "no layers": lambda n, h, d, s, b, e: 2 * h * d * s * b * e,
    "no heads": lambda n, h, d, s, b, e: 2 * n * d * s * b * e,
    "no seq": lambda n, h, d, s, b, e: 2 * n * h * d * b * e,
    "no head size": lambda n, h, d, s, b, e: 2 * n * h * s * b * e,
    "elements": lambda n, h, d, s, b, e: 2 * n * h * d * s * b,
    "bits": lambda n, h, d, s, b, e: 16 * n * h * d * s * b * e,
    "seq squared": lambda n, h, d, s, b, e: 2 * n * h * d * s * s * b * e,
    "three": lambda n, h, d, s, b, e: 3 * n * h * d * s * b * e,
    "four": lambda n, h, d, s, b, e: 4 * n * h * d * s * b * e,
    "scores": lambda n, h, d, s, b, e: n * h * s * s * b * e,
    "kibi": lambda n, h, d, s, b, e: 2 * n * h * d * s * b * e / 1024,
    "two bytes": lambda n, h, d, s, b, e: 4 * n * h * d * s * b,
    "sum": lambda n, h, d, s, b, e: 2 * n * (h + d) * s * b * e,
    "one more": lambda n, h, d, s, b, e: 2 * n * h * d * (s + 1) * b * e,
}


def kv_cache_bytes(layers, kv_heads, head_dim, seq, batch, bytes_per_element, *, count="right"):
    """Return the size of the cache, made wrong by the knob."""
    return BYTES[count](layers, kv_heads, head_dim, seq, batch, bytes_per_element)


KV_CACHE_BYTES = family(
    "kv_cache_bytes",
    kv_cache_bytes,
    *(
        (name, sentence, hint, {"count": count})
        for name, sentence, hint, count in (
            (
                "one-of-two",
                "Keys or values are counted, not both.",
                "The cache holds keys and values: a factor of 2 is missing.",
                "one of two",
            ),
            ("no-batch", "The batch is forgotten.", "The batch is missing.", "no batch"),
            (
                "no-layers",
                "The layers are forgotten.",
                "Every layer has a cache of its own.",
                "no layers",
            ),
            (
                "no-heads",
                "The heads are forgotten.",
                "Every key-value head is cached.",
                "no heads",
            ),
            (
                "no-length",
                "The length is forgotten.",
                "That is the size for one token: multiply by seq.",
                "no seq",
            ),
            (
                "no-head-size",
                "The size of a head is forgotten.",
                "A key has head_dim numbers.",
                "no head size",
            ),
            (
                "elements",
                "Numbers are counted, not bytes.",
                "That is how many numbers there are: multiply by bytes_per_element.",
                "elements",
            ),
            ("bits", "Bits are counted.", "Bytes are wanted, not bits.", "bits"),
            (
                "length-squared",
                "The length counts squared.",
                "The cache grows with seq, not with its square: it holds no scores.",
                "seq squared",
            ),
            (
                "three",
                "The queries are counted too.",
                "Queries are not cached: only keys and values are.",
                "three",
            ),
            ("four", "The factor is 4.", "Keys and values make a factor of 2.", "four"),
            (
                "scores",
                "The score matrix is counted.",
                "That is the size of the scores: the cache holds keys and values.",
                "scores",
            ),
            (
                "kibibytes",
                "The size is in kibibytes.",
                "Return bytes, not kibibytes.",
                "kibi",
            ),
            (
                "always-two-bytes",
                "2 bytes a number are assumed.",
                "Use bytes_per_element, not 2.",
                "two bytes",
            ),
            (
                "heads-plus-size",
                "kv_heads and head_dim are added.",
                "kv_heads and head_dim multiply.",
                "sum",
            ),
            (
                "one-token-more",
                "One token too many is counted.",
                "The cache holds seq tokens.",
                "one more",
            ),
        )
    ),
)


CROSSOVERS: dict[str, Callable] = {
    "right": lambda d: 2 * d,
    "d": lambda d: d,
    "four": lambda d: 4 * d,
    "mlp": lambda d: 6 * d,
    "half": lambda d: d / 2,
    "three": lambda d: 3 * d,
    "one and a half": lambda d: 3 * d / 2,
    "squared": lambda d: 2 * d * d,
    "root": lambda d: (2 * d) ** 0.5,
    "off by one": lambda d: 2 * d + 1,
    "one less": lambda d: 2 * d - 1,
    "eight": lambda d: 8 * d,
}


def crossover_length(d_model, *, length="right"):
    """Return where core and projections cost the same, made wrong by the knob."""
    return CROSSOVERS[length](d_model)


CROSSOVER_LENGTH = family(
    "crossover_length",
    crossover_length,
    *(
        (name, sentence, hint, {"length": length})
        for name, sentence, hint, length in (
            (
                "half-as-long",
                "d_model is returned.",
                "Your length is half: 4 b s^2 d equals 8 b s d^2, so what is s?",
                "d",
            ),
            (
                "twice-as-long",
                "4 d_model is returned.",
                "Your length is double: is one of the two products missing from the core?",
                "four",
            ),
            (
                "with-mlp",
                "The MLP is counted too.",
                "That is the crossover with an MLP: count the projections Q, K, V and O only.",
                "mlp",
            ),
            (
                "inverted",
                "The quotient is turned round.",
                "4 b s^2 d = 8 b s d^2: solve for s, with 8 above 4.",
                "half",
            ),
            (
                "six-to-two",
                "The projections are divided by one product only, without O.",
                "Count four projections and two products.",
                "three",
            ),
            (
                "without-output",
                "The output projection is left out.",
                "There are four projections: Q, K, V and O.",
                "one and a half",
            ),
            (
                "squared",
                "d_model counts squared.",
                "One d_model cancels: the length is proportional to it.",
                "squared",
            ),
            (
                "root",
                "The square root is taken.",
                "One s cancels on both sides, so there is no root.",
                "root",
            ),
            (
                "one-more",
                "The first length beyond the crossover is returned.",
                "At the crossover both cost the same: not one token more.",
                "off by one",
            ),
            (
                "one-less",
                "The last length before the crossover is returned.",
                "At the crossover both cost the same: not one token less.",
                "one less",
            ),
            (
                "eight",
                "8 d_model is returned.",
                "Divide the projections' 8 by the core's 4.",
                "eight",
            ),
        )
    ),
)
