"""What many known mistakes give for one case, side by side, to find those that fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from tutor.checks.calls import Case, Outcome, attempt
from tutor.checks.problems import Problem
from tutor.checks.values import agreeing
from tutor.mistakes.bank import Mistake

# A family of a hundred mistakes has thousands of pairs, and trying them all takes seconds.
MOST_PAIRS = 800
# So many are tried before the first that fits is returned.
_BLOCK = 50


@lru_cache
def likely_pairs(problem: Problem) -> tuple[Mistake, ...]:
    """Return pairs of the known mistakes of a problem, the likelier first."""
    return tuple(islice(problem.known.pairs(), MOST_PAIRS))


def that_give(
    problem: Problem,
    candidates: Sequence[Mistake],
    case: Case,
    got: Outcome,
    tolerances: Sequence[float],
) -> Iterator[Mistake]:
    """Yield the candidates that give what an answer gave for a case.

    Args:
        problem: which function they get wrong.
        candidates: mistakes, or pairs; one of the tuples that ``problem`` has of them.
        case: the call.
        got: what came of it.
        tolerances: how far off each result may be.
    """
    for start in range(0, len(candidates), _BLOCK):
        block = tuple(candidates[start : start + _BLOCK])
        outcomes = _Outcomes.of(problem, block, case.content)
        yield from (block[index] for index in outcomes.like(got, tolerances))


class _Outcomes:
    """The outcomes of some mistakes for one case, numbers of equal shapes stacked."""

    def __init__(self, outcomes: list[Outcome]):
        self._by_fault: dict[tuple[str, str], list[int]] = {}
        self._by_shapes: dict[tuple, list[int]] = {}
        for index, made in enumerate(outcomes):
            self._by_fault.setdefault(_kind(made), []).append(index)
            if made.arrays is not None:
                self._by_shapes.setdefault(_shapes(made), []).append(index)
        self._stacks = {
            shapes: [
                np.stack([outcomes[index].arrays[i] for index in indices])
                for i in range(len(shapes))
            ]
            for shapes, indices in self._by_shapes.items()
        }

    @staticmethod
    @lru_cache(maxsize=1024)  # hidden cases come again with every student
    def of(problem: Problem, mistakes: tuple[Mistake, ...], content: bytes) -> _Outcomes:
        case = Case.of(content)
        return _Outcomes([attempt(problem, mistake, case) for mistake in mistakes])

    def like(self, got: Outcome, tolerances: Sequence[float]) -> list[int]:
        """Return the places of those that an outcome could be one of."""
        alike = self._by_fault.get(_kind(got), [])
        if got.arrays is None or not alike:
            return alike
        shapes = _shapes(got)
        numbers = self._by_shapes.get(shapes, [])
        fits = np.ones(len(numbers), dtype=bool)
        for stack, expected, tolerance in zip(
            self._stacks.get(shapes, ()), got.arrays, tolerances, strict=False
        ):
            fits &= agreeing(stack, expected, tolerance)
        near = {index for index, fit in zip(numbers, fits, strict=True) if fit}
        return [index for index in alike if index in near]


def _kind(made: Outcome) -> tuple[str, str]:
    """Return what two outcomes must share. Which exception it is depends on the library."""
    return made.fault, "" if made.fault == "raised" else made.brief


def _shapes(made: Outcome) -> tuple[tuple[int, ...], ...]:
    return tuple(array.shape for array in made.arrays)
