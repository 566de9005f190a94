"""One warm sandbox for all tests that run code in it."""

import pytest

from autograder.limits import Limits
from autograder.sandbox import Sandbox

# Short enough for tests, long enough for a busy machine.
SHORT = Limits(call_cpu=5.0, call_wall=10.0, total_cpu=30.0, total_wall=60.0)


@pytest.fixture(scope="session")
def sandbox():
    """A sandbox in which libraries and the course are loaded."""
    modules = ["numpy", "torch", "scipy.special", "tutor.checks"]
    with Sandbox(SHORT, modules, ["sdpa", "tutor"]) as running:
        yield running


@pytest.fixture
def guest(sandbox):
    """A new process for a student's code."""
    with sandbox.guest(sandbox.new_budget()) as running:
        yield running
