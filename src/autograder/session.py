"""One student's notebook in the sandbox, over as many guests as it takes.

When a guest ends, by a loop, a crash or a bomb, the next cell or call gets a new one,
in which the cells run again, all but the one that ended it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from typing import Any

from autograder.model import CellOutput, Step
from autograder.sandbox import Guest, Sandbox, Stopped


class Session:
    """Runs the cells of one notebook, and calls what they define.

    Attributes:
        outputs: of the cells that ran, by step id.
    """

    def __init__(self, sandbox: Sandbox):
        self.outputs: dict[str, CellOutput] = {}
        self._sandbox = sandbox
        self._budget = sandbox.new_budget()
        self._steps: list[Step] = []
        self._guest: Guest | None = None
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def run(self, step: Step) -> None:
        """Run a cell. That it fails, or ends its guest, is in ``outputs``.

        Raises:
            SandboxError: the sandbox failed.
        """
        try:
            self.outputs[step.cell_id] = self._living().run_cell(step.source)
            self._steps.append(step)
        except Stopped as stopped:
            self._end()
            self.outputs[step.cell_id] = CellOutput(error=f"stopped: {stopped}")

    def call(self, name: str, args: tuple, kwargs: Mapping[str, Any]) -> Any:
        """Call a function of the student's; as ``Guest.call``."""
        return self._with_guest(lambda guest: guest.call(name, args, kwargs))

    def read(self, name: str) -> Any:
        """Return the value of a variable of the student's; as ``Guest.read``."""
        return self._with_guest(lambda guest: guest.read(name))

    def why_missing(self, name: str) -> str:
        """Say why there is no function of a name: which cell failed."""
        failed = [
            f"the cell {step_id!r} ended with {output.error}"
            if not output.error.startswith("stopped")
            else f"the cell {step_id!r} was {output.error}"
            for step_id, output in self.outputs.items()
            if output.error
        ]
        return "; ".join([f"`{name}` is not defined", *failed[:3]]) + "."

    def _with_guest(self, use) -> Any:
        try:
            return use(self._living())
        except Stopped:
            self._end()
            raise

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
