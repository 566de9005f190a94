"""The warm process: libraries loaded, it waits, and forks a guest whenever it is told to.

Run as ``python -m autograder.sandbox.parent SETTINGS SOCKET`` with JSON and the number
of a socket. It holds nothing secret and never runs a student's code itself.
"""

from __future__ import annotations

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
from pathlib import Path

from autograder.limits import Limits
from autograder.sandbox import cage, guest, linux

# Told to the host: what stands before the number of a guest and the status it ended with.
EXITED = "exited"


def main() -> None:
    """Load what is asked for, say so, and fork guests until the host is gone."""
    text, number = sys.argv[1:]
    settings = json.loads(text)
    settings["limits"] = Limits(**settings["limits"])
    control = socket.socket(fileno=int(number))
    for module in settings["modules"]:
        _load(module)
    shell = guest.new_shell()
    linux.become_subreaper()
    gc.collect()
    gc.freeze()
    control.send(b"ready")
    _serve(control, shell, settings)


def _load(module: str) -> None:
    """Import a module, if it is there: a student's import of it is then a lookup."""
    try:
        loaded = importlib.import_module(module)
    except ImportError:
        return
    if module == "torch":
        # With threads, a fork of this process would wait for locks for ever.
        loaded.set_num_threads(1)


def _serve(control: socket.socket, shell, settings: dict) -> None:
    wake, woken = socket.socketpair()
    woken.setblocking(False)
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    numbers: dict[int, int] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if control in ready:
                message, files, _, _ = socket.recv_fds(control, 100, 1)
                if not message:
                    return
                number = int(message)
                pid = _fork(socket.socket(fileno=files[0]), shell, settings)
                numbers[pid] = number
            if woken in ready:
                woken.recv(4096)
            # Also after a fork: a guest may be gone before its number is known.
            _reap(control, numbers)


def _reap(control: socket.socket, numbers: dict[int, int]) -> None:
    """Tell the host of every guest that ended."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            return
        if pid in numbers:
            code = os.waitstatus_to_exitcode(status)
            control.send(f"{EXITED} {numbers.pop(pid)} {code}".encode())


def _fork(channel: socket.socket, shell, settings: dict) -> int:
    """Fork a guest behind a socket, and return its process id.

    The guest is the first process of a process namespace, so when it ends, all it has
    started ends. It takes a go-between to be born there.
    """
    status = Path("/proc/self/status").read_text()
    if "Threads:\t1\n" not in status:
        raise RuntimeError("the sandbox's parent has threads, and must not be forked")
    reader, writer = os.pipe()
    between = os.fork()
    if not between:
        _go_between(channel, shell, settings, writer)
    channel.close()
    os.close(writer)
    with open(reader) as pipe:
        pid = pipe.read()
    os.waitpid(between, 0)
    return int(pid) if pid else between


def _go_between(channel, shell, settings: dict, writer: int) -> None:
    """Enter new namespaces, fork the guest into them, tell of it, and be gone."""
    try:
        if not settings["unprotected_home"]:
            cage.enter_namespaces()
        pid = os.fork()
        if pid:
            socket.send_fds(channel, [b"!"], [os.pidfd_open(pid)])
            os.write(writer, str(pid).encode())
            os._exit(0)
        _become_guest(channel, settings)
        guest.serve(channel, shell, settings["limits"])
    except BaseException:  # noqa: BLE001 - told to the host's log, whatever it is
        traceback.print_exc()
    finally:
        # Two processes must never both be the parent.
        os._exit(1)


def _become_guest(channel: socket.socket, settings: dict) -> None:
    home, limits = settings["unprotected_home"], settings["limits"]
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    if home:
        os.chdir(tempfile.mkdtemp(dir=home))
    else:
        cage.hide_everything(limits, settings["shown"])
    cage.bound(limits)
    if not home:
        cage.throw_away_the_key()
    cage.close_files(channel.fileno())


if __name__ == "__main__":
    main()
