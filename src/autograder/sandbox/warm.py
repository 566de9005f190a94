"""The warm parent as seen from outside: one process starts it, any number take guests from it."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder.limits import Limits
from autograder.sandbox import launch

_START_SECONDS, _END_SECONDS = 120.0, 2.0
_LOG = "log"


class Parent:
    """A warm process inside bubblewrap, that forks guests for whoever connects to it.

    It is not waited for: it loads its libraries while others get ready.

    Args:
        limits: what one guest may take.
        modules: what it loads, so that students' imports cost nothing.
        packages: packages of the course that students may import.
        isolated: False runs students' code as you, unprotected.

    Raises:
        SandboxError: bubblewrap is not there.

    Attributes:
        process: it, as the process that was started for it.
        address: by which it is found; for processes of the same user on this machine.
    """

    def __init__(
        self,
        limits: Limits,
        modules: Sequence[str],
        packages: Sequence[str],
        *,
        isolated: bool = True,
    ):
        # Closed to other users, and thus the socket in it.
        self._folder = tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        home = folder / "home"
        if not isolated:
            home.mkdir()
        self.address = str(folder / "socket")
        self._keeper, theirs = socket.socketpair()
        with _listening(self.address) as listener, theirs, (folder / _LOG).open("wb") as log:
            try:
                self.process = launch.start_parent(
                    limits, modules, packages, "" if isolated else str(home), listener, theirs, log
                )
            except launch.SandboxError:
                self._keeper.close()
                self._folder.cleanup()
                raise

    def __enter__(self) -> Parent:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End it, and with it whatever is left of its guests."""
        self._keeper.close()
        # It sees that and ends; killed, it would leave bubblewrap's own process to others.
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._folder.cleanup()


def connect(address: str) -> socket.socket:
    """Connect to a warm parent, and wait until it is ready.

    Returns:
        The socket to tell it to fork.

    Raises:
        SandboxError: it did not start; the message has what it said.
    """
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.settimeout(_START_SECONDS)
    with contextlib.suppress(OSError):
        control.connect(address)
        if control.recv(100) == b"ready":
            control.settimeout(None)
            return control
    control.close()
    raise launch.SandboxError(_explained(Path(address).with_name(_LOG)))


def _listening(address: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen(64)
    return listener


def _explained(log: Path) -> str:
    said = ""
    with contextlib.suppress(FileNotFoundError):
        said = log.read_text(errors="replace").strip()[-2000:]
    return (
        "the sandbox did not start. Where bubblewrap says that it may not make namespaces, "
        "this machine forbids them: in a container allow user namespaces, on Ubuntu see "
        f"kernel.apparmor_restrict_unprivileged_userns. It said: {said or 'nothing'}"
    )
