"""Processes that run student code: no network, no secrets, bounded, and easy to kill.

From outside to inside: ``host`` is used by the judge; ``warm`` leads to the parent, which
``launch`` starts with bubblewrap; ``parent`` is the warm process inside, which forks;
``cage`` closes each fork in; and ``guest`` runs the student's cells there. ``watch`` looks
on from outside and stops what takes too much.
"""

from autograder.sandbox.batches import Arguments
from autograder.sandbox.failures import Missing, Stopped, Unusable
from autograder.sandbox.host import Guest, Sandbox
from autograder.sandbox.launch import SandboxError
from autograder.sandbox.warm import Parent

__all__ = [
    "Arguments",
    "Guest",
    "Missing",
    "Parent",
    "Sandbox",
    "SandboxError",
    "Stopped",
    "Unusable",
]
