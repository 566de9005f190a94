"""Trait types whose errors say what was wanted."""

from __future__ import annotations

import math
from numbers import Real
from typing import NoReturn

import numpy as np
import traitlets


class _Described(traitlets.TraitType):
    """A trait that refuses values with the words given as ``wanted``."""

    def __init__(self, default, *, wanted: str, **kwargs) -> None:
        super().__init__(default, **kwargs)
        self.wanted = wanted

    def refuse(self, value) -> NoReturn:
        """Raise TraitError: what it got, shortened, and what it wanted."""
        got = repr(value)
        got = got if len(got) <= 60 else f"{got[:57]}..."
        raise traitlets.TraitError(f"{self.name}: got {got}; wanted {self.wanted}")


class Reals(_Described):
    """Real numbers, up to a million, in an array of the given shape (None = any length but 0).

    Takes anything that numpy takes as such an array; kept as (nested) tuples, so that
    they cannot change unseen.
    """

    largest = 1e6  # what a drawing, and numbers beside it, can show

    def __init__(self, default, *, shape: tuple[int | None, ...], wanted: str) -> None:
        super().__init__(default, wanted=wanted)
        self.shape = shape

    def validate(self, obj, value) -> tuple:
        """Return the numbers as tuples of floats, or raise TraitError."""
        try:
            array = np.asarray(value)
        except ValueError:  # rows of different lengths
            self.refuse(value)
        if array.dtype.kind not in "iuf" or not (np.abs(array) <= self.largest).all():
            self.refuse(value)
        if len(array.shape) != len(self.shape) or not all(map(_fits, array.shape, self.shape)):
            self.refuse(value)
        return _as_tuples(array.astype(float).tolist())


def _fits(length: int, wanted: int | None) -> bool:
    return length > 0 if wanted is None else length == wanted


def _as_tuples(nested):
    return tuple(map(_as_tuples, nested)) if isinstance(nested, list) else nested


class PositiveReal(_Described):
    """One finite real number above 0."""

    def validate(self, obj, value) -> float:
        """Return the number as a float, or raise TraitError."""
        if not isinstance(value, Real) or isinstance(value, bool):
            self.refuse(value)
        if not math.isfinite(value) or value <= 0:
            self.refuse(value)
        return float(value)


class Names(_Described):
    """Short texts, no two alike."""

    longest = 12

    def validate(self, obj, value) -> tuple[str, ...]:
        """Return the texts as a tuple, or raise TraitError."""
        if isinstance(value, str):
            self.refuse(value)
        try:
            names = tuple(value)
        except TypeError:
            self.refuse(value)
        if not names or len(set(names)) != len(names):
            self.refuse(value)
        if not all(isinstance(name, str) and 0 < len(name) <= self.longest for name in names):
            self.refuse(value)
        return names
