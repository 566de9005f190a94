"""From wrong numbers to a hint: which known mistake gives the very same ones?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tutor.checks.calls import Case, Outcome, Truth, silence
from tutor.checks.candidates import likely_pairs, that_give
from tutor.checks.problems import Problem
from tutor.mistakes.bank import Mistake

OF_FAULTS = {
    "unwritten": "Replace `raise NotImplementedError` by your code.",
    "changed": "Work on a new array: `x -= ...` and `x[...] = ...` write into the caller's "
    "array, `x = x - ...` does not.",
    "unsteady": "Called twice with the same arguments, it gives two results: does it keep "
    "something from the call before?",
    "type": "Return what the text above asks for, as an array, a list or a tensor.",
}


@dataclass(frozen=True)
class Record:
    """One case: what is right and what the answer gave."""

    case: Case
    truth: Truth
    got: Outcome

    @property
    def is_right(self) -> bool:
        """Say whether the answer is right here."""
        return self.truth.holds(self.got)

    @property
    def size(self) -> int:
        """How many numbers the right results hold."""
        return sum(array.size for array in self.truth.arrays)


def hint(problem: Problem, records: list[Record]) -> str:
    """Return one hint on what is wrong, the most telling that can be found."""
    wrong = [record for record in records if not record.is_right]
    first = wrong[0]
    if first.got.fault in ("unwritten", "unsteady"):
        return OF_FAULTS[first.got.fault]
    mistake = known_mistake(problem, records)
    if mistake is not None:
        return mistake.hint
    return OF_FAULTS.get(first.got.fault) or symptom(problem, wrong)


def known_mistake(problem: Problem, records: list[Record]) -> Mistake | None:
    """Return the first known mistake, or pair of them, that does what the answer did.

    It must do so in every case: where the answer is right, the mistake must not show.
    """
    # A wrong case tells most candidates apart, and the smallest soonest: it comes first.
    first, *others = sorted(records, key=lambda record: (record.is_right, record.size))
    with silence():
        found = _first_that_fits(problem, problem.known.mistakes, first, others)
        # There are thousands of pairs; without numbers to compare none stands out.
        if found is None and first.got.arrays is not None:
            found = _first_that_fits(problem, likely_pairs(problem), first, others)
    return found


def _first_that_fits(
    problem: Problem, candidates: Sequence[Mistake], first: Record, others: list[Record]
) -> Mistake | None:
    found = that_give(problem, candidates, first.case, first.got, first.truth.tolerances)
    for mistake in found:
        if all(_does_the_same(problem, mistake, record) for record in others):
            return mistake
    return None


def _does_the_same(problem: Problem, mistake: Mistake, record: Record) -> bool:
    found = that_give(problem, (mistake,), record.case, record.got, record.truth.tolerances)
    return next(found, None) is not None


def symptom(problem: Problem, wrong: list[Record]) -> str:
    """Return a hint that needs no known mistake, only the results and what is right."""
    record = wrong[0]
    if record.got.arrays is None:
        return ""
    for name, got, right in zip(
        problem.results, record.got.arrays, record.truth.arrays, strict=True
    ):
        if got.shape != right.shape:
            return f"Look at the shapes: {name} should have {_axes(right.ndim)}."
        if np.isnan(got).any():
            return "NaN comes from inf - inf, inf / inf or 0 / 0: does something overflow?"
        if np.isinf(got).any():
            return "Something overflows, or is divided by 0."
    return _of_attention(problem, record) or _of_factor(wrong)


def _axes(ndim: int) -> str:
    return {0: "no axis: one number", 1: "one axis"}.get(ndim, f"{ndim} axes")


def _of_attention(problem: Problem, record: Record) -> str:
    if problem.results != ("output", "weights"):
        return ""
    weights, right = record.got.arrays[1], record.truth.arrays[1]
    sums_are_right = np.allclose(weights.sum(axis=-1), right.sum(axis=-1), rtol=0, atol=1e-4)
    output_is_right, weights_are_right = (
        record.truth.close((one,), (other,))
        for one, other in zip(record.got.arrays, record.truth.arrays, strict=True)
    )
    if weights_are_right:
        return "The weights are right, the output is not: it is weights @ value."
    if output_is_right:
        return "The output is right, the weights that you return are not."
    if not sums_are_right:
        return "Rows of the weights do not sum to 1: look at the softmax and its axis."
    return "Rows of the weights sum to 1, so look at the scores: product, scale and mask."


def _of_factor(wrong: list[Record]) -> str:
    """Tell a common factor; with fewer than two numbers it would tell what is right."""
    pairs = [
        (record.got.arrays[0], record.truth.arrays[0]) for record in wrong if record.got.arrays
    ]
    if any(got.shape != right.shape for got, right in pairs):
        return ""
    got, right = (np.concatenate([np.ravel(a) for a in side]) for side in zip(*pairs, strict=True))
    top = np.abs(right).argmax() if right.size else 0
    if not np.isfinite(got).all() or len(np.unique(np.abs(right))) < 2:
        return ""
    factor = float(got[top] / right[top])
    if factor and np.allclose(got, factor * right, rtol=1e-6, atol=1e-6 * abs(got[top])):
        return f"Your numbers are the right ones times {factor:.4g}."
    return ""
