"""Mutation testing of the hidden tests: which small changes of right answers slip through?

Usage: python -m tests.mutation.run [--sample N]. For every function, mutants of the model
answer and of two other right answers run against the set's graded cells. A survivor is
called equivalent only after 1,000 random cases over every promise, and is listed.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from unittest import mock

import numpy as np
import torch
from scipy.stats import ks_2samp
from tests.mutation.mutants import mutants
from tests.mutation.random_cases import DRAWS, RANDOM_CASES
from tests.problem_sets import FAMILIES, ProblemSet, lost, right_answers

import tutor.checks
from tutor.checks import experiments
from tutor.checks.calls import outcome, silence, truth
from tutor.checks.problems import PROBLEMS

RANDOM = 1000
OTHERS = 2
# Enough for any right answer; a mutant that takes longer is killed.
SECONDS = 5.0


@dataclass
class Tally:
    """What became of one function's mutants."""

    made: int = 0
    killed: int = 0
    equivalent: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share killed among those that are not equivalent."""
        wrong = self.killed + len(self.survived)
        return self.killed / wrong if wrong else 1.0


def main() -> None:
    """Run all mutants, or a sample of each answer's, and print what became of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=None, help="mutants of each answer")
    parser.add_argument("functions", nargs="*", help="only these")
    options = parser.parse_args()
    total = Tally()
    for name, function in FAMILIES:
        if options.functions and function not in options.functions:
            continue
        started = time.monotonic()
        tally = study(name, function, options.sample)
        for part in ("made", "killed", "equivalent", "survived"):
            setattr(total, part, getattr(total, part) + getattr(tally, part))
        report(f"{name} {function}", tally, time.monotonic() - started)
    report("all", total)
    sys.exit(total.share < 0.95)


def report(label: str, tally: Tally, seconds: float | None = None) -> None:
    """Print one line, and the names of those that were not killed."""
    timing = "" if seconds is None else f", {seconds:.0f} s"
    print(
        f"{label}: {tally.made} mutants, {tally.killed} killed, "
        f"{len(tally.equivalent)} equivalent, {len(tally.survived)} survived, "
        f"{tally.share:.1%} of the wrong ones killed{timing}",
        flush=True,
    )
    if seconds is not None:
        for kind in ("equivalent", "survived"):
            for mutant in getattr(tally, kind):
                print(f"    {kind}: {mutant}")


def study(name: str, function: str, sample: int | None = None) -> Tally:
    """Run the mutants of one function's answers."""
    problem_set = ProblemSet(name)
    answers = {"model": problem_set.answers[function]}
    styles = list(right_answers(name)[function].items())
    answers.update(styles[:OTHERS])
    tally = Tally()
    with _without_hints():
        for style, source in answers.items():
            for label, mutant in _chosen(mutants(source, function), sample):
                tally.made += 1
                if _is_killed(problem_set, function, mutant):
                    tally.killed += 1
                elif _is_right(problem_set, name, function, source, mutant):
                    tally.equivalent.append(f"{style}, {label}")
                else:
                    tally.survived.append(f"{style}, {label}")
    return tally


def _chosen(made: list, sample: int | None) -> list:
    if sample is None or sample >= len(made):
        return made
    picks = np.random.default_rng(len(made)).permutation(len(made))[:sample]
    return [made[i] for i in sorted(picks)]


@contextlib.contextmanager
def _without_hints() -> Iterator[None]:
    """Leave out the search for a hint: only right and wrong matter here."""
    with (
        mock.patch.object(tutor.checks, "hint", lambda *_: ""),
        mock.patch.object(experiments, "nearest", lambda *_: None),
    ):
        yield


class _TooLong(BaseException):
    """A mutant does not come to an end."""


def _is_killed(problem_set: ProblemSet, function: str, mutant: str) -> bool:
    graded = [cell for cell in problem_set.checks(function) if not cell.endswith("-check")]
    return any(_fails(problem_set, function, mutant, cell) for cell in graded)


def _fails(problem_set: ProblemSet, function: str, mutant: str, cell: str) -> bool:
    try:
        with _time_limit(), silence():
            return lost(problem_set.run({function: mutant}, only=[cell])) > 0
    except (_TooLong, SyntaxError):
        return True


@contextlib.contextmanager
def _time_limit(seconds: float = SECONDS) -> Iterator[None]:
    def stop(*_) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _is_right(problem_set: ProblemSet, name: str, function: str, source: str, mutant: str) -> bool:
    """Say whether a survivor is right in 1,000 random cases over every promise."""
    space = problem_set.space()
    changed = _defined(mutant, function, dict(space))
    rng = np.random.default_rng(0)
    try:
        with silence():
            if (name, function) in RANDOM_CASES:
                problem, draw = RANDOM_CASES[name, function]
                return all(_agrees(PROBLEMS[problem], changed, draw(rng)) for _ in range(RANDOM))
            original = _defined(source, function, dict(space))
            return all(_alike(original, changed, draw) for draw in DRAWS[function])
    except _TooLong:
        return False


def _agrees(problem, changed: Callable, one) -> bool:
    with _time_limit():
        first, second = (outcome(problem, changed, one) for _ in range(2))
        right = truth(problem, one)
        return right.holds(first) and right.holds(second)


def _alike(original: Callable, changed: Callable, draw: Callable) -> bool:
    """Say whether two functions draw from one distribution, by 1,000 calls of each."""
    samples = []
    for first, one in enumerate((original, changed)):
        try:
            seeds = range(first * RANDOM, (first + 1) * RANDOM)
            with _time_limit(10 * SECONDS):
                values = [np.ravel(draw(one, np.random.default_rng(seed))) for seed in seeds]
            samples.append(np.array(values, dtype=float))
        except Exception:  # noqa: BLE001 - a mutant may raise anything
            return False
    left, right = samples
    if left.shape != right.shape or not np.isfinite(right).all():
        return False
    return all(ks_2samp(*both).pvalue > 1e-3 for both in zip(left.T, right.T, strict=True))


def _defined(source: str, function: str, space: dict) -> Callable:
    exec(source, space)
    return space[function]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    main()
