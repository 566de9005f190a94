"""What can come of a call in the sandbox beside a result."""

from __future__ import annotations

import builtins
import signal
from typing import Any

from autograder.wire.texts import clean, known_type

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
        return f"it ended the process that it runs in, by {signal.strsignal(-code)}"
    return "it ended the process that it runs in"


class Missing(BaseException):
    """There is no function of this name. No ``Exception``, for the same reason."""


class Unusable(Exception):
    """A result that cannot be taken out of the sandbox."""


class RemoteError(Exception):
    """Something raised in the sandbox that is of no built-in class, or of no Exception's."""


def raised_in_sandbox(names: Any, message: Any) -> Exception:
    """Return what a function raised: of the built-in class nearest to it.

    It has its own name where that is a known one. A name of the student's making could
    tell what the function was called with.

    Args:
        names: the names of the exception's class and its bases, in order.
        message: its text.
    """
    names = [clean(name, 100) for name in names] if isinstance(names, list) else []
    nearest = next((kind for name in names if (kind := _built_in(name))), RemoteError)
    name = known_type(names[0] if names else "", nearest.__name__)
    own = type(name, (nearest,), {"__init__": _keep_text})
    return own(clean(message, _MESSAGE))


def _keep_text(self: Exception, text: str) -> None:
    """Take one text, whatever the built-in class asks for; UnicodeError wants five things."""
    self.args = (text,)


def _built_in(name: str) -> type[Exception] | None:
    kind = getattr(builtins, name, None)
    is_exception = isinstance(kind, type) and issubclass(kind, Exception)
    # A group wants exceptions to hold.
    return kind if is_exception and kind not in (Exception, ExceptionGroup) else None
