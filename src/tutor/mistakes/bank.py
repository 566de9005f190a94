"""What a known mistake is, and how mistakes of one function belong together.

Every function of the problem sets has one *variant*: an implementation with knobs,
right as long as none is turned. A mistake is a setting of knobs, so two mistakes that
turn different knobs can be made at once, and be recognised together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class Mistake:
    """One mistake: call it like the function it gets wrong.

    Attributes:
        id: a short name, unique among the mistakes of its function.
        sentence: what is done wrong, one sentence.
        hint: what to look at, addressed to whoever made it.
        settings: the knobs it turns.
        variant: the function with knobs.
    """

    id: str
    sentence: str
    hint: str
    settings: Mapping[str, Any] = field(hash=False)
    variant: Callable = field(repr=False, compare=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Make the mistake."""
        return self.variant(*args, **kwargs, **self.settings)

    def joined(self, other: Mistake) -> Mistake | None:
        """Return both mistakes made at once, or None where they turn the same knob."""
        if set(self.settings) & set(other.settings):
            return None
        return Mistake(
            id=f"{self.id}+{other.id}",
            sentence=f"{self.sentence} {other.sentence}",
            hint=f"Two things look wrong. {self.hint} And: {other.hint}",
            settings={**self.settings, **other.settings},
            variant=self.variant,
        )


@dataclass(frozen=True)
class Family:
    """The known mistakes of one function, the likelier first."""

    name: str
    variant: Callable
    mistakes: tuple[Mistake, ...]

    def __getitem__(self, mistake_id: str) -> Mistake:
        """Return a mistake by its id."""
        for mistake in self.mistakes:
            if mistake.id == mistake_id:
                return mistake
        known = ", ".join(mistake.id for mistake in self.mistakes)
        raise KeyError(f"no mistake {mistake_id!r} of {self.name}; wanted one of {known}")

    def pairs(self) -> Iterator[Mistake]:
        """Yield every two mistakes that can be made at once, the likelier first."""
        for first, second in sorted(combinations(range(len(self.mistakes)), 2), key=sum):
            joined = self.mistakes[first].joined(self.mistakes[second])
            if joined is not None:
                yield joined


def family(name: str, variant: Callable, *rows: tuple[str, str, str, Mapping]) -> Family:
    """Return a family from rows of (id, sentence, hint, settings)."""
    return Family(name, variant, tuple(Mistake(*row, variant) for row in rows))
