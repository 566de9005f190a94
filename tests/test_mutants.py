"""A sample of the mutants; `make mutants` runs them all."""

import warnings

import pytest
from tests.mutation.run import study
from tests.problem_sets import FAMILIES


@pytest.mark.parametrize(("name", "function"), FAMILIES, ids=lambda value: str(value))
def test_the_hidden_tests_kill_a_sample_of_mutants(name, function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tally = study(name, function, sample=8)
    assert tally.made >= 24
    # Of so few that one more or less changes a share by several points; the share over
    # all mutants is what `make mutants` requires to be 95 %.
    assert tally.share >= 0.85, tally.survived
