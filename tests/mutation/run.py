"""Mutation testing of the hidden tests: which small changes of right answers slip through?

Usage: python -m tests.mutation.run [--sample N]. For every function, mutants of the model
answer and of two other right answers run against the set's graded cells. A survivor is
called equivalent only after 1,000 random cases over every promise, and is listed. All
processors are used; a table comes last.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, fields
from functools import cache
from unittest import mock

import numpy as np
import torch
from scipy.stats import ks_2samp
from tests.mutation.mutants import mutants
from tests.mutation.random_cases import DRAWS, RANDOM_CASES
from tests.problem_sets import FAMILIES, ProblemSet, lost, right_answers

import tutor.checks
from tutor.checks import experiments
from tutor.checks.calls import Case, attempt, silence, truth
from tutor.checks.problems import PROBLEMS

RANDOM = 1000
OTHERS = 2
# The share of the mutants of each function that the hidden tests have to kill.
WANTED = 0.95
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

    def __add__(self, other: Tally) -> Tally:
        """Return what became of both's mutants."""
        names = [field.name for field in fields(self)]
        return Tally(*(getattr(self, name) + getattr(other, name) for name in names))

    def lines(self) -> list[str]:
        """Return the names of those that were not killed."""
        return [
            f"{kind}: {mutant}"
            for kind in ("equivalent", "survived")
            for mutant in getattr(self, kind)
        ]


def main() -> None:
    """Run all mutants, or a sample of each answer's, and print what became of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int, default=None, help="mutants of each answer")
    parser.add_argument("functions", nargs="*", help="only these")
    options = parser.parse_args()
    chosen = [f for f in FAMILIES if not options.functions or f[1] in options.functions]
    with ProcessPoolExecutor(initializer=_be_quiet) as pool:
        parts = {
            (*function, style): pool.submit(study, *function, options.sample, style)
            for function in chosen
            for style in answers(*function)
        }
        tallies = {function: Tally() for function in chosen}
        for (name, function, style), part in parts.items():
            print(f"{name} {function}, {style} ...", flush=True)
            for line in part.result().lines():
                print(f"    {line}", flush=True)
            tallies[name, function] += part.result()
    sys.exit(not print_table(tallies))


def print_table(tallies: dict[tuple[str, str], Tally]) -> bool:
    """Print a row for each function; say whether each has 95 % of its mutants killed."""
    heads = ("mutants", "killed", "equivalent", "survived")
    print(f"\n{'':38}{''.join(f'{head:>11}' for head in heads)}{'share':>9}")
    total = sum(tallies.values(), Tally())
    for label, tally in {**tallies, ("all", ""): total}.items():
        sizes = (tally.made, tally.killed, len(tally.equivalent), len(tally.survived))
        row = "".join(f"{size:11,}" for size in sizes)
        print(f"{' '.join(label):38}{row}{tally.share:9.1%}")
    print(f"share: of the mutants that are not equivalent, those killed; wanted {WANTED:.0%}")
    return all(tally.share >= WANTED for tally in tallies.values())


def study(name: str, function: str, sample: int | None = None, only: str | None = None) -> Tally:
    """Run the mutants of one function's answers, or of the one that is named."""
    problem_set, tally = ProblemSet(name), Tally()
    with _without_hints():
        for style, source in answers(name, function).items():
            if only not in (None, style):
                continue
            for label, mutant in _chosen(mutants(source, function), sample):
                tally.made += 1
                if _is_killed(problem_set, function, mutant):
                    tally.killed += 1
                elif _is_right(problem_set, name, function, source, mutant):
                    tally.equivalent.append(f"{style}, {label}")
                else:
                    tally.survived.append(f"{style}, {label}")
    return tally


def answers(name: str, function: str) -> dict[str, str]:
    """Return the sources that are changed, by style."""
    styles = list(right_answers(name)[function].items())
    return {"model": ProblemSet(name).answers[function], **dict(styles[:OTHERS])}


def _be_quiet() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)


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
    try:
        with silence():
            if (name, function) in RANDOM_CASES:
                problem = PROBLEMS[RANDOM_CASES[name, function][0]]
                return all(_agrees(problem, changed, one) for one in _cases(name, function))
            original = _defined(source, function, dict(space))
            return all(_alike(original, changed, draw) for draw in DRAWS[function])
    except _TooLong:
        return False


@cache
def _cases(name: str, function: str) -> list[Case]:
    draw, rng = RANDOM_CASES[name, function][1], np.random.default_rng(0)
    return [draw(rng) for _ in range(RANDOM)]


def _agrees(problem, changed: Callable, one) -> bool:
    right = truth(problem, one)
    with _time_limit():
        return all(right.holds(attempt(problem, changed, one)) for _ in range(2))


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
    main()
