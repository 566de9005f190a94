"""What can come of a call in the sandbox beside a result."""

from __future__ import annotations

import builtins
import signal
from typing import Any

from autograder.wire.texts import clean

_MESSAGE = 1000


class Stopped(BaseException):
    """The guest is gone: stopped for what it took, or ended by itself.

    No ``Exception``: a test that expects its function to raise must not take this for
    what the function raised, nor go on and call it again.

    Attributes:
        cause: "time", "memory", "crash" or "protocol".
    """

    def __init__(self, cause: str, code: int | None = None):
        self.cause = cause
        super().__init__(_told(cause, code))


def _told(cause: str, code: int | None) -> str:
    if cause == "time":
        return "it took too long and was stopped (a loop without an end, perhaps)"
    if cause == "memory":
        return "it took too much memory and was stopped"
    if cause == "protocol":
        return "it disturbed the process that it runs in, which was stopped"
    if code is not None and code < 0:
        return f"it ended the process that it runs in, by {signal.Signals(-code).name}"
    return "it ended the process that it runs in"


class Missing(BaseException):
    """There is no function of this name. No ``Exception``, for the same reason."""


class Unusable(Exception):
    """A result that cannot be taken out of the sandbox."""


class RemoteError(Exception):
    """Something raised in the sandbox that is of no built-in class, or of no Exception's."""


def raised_in_sandbox(names: Any, message: Any) -> Exception:
    """Return what a function raised: of the built-in class nearest to it, by its own name.

    Args:
        names: the names of the exception's class and its bases, in order.
        message: its text.
    """
    names = [clean(name, 100) for name in names] if isinstance(names, list) else []
    nearest = next((kind for name in names if (kind := _built_in(name))), RemoteError)
    own = type(names[0] if names else "RemoteError", (nearest,), {"__init__": _keep_text})
    return own(clean(message, _MESSAGE))


def _keep_text(self: Exception, text: str) -> None:
    """Take one text, whatever the built-in class asks for; UnicodeError wants five things."""
    self.args = (text,)


def _built_in(name: str) -> type[Exception] | None:
    kind = getattr(builtins, name, None)
    is_exception = isinstance(kind, type) and issubclass(kind, Exception)
    return kind if is_exception and kind is not Exception else None
