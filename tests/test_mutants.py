"""A sample of the mutants; `make mutants` runs them all."""

import warnings

import pytest
from tests.mutation.random_cases import DRAWS
from tests.mutation.run import study
from tests.problem_sets import FAMILIES


@pytest.mark.parametrize(("name", "function"), FAMILIES, ids=lambda value: str(value))
def test_the_hidden_tests_kill_a_sample_of_mutants(name, function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tally = study(name, function, sample=16 if function in DRAWS else 24)
    assert tally.made >= 48
    # `make mutants` requires 95 % of all; a sample is off by a few points.
    assert tally.share >= 0.9, tally.survived
