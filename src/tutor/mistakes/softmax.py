"""Mistakes of the softmax, which every function built on it inherits."""

from __future__ import annotations

from tutor.mistakes.bank import family
from tutor.mistakes.softmax_steps import softmax

# These show in arrays of several rows only.
OF_ROWS = frozenset(
    ("global-max", "max-over-other-axis", "normalised-over-everything", "sum-over-other-axis")
)
# Shared with the functions that contain a softmax of their own.
STABILITY = (
    (
        "no-max",
        "The maximum is not subtracted before exp.",
        "Large numbers overflow in exp: subtract the maximum along the axis first. "
        "The weights stay the same, since the factor cancels.",
        {"shift": "none"},
    ),
    (
        "global-max",
        "One maximum of the whole array is subtracted, not one for each row.",
        "Rows far below the overall maximum underflow to 0 / 0: subtract each row's own "
        "maximum, with max(axis=..., keepdims=True).",
        {"shift": "global"},
    ),
    (
        "mean-shift",
        "The mean is subtracted before exp, not the maximum.",
        "Subtracting the mean leaves large exponents: subtract the maximum.",
        {"shift": "mean"},
    ),
    (
        "min-shift",
        "The minimum is subtracted before exp, not the maximum.",
        "Subtracting the minimum makes every exponent positive, so exp overflows: "
        "subtract the maximum.",
        {"shift": "minimum"},
    ),
    (
        "max-over-other-axis",
        "The maximum is taken over the wrong axis.",
        "The maximum that you subtract is not that of the same row: take it along the axis "
        "of the sum.",
        {"shift": "other"},
    ),
    (
        "max-added",
        "The maximum is added before exp, not subtracted.",
        "Your exponents grow instead of shrinking: subtract the maximum.",
        {"shift": "added"},
    ),
    (
        "magnitude-shift",
        "The largest magnitude is subtracted, not the largest number.",
        "With max(abs(x)), a row of large negative numbers underflows to 0 / 0: subtract max(x).",
        {"shift": "magnitude"},
    ),
    (
        "clipped",
        "The exponents are clipped so that exp does not overflow.",
        "Clipping makes different large numbers equal: subtract the maximum instead.",
        {"clip": 500.0, "shift": "none"},
    ),
)
SHAPE_OF_THE_CURVE = (
    (
        "not-normalised",
        "The exponentials are not divided by their sum.",
        "Your weights do not sum to 1: divide the exponentials by their sum along the axis.",
        {"total": "none"},
    ),
    (
        "normalised-over-everything",
        "The exponentials are divided by the sum of the whole array.",
        "All your weights together sum to 1, but each row should: sum along the axis, with "
        "keepdims=True.",
        {"total": "all"},
    ),
    (
        "sum-over-other-axis",
        "The exponentials are divided by sums over another axis.",
        "You divide by the sum over another axis than the one asked for.",
        {"total": "other"},
    ),
    (
        "length-normalised",
        "The exponentials are divided by their Euclidean length.",
        "The squares of your weights sum to 1: divide by the sum, not by the norm.",
        {"total": "length"},
    ),
    (
        "one-too-many",
        "1 is added to the sum of the exponentials.",
        "Your weights sum to less than 1: nothing is added to the sum.",
        {"total": "one more"},
    ),
    (
        "mean-normalised",
        "The exponentials are divided by their number, not their sum.",
        "Divide by the sum of the exponentials, not by how many there are.",
        {"total": "count"},
    ),
    (
        "no-exp",
        "The numbers are divided by their sum, without exp.",
        "The exponential is missing: weights are exp(x) / sum(exp(x)).",
        {"curve": "none"},
    ),
    (
        "base-two",
        "Powers of 2 are taken in place of exp.",
        "Your weights are those of powers of 2: use np.exp.",
        {"curve": "two"},
    ),
    (
        "base-ten",
        "Powers of 10 are taken in place of exp.",
        "Your weights are those of powers of 10: use np.exp.",
        {"curve": "ten"},
    ),
    (
        "sign",
        "exp(-x) is taken in place of exp(x).",
        "Your largest weight goes to the smallest number: check the sign in exp.",
        {"curve": "negated"},
    ),
    (
        "squared",
        "The exponentials are squared before they are normalised.",
        "Your weights are those of doubled scores: take exp once.",
        {"curve": "square"},
    ),
    (
        "log-softmax",
        "The logarithm of the weights is returned.",
        "You return the logarithm of the weights: leave out the log.",
        {"ending": "log"},
    ),
)
LITTLE_PRECISION = (
    (
        "half-precision",
        "The computation runs in float16.",
        "Your numbers have three good digits only: compute in float64 or float32.",
        {"digits": "half"},
    ),
    (
        "rounded",
        "The weights are rounded.",
        "Your weights are right to three digits only: do not round them.",
        {"ending": "rounded"},
    ),
)


def of_one_row(rows: tuple) -> tuple:
    """Return the mistakes that a softmax of a single row can show."""
    return tuple(row for row in rows if row[0] not in OF_ROWS)


FAMILY = family(
    "softmax",
    softmax,
    (
        "axis-ignored",
        "The softmax always runs over the last axis.",
        "The weights are what comes out along the last axis: pass `axis` on to max and sum.",
        {"along": "last"},
    ),
    (
        "axis-zero",
        "The softmax always runs over the first axis.",
        "The weights are what comes out along axis 0: use `axis`.",
        {"along": "first"},
    ),
    (
        "axis-none",
        "The softmax runs over the whole array.",
        "All your weights together sum to 1: max and sum need axis=axis and keepdims=True.",
        {"along": "all"},
    ),
    (
        "axis-neighbour",
        "The softmax runs over the axis before the one asked for.",
        "The weights sum to 1 along another axis than the one asked for: look at `axis`.",
        {"along": "other"},
    ),
    *STABILITY,
    *SHAPE_OF_THE_CURVE,
    *LITTLE_PRECISION,
    (
        "blocked-as-zero",
        "-inf is replaced by 0 before the softmax.",
        "An entry of -inf should get weight 0; yours gets that of the number 0.",
        {"blocked": "zero"},
    ),
    (
        "blocked-as-small",
        "-inf is replaced by a number that is not small enough.",
        "An entry of -inf should get exactly no weight: exp(-inf) is 0 by itself.",
        {"blocked": "finite"},
    ),
    (
        "input-returned",
        "The input is returned as it came.",
        "You return x itself: a loop that assigns to its own variable changes nothing.",
        {"ending": "input"},
    ),
    (
        "kept-integers",
        "The weights are stored as whole numbers when the input holds whole numbers.",
        "For whole numbers your weights are cut to 0 or 1: turn the input into floats first.",
        {"ending": "integers"},
    ),
    (
        "input-changed",
        "The maximum is subtracted in place, from the caller's array.",
        "Your function changes its input: `x -= ...` writes into the caller's array, "
        "`x = x - ...` does not.",
        {"in_place": True},
    ),
)
