"""One student's notebook in the sandbox, over as many guests as it takes.

When a guest ends, by a loop, a crash or a bomb, the next cell or call gets a new one,
in which the cells run again, all but the one that ended it.

Students get to see what their cells put out, and must not see what hidden tests call
their functions with. A function can keep its arguments for a later cell to print, so what
a cell puts out once there were calls is not shown: such a notebook's cells run once more
at the end, in a guest that knows of no call.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from autograder.model import CellOutput, Step
from autograder.sandbox import Arguments, Guest, Sandbox, SandboxError, Stopped

_NOTHING = CellOutput()


class Session:
    """Runs the cells of one notebook, and calls what they define."""

    def __init__(self, sandbox: Sandbox):
        self._sandbox = sandbox
        self._budget = sandbox.new_budget()
        self._steps: list[Step] = []
        self._outputs: dict[str, CellOutput] = {}
        # The cells that ran after a call and put something out.
        self._withheld: set[str] = set()
        self._room = sandbox.limits.all_output
        self._has_called = False
        self._failure: SandboxError | None = None
        self._guest: Guest | None = None
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def run(self, step: Step) -> None:
        """Run a cell. That it fails, or ends its guest, will be in ``outputs``.

        Raises:
            SandboxError: the sandbox failed.
        """
        try:
            output = self._living().run_cell(step.source)
            self._steps.append(step)
        except Stopped as stopped:
            self._end()
            output = CellOutput(error=f"stopped: {stopped}")
        else:
            if self._has_called and output != _NOTHING:
                self._withheld.add(step.cell_id)
                output = CellOutput(error="an error" if output.error else "")
        self._keep(step, output)

    def call(self, name: str, args: tuple, kwargs: Mapping[str, Any]) -> Any:
        """Call a function of the student's; as ``Guest.call``."""
        return self._with_guest(lambda guest: guest.call(name, args, kwargs))

    def announce(
        self, name: str, calls: Sequence[Arguments], times: int
    ) -> Iterator[Callable | None]:
        """Send many calls ahead; as ``Guest.announce``."""
        series = self._with_guest(lambda guest: guest.announce(name, calls, times))
        for _ in range(len(calls) * times):
            yield self._with_guest(lambda guest: next(series))

    def read(self, name: str) -> Any:
        """Return the value of a variable of the student's; as ``Guest.read``."""
        return self._with_guest(lambda guest: guest.read(name))

    def outputs(self) -> dict[str, CellOutput]:
        """End the guest, and return what can be shown of each cell, by step id.

        Raises:
            SandboxError: the sandbox failed now, or during a call.
        """
        self._end()
        if self._failure:
            raise self._failure
        if self._withheld:
            self._show()
        return self._outputs

    def why_missing(self, name: str) -> str:
        """Say why there is no function of a name: which cell failed."""
        failed = [
            f"the cell {step_id!r} was {output.error}"
            if output.error.startswith("stopped")
            else f"the cell {step_id!r} ended with {output.error}"
            for step_id, output in self._outputs.items()
            if output.error
        ]
        return "; ".join([f"`{name}` is not defined", *failed[:3]]) + "."

    def _keep(self, step: Step, output: CellOutput) -> None:
        """Keep what a cell put out, while there is room."""
        self._room -= len(output.text) + sum(map(len, output.images))
        if self._room < 0:
            output = CellOutput(cut=True, error=output.error)
        self._outputs[step.cell_id] = output

    def _show(self) -> None:
        """Run the cells again where nothing was called, for what they put out."""
        budget = self._sandbox.new_budget()
        guest = None
        for step in self._steps:
            try:
                if guest is None:
                    guest = self._stack.enter_context(self._sandbox.guest(budget))
                output = guest.run_cell(step.source)
            except Stopped as stopped:
                self._end()
                guest, output = None, CellOutput(error=f"stopped: {stopped}")
            if step.cell_id in self._withheld:
                self._keep(step, output)
        self._end()

    def _with_guest(self, use: Callable[[Guest], Any]) -> Any:
        try:
            guest = self._living()
            self._has_called = True
            return use(guest)
        except Stopped:
            self._end()
            raise
        except SandboxError as error:
            # Tests take any Exception for the student's.
            self._failure = error
            raise Stopped("crash") from None

    def _living(self) -> Guest:
        """Return a guest in which all cells so far have run."""
        if self._guest is None:
            if self._is_spent():
                raise Stopped("time")
            self._guest = self._stack.enter_context(self._sandbox.guest(self._budget))
            for step in self._steps:
                self._guest.run_cell(step.source)
        return self._guest

    def _is_spent(self) -> bool:
        limit = self._sandbox.limits.total_cpu
        return self._budget.cpu > limit or time.monotonic() > self._budget.deadline

    def _end(self) -> None:
        self._guest = None
        self._stack.close()
