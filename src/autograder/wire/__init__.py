"""How values cross between judge and sandbox: plain data in frames, never pickle.

Whatever comes out of a sandbox was written by code that nobody trusts. Reading it makes
numbers, texts, arrays and a few containers of them, or raises ``WireError``.
"""

from autograder.wire.errors import WireError
from autograder.wire.frames import Frame, receive, send

__all__ = ["Frame", "WireError", "receive", "send"]
