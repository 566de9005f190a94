"""Mistakes of counting the bytes of keys and values."""

from __future__ import annotations

from collections.abc import Callable

from tutor.mistakes.bank import family

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


FAMILY = family(
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
