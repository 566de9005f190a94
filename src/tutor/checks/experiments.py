"""Calls of answers that draw random numbers, and what to say when one is wrong."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy import allclose

from tutor.checks.calls import silence
from tutor.checks.fingerprint import Draw, nearest
from tutor.checks.report import failure
from tutor.checks.values import NotNumbers, plain_array, public_name
from tutor.mistakes.bank import Family


class Wrong(Exception):
    """What is wrong with an answer, as fault and hint."""

    def __init__(self, fault: str, hint: str = ""):
        super().__init__(fault)
        self.hint = hint


class Caller:
    """Calls an answer with generators of its own, and reads numbers."""

    def __init__(self, answer: Callable, rng: np.random.Generator):
        self.answer, self.rng = answer, rng

    def array(self, *args: Any, generator: np.random.Generator | None = None, **kwargs: Any):
        """Return the result of one call as an array of float64."""
        if generator is None:
            generator = np.random.default_rng(self.rng.integers(2**63))
        with silence():
            try:
                result = self.answer(*args, generator, **kwargs)
            except NotImplementedError:
                raise Wrong("it is not written yet", "Write your code first.") from None
            # Whatever an answer raises, it is the answer that is wrong, not the check.
            except (Exception, SystemExit) as error:  # noqa: BLE001
                raise Wrong(f"it raised {public_name(type(error))}") from None
            try:
                array = plain_array(result)
            except NotNumbers as error:
                raise Wrong(f"the result is a {error}, no number") from None
        if array.dtype.kind == "b" or not np.isfinite(array).all():
            raise Wrong("the result is no finite number")
        return array.astype(np.float64)

    def number(self, *args: Any, **kwargs: Any) -> float:
        """Return the result of one call, which must be one number."""
        array = self.array(*args, **kwargs)
        if array.shape != ():
            raise Wrong("the result is no single number", "Return one number, a float.")
        return float(array)

    def check_generator(self, *args: Any, **kwargs: Any) -> None:
        """Require that numbers come from the generator, and from nothing else."""
        one, same, other = (np.random.default_rng(seed) for seed in (11, 11, 12))
        before = repr(one.bit_generator.state)
        first = self.array(*args, generator=one, **kwargs)
        if repr(one.bit_generator.state) == before:
            raise Wrong("it draws nothing from rng")
        second, again = (self.array(*args, generator=g, **kwargs) for g in (same, other))
        if first.shape != second.shape or not allclose(first, second, rtol=1e-4):
            raise Wrong(
                "the same generator gives two results",
                "Draw from `rng` only, not from np.random or a generator of your own.",
            )
        if first.shape == again.shape and (first == again).all():
            raise Wrong("all generators give one result")


@contextlib.contextmanager
def explained(
    name: str, promise: str, call: Caller, known: Family, draws: tuple[Draw, ...]
) -> Iterator[None]:
    """Turn what is wrong with an answer into the message of a failed check."""
    try:
        yield
    except Wrong as wrong:
        hint = wrong.hint
        if not hint:
            with silence():
                mistake = nearest(call.answer, known, draws)
            hint = "" if mistake is None else mistake.hint
        lines = [f"{name}: {promise}", f"Here {wrong}."] + [f"Hint: {hint}"] * bool(hint)
        raise failure("\n".join(lines)) from None


def bernstein(variance: float, n: int, span: float, chance: float = 1e-8) -> float:
    """Return t: the mean of n numbers is off by more with at most this chance.

    Bernstein's bound for independent numbers within a span of their mean: t solves
    2 exp(-n t^2 / (2 variance + 2 span t / 3)) = chance.
    """
    log = math.log(2 / chance)
    linear = 2 * span * log / 3
    return (linear + math.sqrt(linear**2 + 8 * n * variance * log)) / (2 * n)


def distribution_bound(n: int, chance: float = 1e-8) -> float:
    """Return t: the share of n numbers below any place is off by more with at most this chance.

    The bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant: t solves
    2 exp(-2 n t^2) = chance.
    """
    return math.sqrt(math.log(2 / chance) / (2 * n))
