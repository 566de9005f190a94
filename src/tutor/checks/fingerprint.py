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
    gaps: dict[str, list[np.ndarray]] = {mistake.id: [] for mistake in known.mistakes}
    for draw in draws:
        theirs = _sample(answer, draw, 0)
        if theirs is None:
            return None
        # One that is far off in one draw is not asked for the next.
        for mistake in (m for m in known.mistakes if m.id in gaps):
            gap = _gap(theirs, _of_mistake(mistake, draw))
            if gap is None:
                del gaps[mistake.id]
            else:
                gaps[mistake.id].append(gap)
    joined = {mistake_id: np.concatenate(gap) for mistake_id, gap in gaps.items()}
    sizes = {i: np.sqrt((gap**2).mean()) for i, gap in joined.items() if gap.size}
    return known[min(sizes, key=sizes.__getitem__)] if sizes else None


# Samples of mistakes, which never change.
KNOWN: dict[tuple, np.ndarray | None] = {}


def _of_mistake(mistake: Mistake, draw: Draw) -> np.ndarray | None:
    """Return a mistake's sample, drawn once."""
    key = mistake.variant, mistake.id, draw
    if key not in KNOWN:
        KNOWN[key] = _sample(mistake, draw, CALLS)
    return KNOWN[key]


def _sample(function: Callable, draw: Draw, first_seed: int) -> np.ndarray | None:
    seeds = range(first_seed, first_seed + CALLS)
    try:
        rows = [row for seed in seeds for row in draw(function, np.random.default_rng(seed))]
        values = np.array(rows, dtype=np.float64)
    except Exception:  # noqa: BLE001 - an answer, or a mistake, may raise anything
        return None
    # Roots, since a variance of few numbers has a long tail.
    return np.sign(values) * np.sqrt(np.abs(values))


def _gap(one: np.ndarray, other: np.ndarray | None) -> np.ndarray | None:
    """Return how far means and spreads are apart, in standard errors; None if too far."""
    if other is None:
        return None
    if np.isnan(one).all() and np.isnan(other).all():
        return np.zeros(0)
    if one.shape != other.shape or not (np.isfinite(one).all() and np.isfinite(other).all()):
        return None
    spread = np.sqrt((one.var(axis=0) + other.var(axis=0)) / 2)
    # What does not vary must be the same number.
    error = spread * np.sqrt(2 / len(one)) + 1e-6 * np.abs(other).max() + 1e-12
    means, spreads = one.mean(axis=0) - other.mean(axis=0), one.std(axis=0) - other.std(axis=0)
    gap = np.ravel([means / error, spreads / error])
    return None if np.abs(gap).max() > FAR else gap
