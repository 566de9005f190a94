"""Amounts with prefixes: FLOPs in powers of 1000, bytes in powers of 1024, and times.

units.mjs writes the same.
"""

from __future__ import annotations

from tutor.widgets.drawing import significant

SI = ("", "k", "M", "G", "T", "P", "E", "Z")
IEC = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def flops(count: int) -> str:
    """Return a count of operations, as 8.59 GFLOP: G is 10^9."""
    return _prefixed(count, 1000, SI, "FLOP")


def bytes_(count: int) -> str:
    """Return a count of bytes, as 4.00 GiB: Gi is 2^30."""
    return _prefixed(count, 1024, IEC, "bytes" if count < 1024 else "B")


def seconds(time: float) -> str:
    """Return a time in µs, ms or s."""
    for unit, length in (("s", 1.0), ("ms", 1e-3)):
        if time >= length:
            return f"{significant(time / length, 3)} {unit}"
    return f"{significant(time * 1e6, 3)} µs"


def _prefixed(count: int, base: int, prefixes: tuple[str, ...], unit: str) -> str:
    power = 0
    while count >= base ** (power + 1) and power < len(prefixes) - 1:
        power += 1
    figures = 3 if power else 1
    return f"{significant(count / base**power, figures)} {prefixes[power]}{unit}"
