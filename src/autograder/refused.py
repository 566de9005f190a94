"""How a file is turned down: for this student only, and with a reason."""

from __future__ import annotations


class Refused(Exception):
    """A submission that cannot be taken.

    Attributes:
        reason: a sentence or two for the student: what is wrong, and what to do.
    """

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason
