"""The warm process: libraries loaded, it waits, and forks a guest whenever it is told to.

Run as ``python -m autograder.sandbox.parent SETTINGS LISTENER KEEPER`` with JSON and the
numbers of two sockets: where judges connect, and whose end is its own. It holds nothing
secret and never runs a student's code itself.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.limits import Limits
from autograder.sandbox import cage, guest, linux

# Told to the host: what stands before the number of a guest and the status it ended with.
EXITED = "exited"


def main() -> None:
    """Load what is asked for, and fork guests until whoever started this is gone."""
    text, *numbers = sys.argv[1:]
    settings = json.loads(text)
    settings["limits"] = Limits(**settings["limits"])
    settings["user"] = os.getuid(), os.getgid()
    listener, keeper = (socket.socket(fileno=int(number)) for number in numbers)
    _load(settings["modules"])
    shell = guest.new_shell()
    gc.collect()
    gc.freeze()
    _Nursery(shell, settings).serve(listener, keeper)
    os._exit(0)  # at once, and all guests with it


def _load(modules: list[str]) -> None:
    """Import modules, as far as they are there: a student's import of one is then a lookup."""
    for module in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    if "torch" in sys.modules:
        # With threads, a fork of this process would wait for locks for ever.
        sys.modules["torch"].set_num_threads(1)


@dataclass
class _Nursery:
    """All guests, and for which connection each was born under which number."""

    shell: guest.Shell
    settings: dict[str, Any]
    guests: dict[int, tuple[socket.socket, int]] = field(default_factory=dict)

    def serve(self, listener: socket.socket, keeper: socket.socket) -> None:
        """Do what those who connect ask for, until the keeper's other side is closed."""
        woken = _wakened_by_children()
        with selectors.DefaultSelector() as selector:
            for file in (listener, keeper, woken):
                selector.register(file, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is keeper:
                        return
                    if key.fileobj is listener:
                        selector.register(_accepted(listener), selectors.EVENT_READ)
                    elif key.fileobj is woken:
                        woken.recv(4096)
                    elif not self._obey(key.fileobj):
                        selector.unregister(key.fileobj)
                        self._forsake(key.fileobj)
                # Also after a fork: a guest may be gone before its number is known.
                self._reap()

    def _obey(self, connection: socket.socket) -> bool:
        """Fork a guest as a connection asks; return False where it has ended."""
        try:
            message, files, _, _ = socket.recv_fds(connection, 100, 1)
        except ConnectionError:  # closed with reports that nobody had read
            return False
        if not message:
            return False
        # What goes wrong here the host is told by the end of the channel.
        with socket.socket(fileno=files[0]) as channel, contextlib.suppress(OSError):
            pid = _fork(channel, self.shell, self.settings)
            self.guests[pid] = connection, int(message)
            handle = os.pidfd_open(pid)
            socket.send_fds(channel, [b"!"], [handle])
            os.close(handle)
        return True

    def _forsake(self, connection: socket.socket) -> None:
        """End what is left of a connection: nobody watches its guests any more."""
        for pid, (owner, _) in self.guests.items():
            if owner is connection:
                os.kill(pid, signal.SIGKILL)
        connection.close()

    def _reap(self) -> None:
        """Tell whoever asked for a guest that it ended, and how."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid in self.guests:
                owner, number = self.guests.pop(pid)
                code = os.waitstatus_to_exitcode(status)
                # Gone, or it does not read: then it does not want to know.
                with contextlib.suppress(OSError):
                    owner.send(f"{EXITED} {number} {code}".encode(), socket.MSG_DONTWAIT)


def _wakened_by_children() -> socket.socket:
    """Return a socket that can be read from whenever a child has ended."""
    wake, woken = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    # It has to stay open: signals write to its number.
    signal.set_wakeup_fd(wake.detach(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    return woken


def _accepted(listener: socket.socket) -> socket.socket:
    connection, _ = listener.accept()
    with contextlib.suppress(OSError):  # gone again: its end will be seen
        connection.send(b"ready")
    return connection


def _fork(channel: socket.socket, shell: guest.Shell, settings: dict[str, Any]) -> int:
    """Fork a guest behind a socket, and return its process id.

    The guest is the first process of a process namespace, so when it ends, all it has
    started ends.

    Raises:
        OSError: the system does not allow it.
    """
    status = Path("/proc/self/status").read_text()
    if "Threads:\t1\n" not in status:
        raise RuntimeError("the sandbox's parent has threads, and must not be forked")
    pid = linux.fork_into(0 if settings["unprotected_home"] else cage.NAMESPACES)
    if not pid:
        _run_guest(channel, shell, settings)
    return pid


def _run_guest(channel: socket.socket, shell: guest.Shell, settings: dict[str, Any]) -> None:
    try:
        _enter_cage(channel, settings)
        guest.serve(channel, shell, settings["limits"])
    except BaseException:  # noqa: BLE001 - told to the host's log, whatever it is
        traceback.print_exc()
    finally:
        # Two processes must never both be the parent.
        os._exit(1)


def _enter_cage(channel: socket.socket, settings: dict) -> None:
    home, limits = settings["unprotected_home"], settings["limits"]
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    if home:
        os.chdir(tempfile.mkdtemp(dir=home))
    else:
        cage.keep_user(*settings["user"])
        cage.hide_everything(limits, settings["shown"])
    cage.bound(limits)
    if not home:
        cage.throw_away_the_key()
    cage.close_files(channel.fileno())


if __name__ == "__main__":
    main()
