"""Mistakes of the length at which core and projections cost the same."""

from __future__ import annotations

from collections.abc import Callable

from tutor.mistakes.bank import family

CROSSOVERS: dict[str, Callable] = {
    "right": lambda d: 2 * d,
    "d": lambda d: d,
    "four": lambda d: 4 * d,
    "mlp": lambda d: 6 * d,
    "half": lambda d: d / 2,
    "three": lambda d: 3 * d,
    "one and a half": lambda d: 3 * d / 2,
    "squared": lambda d: 2 * d * d,
    "root": lambda d: (2 * d) ** 0.5,
    "off by one": lambda d: 2 * d + 1,
    "one less": lambda d: 2 * d - 1,
    "eight": lambda d: 8 * d,
}


def crossover_length(d_model, *, length="right"):
    """Return where core and projections cost the same, made wrong by the knob."""
    return CROSSOVERS[length](d_model)


FAMILY = family(
    "crossover_length",
    crossover_length,
    *(
        (name, sentence, hint, {"length": length})
        for name, sentence, hint, length in (
            (
                "half-as-long",
                "d_model is returned.",
                "Your length is half: 4 b s^2 d equals 8 b s d^2, so what is s?",
                "d",
            ),
            (
                "twice-as-long",
                "4 d_model is returned.",
                "Your length is double: is one of the two products missing from the core?",
                "four",
            ),
            (
                "with-mlp",
                "The MLP is counted too.",
                "That is the crossover with an MLP: count the projections Q, K, V and O only.",
                "mlp",
            ),
            (
                "inverted",
                "The quotient is turned round.",
                "4 b s^2 d = 8 b s d^2: solve for s, with 8 above 4.",
                "half",
            ),
            (
                "six-to-two",
                "The projections are divided by one product only, without O.",
                "Count four projections and two products.",
                "three",
            ),
            (
                "without-output",
                "The output projection is left out.",
                "There are four projections: Q, K, V and O.",
                "one and a half",
            ),
            (
                "squared",
                "d_model counts squared.",
                "One d_model cancels: the length is proportional to it.",
                "squared",
            ),
            (
                "root",
                "The square root is taken.",
                "One s cancels on both sides, so there is no root.",
                "root",
            ),
            (
                "one-more",
                "The first length beyond the crossover is returned.",
                "At the crossover both cost the same: not one token more.",
                "off by one",
            ),
            (
                "one-less",
                "The last length before the crossover is returned.",
                "At the crossover both cost the same: not one token less.",
                "one less",
            ),
            (
                "eight",
                "8 d_model is returned.",
                "Divide the projections' 8 by the core's 4.",
                "eight",
            ),
        )
    ),
)
