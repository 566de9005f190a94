"""Sandboxes that lack a guard, to see what it is there for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from autograder.limits import Limits
from autograder.sandbox import Guest, Sandbox, launch

# Not what another of these has put in its place.
_WHOLE = launch._isolated
NO_PLACES = (
    "import os\nfrom autograder.sandbox import cage\n"
    "cage.hide_everything = lambda limits, scratch: os.chdir(scratch[0])\n"
)
NO_FILTER = "from autograder.sandbox import linux\nlinux.set_filter = lambda program: None\n"
NO_BOUNDS = "from autograder.sandbox import cage\ncage.bound = lambda limits: None\n"


@contextmanager
def sandbox_without(guards: str, limits: Limits) -> Iterator[Sandbox]:
    """Start a sandbox whose parent runs code that takes guards away."""

    def isolated(shown, environment, inner):
        code = f"{guards}from autograder.sandbox import parent\nparent.main()"
        return _WHOLE(shown, environment, [inner[0], "-P", "-c", code, inner[-1]])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "_isolated", isolated)
        with Sandbox(limits, ["numpy"], ["sdpa", "tutor"]) as sandbox:
            yield sandbox


@contextmanager
def one(sandbox: Sandbox) -> Iterator[Guest]:
    """Fork one guest, with a budget of its own."""
    with sandbox.guest(sandbox.new_budget()) as guest:
        yield guest
