"""Compare a student's function with what is right, and say what is wrong.

Whatever is wrong with an answer comes out as an ``AssertionError`` whose message states
the promise that was broken and, where one fits, the hint of a known mistake. A visible
check adds the call, what was expected and what came. The text stands in the error's
attribute ``feedback`` too: see :func:`tutor.checks.report.failure`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tutor.checks.calls import Case, Outcome, Remote, Truth, outcomes, truth
from tutor.checks.cases import (
    array,
    attention_case,
    case,
    far_rows,
    large_scores,
    mask,
    qkv,
)
from tutor.checks.diagnosis import Record, hint
from tutor.checks.problems import PROBLEMS
from tutor.checks.report import failure, message
from tutor.checks.saturation_curve import check_saturation_curve
from tutor.checks.variance_experiment import check_variance_experiment

__all__ = [
    "array",
    "attention_case",
    "case",
    "check",
    "check_saturation_curve",
    "check_variance_experiment",
    "far_rows",
    "large_scores",
    "mask",
    "qkv",
]


def check(
    answer: Callable | Remote,
    problem: str,
    cases: Iterable[Case],
    *,
    promise: str,
    hidden: bool = False,
) -> None:
    """Require that an answer is right in every case.

    The answer is called twice on each case, may print and warn as it likes, and must
    leave its arguments as they were. Results may be anything ``np.asarray`` takes, or
    tensors.

    Args:
        answer: the student's function. It is called, and nothing else about it is used.
        problem: which function it is to be, a name in ``PROBLEMS``.
        cases: the calls to compare.
        promise: what the problem asks for, one sentence.
        hidden: keep arguments, expected and got out of the message.

    Raises:
        AssertionError: the answer is wrong in some case.
    """
    asked = PROBLEMS[problem]
    cases = list(cases)
    # Before the calls: what an answer does meanwhile costs nobody time.
    truths = [truth(asked, one) for one in cases]
    records = list(map(_record, cases, truths, outcomes(asked, answer, cases)))
    wrong = [record for record in records if not record.is_right]
    if wrong:
        raise failure(message(asked, promise, wrong[0], hint(asked, records), hidden)) from None


def _record(case: Case, right: Truth, calls: tuple[Outcome, Outcome]) -> Record:
    first, second = calls
    steady = second.fault == first.fault and (
        first.arrays is None or right.close(first.arrays, second.arrays)
    )
    if not first.fault and not steady:
        first = Outcome(None, "unsteady", "a second call with the same arguments differs")
    return Record(case, right, first)
