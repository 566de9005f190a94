"""Which known mistake behaves like an answer that draws random numbers?

Numbers drawn in another order differ, but their averages do not: a fingerprint is the
mean and spread of what a function returns over many calls, at several arguments.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tutor.mistakes.bank import Family, Mistake

CALLS = 100
# Two functions that do the same hardly ever differ by more, in standard errors.
FAR = 5.0

Draw = Callable[[Callable, np.random.Generator], np.ndarray]


def nearest(answer: Callable, known: Family, draws: tuple[Draw, ...]) -> Mistake | None:
    """Return the known mistake that behaves most like the answer, if one does.

    Args:
        answer: the function that is wrong.
        known: the mistakes to compare with.
        draws: calls of a function with a generator, each returning one row of numbers for
            every call it makes.
    """
    theirs = _samples(answer, draws, 0)
    distances = [_distance(theirs, _of_mistake(mistake, draws)) for mistake in known.mistakes]
    best = int(np.argmin(distances))
    return known.mistakes[best] if np.isfinite(distances[best]) else None


_KNOWN: dict[tuple, list[np.ndarray] | None] = {}


def _of_mistake(mistake: Mistake, draws: tuple[Draw, ...]) -> list[np.ndarray] | None:
    """Return a mistake's samples, drawn once: it never changes."""
    key = mistake.variant, mistake.id
    if key not in _KNOWN:
        _KNOWN[key] = _samples(mistake, draws, CALLS)
    return _KNOWN[key]


def _samples(
    function: Callable, draws: tuple[Draw, ...], first_seed: int
) -> list[np.ndarray] | None:
    samples, seeds = [], range(first_seed, first_seed + CALLS)
    for draw in draws:
        try:
            rows = [row for seed in seeds for row in draw(function, np.random.default_rng(seed))]
            values = np.array(rows, dtype=np.float64)
        except Exception:  # noqa: BLE001 - an answer, or a mistake, may raise anything
            return None
        # Roots, since a variance of few numbers has a long tail.
        samples.append(np.sign(values) * np.sqrt(np.abs(values)))
    return samples


def _distance(left: list[np.ndarray] | None, right: list[np.ndarray] | None) -> float:
    """Return how far means and spreads are apart, in standard errors, root mean square."""
    if left is None or right is None:
        return np.inf
    gaps = []
    for one, other in zip(left, right, strict=True):
        if np.isnan(one).all() and np.isnan(other).all():
            continue
        if one.shape != other.shape or not (np.isfinite(one).all() and np.isfinite(other).all()):
            return np.inf
        spread = np.sqrt((one.var(axis=0) + other.var(axis=0)) / 2)
        # What does not vary must be the same number.
        error = spread * np.sqrt(2 / len(one)) + 1e-6 * np.abs(other).max() + 1e-12
        gaps.append((one.mean(axis=0) - other.mean(axis=0)) / error)
        gaps.append((one.std(axis=0) - other.std(axis=0)) / error)
    gaps = np.concatenate([np.ravel(gap) for gap in gaps] or [[np.inf]])
    return np.inf if np.abs(gaps).max() > FAR else float(np.sqrt((gaps**2).mean()))
