"""Trait types whose errors say what was wanted."""

from __future__ import annotations

import math
from numbers import Integral, Real
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
    kinds = "iuf"  # numpy's letters for integers, signed and not, and floats
    element: type = float

    def __init__(self, default, *, shape: tuple[int | None, ...], wanted: str) -> None:
        super().__init__(default, wanted=wanted)
        self.shape = shape

    def validate(self, obj, value) -> tuple:
        """Return the entries as tuples of Python's own, or raise TraitError."""
        try:
            array = np.asarray(value)
        except ValueError:  # rows of different lengths
            self.refuse(value)
        if array.dtype.kind not in self.kinds or not (np.abs(array) <= self.largest).all():
            self.refuse(value)
        if len(array.shape) != len(self.shape) or not all(map(_fits, array.shape, self.shape)):
            self.refuse(value)
        return _as_tuples(array.astype(self.element).tolist())


class Booleans(Reals):
    """Booleans in an array of the given shape (None = any length but 0)."""

    kinds = "b"
    element = bool


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


class RealBetween(_Described):
    """One real number between two others, which count as well."""

    def __init__(self, default, *, low: Real, high: Real, wanted: str) -> None:
        super().__init__(default, wanted=wanted)
        self.low, self.high = low, high

    def validate(self, obj, value) -> float:
        """Return the number as a float, or raise TraitError."""
        if not _is_a(Real, value) or not self.low <= value <= self.high:
            self.refuse(value)
        return float(value)


class IntegerBetween(RealBetween):
    """One integer between two others, which count as well."""

    def validate(self, obj, value) -> int:
        """Return the number as an int, or raise TraitError."""
        if not _is_a(Integral, value) or not self.low <= value <= self.high:
            self.refuse(value)
        return int(value)


class OneOf(_Described):
    """One of the given texts or numbers."""

    def __init__(self, default, *, among: tuple, wanted: str) -> None:
        super().__init__(default, wanted=wanted)
        self.among = among

    def validate(self, obj, value):
        """Return the value as it stands among those given, or raise TraitError."""
        if (not isinstance(value, str) and not _is_a(Real, value)) or value not in self.among:
            self.refuse(value)
        return self.among[self.among.index(value)]


def _is_a(kind, value) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


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
