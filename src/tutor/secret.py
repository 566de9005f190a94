"""Seeds for hidden tests, drawn from a secret that is not in the repository.

Knowing the code of a hidden test then does not give away its inputs.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

VARIABLE = "COURSE_SECRET_FILE"
# For trying the course out; whoever grades for real sets the variable.
DEMO_SECRET = b"attention-derived: a secret for demonstrations only"


def secret_seed(grade_id: str) -> int:
    """Return the seed of one test cell: 64 bits, the same for the same secret and id.

    Args:
        grade_id: the ``grade_id`` of the test cell.

    Raises:
        OSError: the file that COURSE_SECRET_FILE names cannot be read.
        ValueError: that file holds fewer than 16 bytes.
    """
    key = hashlib.blake2b(_secret()).digest()
    digest = hashlib.blake2b(grade_id.encode(), key=key, digest_size=8).digest()
    return int.from_bytes(digest, "big")


def _secret() -> bytes:
    path = os.environ.get(VARIABLE)
    if not path:
        return _demo_secret()
    secret = Path(path).read_bytes().strip()
    if len(secret) < 16:
        raise ValueError(
            f"the file of {VARIABLE}, {path}, holds {len(secret)} bytes; wanted at least 16, "
            "for example from: openssl rand -hex 32"
        )
    return secret


@cache  # so that the notice comes once
def _demo_secret() -> bytes:
    # On stdout: the stock grader counts anything on stderr against the student.
    print(f"Note: {VARIABLE} is not set, so tests use the demonstration secret.")
    return DEMO_SECRET
