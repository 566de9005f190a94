"""The two sandboxes of a grader: a quick one, and one with the slow libraries loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace

from autograder.libraries import ALL_SLOW, modules_of, slow_in
from autograder.limits import Limits
from autograder.model import Assignment
from autograder.sandbox import Parent, Sandbox

# What students of this course may import beside libraries, visible in the sandbox.
COURSE = ("sdpa", "tutor")


@dataclass(frozen=True)
class Plan:
    """What the sandboxes are like; plain data, which can cross to other processes.

    Attributes:
        modules: what both load before.
        slow: what the second loads beside; without any there is none.
        isolated: False runs students' code unprotected.
        limits: what one notebook may take.
        quick_address, slow_address: of warm parents that are there already; "" starts one.
    """

    modules: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()
    isolated: bool = True
    limits: Limits = field(default_factory=Limits)
    quick_address: str = ""
    slow_address: str = ""

    def loading(self, assignment: Assignment, contents: Iterable[bytes] | None = None) -> Plan:
        """Return this plan with the libraries that an assignment needs.

        Args:
            assignment: what its own cells import is loaded for all.
            contents: submitted files as they are: of the slow libraries only those are
                loaded that one of them seems to import. None where they are not known.
        """
        modules, slow, all_need_it = modules_of(assignment), ALL_SLOW, False
        if contents is not None:
            found = [slow_in([content.decode("latin-1")]) for content in contents]
            slow = tuple(module for module in ALL_SLOW if any(module in one for one in found))
            all_need_it = all(found)
        slow = tuple(module for module in slow if module not in modules)
        if all_need_it:
            # There is nobody for a quick one.
            return replace(self, modules=(*modules, *slow), slow=())
        return replace(self, modules=modules, slow=slow)

    @contextmanager
    def shared(self) -> Iterator[Plan]:
        """Start the parents, for several processes; the plan that leads to them.

        Raises:
            SandboxError: bubblewrap is not there.
        """
        with ExitStack() as stack:
            quick = stack.enter_context(self._parent(self.modules))
            slow = stack.enter_context(self._parent(self._all)) if self.slow else None
            yield replace(
                self, quick_address=quick.address, slow_address=slow.address if slow else ""
            )

    def quick_sandbox(self) -> Sandbox:
        """Return the sandbox for most notebooks."""
        return self._sandbox(self.modules, self.quick_address)

    def slow_sandbox(self) -> Sandbox:
        """Return the sandbox with slow libraries in it."""
        return self._sandbox(self._all, self.slow_address)

    @property
    def _all(self) -> tuple[str, ...]:
        return (*self.modules, *self.slow)

    def _parent(self, modules: tuple[str, ...]) -> Parent:
        return Parent(self.limits, modules, COURSE, isolated=self.isolated)

    def _sandbox(self, modules: tuple[str, ...], address: str) -> Sandbox:
        return Sandbox(self.limits, modules, COURSE, isolated=self.isolated, address=address)


class Sandboxes:
    """Sandboxes for one notebook after another.

    Args:
        plan: what they are like.

    Raises:
        SandboxError: the quick one did not start.
    """

    def __init__(self, plan: Plan):
        self._plan, self._stack = plan, ExitStack()
        self._quick = self._stack.enter_context(plan.quick_sandbox())
        self._slow: Sandbox | None = None

    def __call__(self, sources: Iterable[str]) -> Sandbox:
        """Return the sandbox for a notebook with this code in it.

        Raises:
            SandboxError: it did not start.
        """
        if not set(slow_in(sources)) & set(self._plan.slow):
            return self._quick
        if self._slow is None:
            self._slow = self._stack.enter_context(self._plan.slow_sandbox())
        return self._slow

    def close(self) -> None:
        """End them."""
        self._stack.close()
