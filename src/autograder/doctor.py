"""Says what this machine lacks for grading, and how to get it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.fingerprint import SECRET
from autograder.limits import Limits
from autograder.sandbox import Sandbox, SandboxError
from autograder.sandbox.launch import find_bubblewrap
from autograder.sandbox.seccomp import MACHINES

_GIB = 2**30


@dataclass(frozen=True)
class Finding:
    """One thing that grading needs.

    Attributes:
        subject: what was looked at.
        is_good: whether grading can go on with it.
        text: what was found; where it is not good, what to do.
    """

    subject: str
    is_good: bool
    text: str


def findings() -> Iterator[Finding]:
    """Yield what grading needs, one after another; stops where the rest makes no sense."""
    if sys.platform != "linux":
        yield Finding("system", False, f"grading needs Linux, this is {sys.platform}")
        return
    yield Finding("system", True, f"Linux {os.uname().release}")
    machine = os.uname().machine
    known = ", ".join(MACHINES)
    yield Finding("processor", machine in MACHINES, f"{machine}; the sandbox knows {known}")
    try:
        bubblewrap = find_bubblewrap()
    except SandboxError as error:
        yield Finding("bubblewrap", False, str(error))
        return
    version = subprocess.run([bubblewrap, "--version"], capture_output=True, text=True, check=False)
    yield Finding("bubblewrap", True, version.stdout.strip())
    yield _sandbox()
    yield _secret()
    yield _alembic()
    yield _memory()


def _sandbox() -> Finding:
    try:
        with Sandbox(Limits(), ["numpy"], []) as sandbox, sandbox.guest(sandbox.new_budget()) as g:
            output = g.run_cell("import numpy\nprint(int(numpy.arange(4).sum()))")
    except SandboxError as error:
        return Finding("sandbox", False, str(error))
    ran = output.text == "6\n"
    return Finding("sandbox", ran, "runs code" if ran else f"a cell in it failed: {output.text}")


def _secret() -> Finding:
    path = os.environ.get(SECRET)
    if not path:
        return Finding(
            "secret",
            True,
            f"{SECRET} is not set: the demonstration secret is used, which students know. "
            f"For real grading: openssl rand -hex 32 > FILE, then export {SECRET}=FILE",
        )
    try:
        size = len(Path(path).read_bytes().strip())
    except OSError as error:
        return Finding("secret", False, f"{path}, named by {SECRET}: {error.strerror}")
    return Finding("secret", size >= 16, f"{path}: {size} bytes, wanted at least 16")


def _alembic() -> Finding:
    # nbgrader's own commands start it by name.
    found = shutil.which("alembic") or shutil.which(
        "alembic", path=str(Path(sys.executable).parent)
    )
    missing = "alembic, which the nbgrader command starts, is missing: pip install alembic"
    return Finding("nbgrader's own command", found is not None, found or missing)


def _memory() -> Finding:
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    wanted = Limits().memory + _GIB
    return Finding(
        "memory",
        total >= wanted,
        f"{total / _GIB:.0f} GiB; each worker may take {wanted / _GIB:.0f} GiB at most",
    )
