"""Looks on from outside, and stops a guest that takes more than it may.

The kernel's own limits hold for single processes; these here hold for all that a guest
has started, and for the clock. They work whoever the outer user is.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from autograder.limits import Limits

_EVERY = 0.05
_TICK = 1 / os.sysconf("SC_CLK_TCK")
_KIB = 1024


@dataclass
class Budget:
    """What a whole notebook has used, over restarts of its guest.

    Attributes:
        cpu: seconds of processor time of guests that ended.
        deadline: when its time on the clock is over, by ``time.monotonic``.
        elements: how many numbers its results held.
    """

    cpu: float
    deadline: float
    elements: int = 0


@dataclass
class Watched:
    """One guest as it is seen from outside.

    Attributes:
        handle: the file descriptor of its first process, which all others end with.
        limits: what it may take.
        budget: what its notebook has used before.
        cause: why it was stopped, "" where it was not.
        calls: how many cells and calls it was given.
        busy_since: when the present one began; None while it has nothing to do.
    """

    handle: int
    limits: Limits
    budget: Budget
    cause: str = ""
    cpu: float = 0.0
    calls: int = 0
    busy_since: float | None = None
    _seen: tuple[int, float] = field(default=(0, 0.0))

    def begin(self) -> None:
        """Take note that a cell or a call begins."""
        self.calls += 1
        self.busy_since = time.monotonic()

    def rest(self) -> None:
        """Take note that there is nothing to do."""
        self.busy_since = None

    def check(self) -> None:
        """Stop the guest if it takes more than it may."""
        pid = outer_pid(self.handle)
        if pid is None:
            return
        tree = [usage for process in _tree(pid) if (usage := _usage(process))]
        self.cpu = max(self.cpu, sum(usage.cpu for usage in tree))
        if self._seen[0] != self.calls:
            self._seen = (self.calls, self.cpu)
        self.cause = self.cause or self._excess(tree, _in_sockets(pid))
        if self.cause:
            self.kill()

    def _excess(self, tree: list[_Usage], in_sockets: int) -> str:
        limits, now = self.limits, time.monotonic()
        room = limits.memory - in_sockets
        # Pages that forks share were counted for each of them: then count properly.
        if sum(usage.memory for usage in tree) > room and sum(map(_private, tree)) > room:
            return "memory"
        if self.cpu - self._seen[1] > limits.call_cpu:
            return "time"
        if self.busy_since is not None and now - self.busy_since > limits.call_wall:
            return "time"
        if self.budget.cpu + self.cpu > limits.total_cpu or now > self.budget.deadline:
            return "time"
        return ""

    def kill(self) -> None:
        """End the guest with all that it started."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)


class Watcher:
    """A thread that checks guests until they are taken from it."""

    def __init__(self):
        self._guests: list[Watched] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._thread.start()

    def add(self, guest: Watched) -> None:
        """Begin to watch a guest."""
        with self._lock:
            self._guests.append(guest)

    def remove(self, guest: Watched) -> None:
        """Look at a guest a last time, and watch it no more."""
        with self._lock:
            guest.check()
            self._guests.remove(guest)

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(_EVERY):
            with self._lock:
                for guest in self._guests:
                    guest.check()


@dataclass(frozen=True)
class _Usage:
    pid: int
    thread: int
    cpu: float
    memory: int


def outer_pid(handle: int) -> int | None:
    """Return the number that a process has out here; None when it is gone."""
    for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "Pid":
            return int(value) if int(value) > 0 else None
    return None


def _tree(pid: int) -> list[int]:
    """Return a process and all its descendants. Orphans belong to the first one."""
    found, new = [], [pid]
    while new:
        found += new
        new = [child for process in new for child in _children(process)]
    return found


def _children(pid: int) -> list[int]:
    children = []
    for task in _threads(pid):
        with contextlib.suppress(OSError):  # gone meanwhile; the others are looked at
            children += _read(f"/proc/{pid}/task/{task}/children").split()
    return [int(child) for child in children]


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def _usage(pid: int) -> _Usage | None:
    try:
        # The name in brackets may hold anything, so count from the last bracket.
        fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
        thread, status = _living(pid)
    except OSError:
        return None
    # Own time, and that of children that ended: utime, stime, cutime, cstime.
    cpu = sum(int(value) for value in fields[11:15]) * _TICK
    return _Usage(pid, thread, cpu, _sum_of(status, ("RssAnon:", "RssShmem:")))


def _living(pid: int) -> tuple[int, str]:
    """Return a thread of a process that has its memory, and the status of that.

    The first thread may have ended, and shows no memory then, while others go on.
    """
    status = _read(f"/proc/{pid}/status")
    if "RssAnon:" not in status:
        for task in _threads(pid):
            with contextlib.suppress(OSError):  # gone meanwhile; the others are looked at
                other = _read(f"/proc/{pid}/task/{task}/status")
                if "RssAnon:" in other:
                    return int(task), other
    return pid, status


def _private(usage: _Usage) -> int:
    try:
        rollup = _read(f"/proc/{usage.thread}/smaps_rollup")
    except (FileNotFoundError, ProcessLookupError):
        # Gone, and its memory with it, unless it was this thread only that ended.
        left = _usage(usage.pid)
        return left.memory if left else 0
    except OSError:
        # Closed to us by the process itself.
        return usage.memory
    return _sum_of(rollup, ("Pss_Anon:", "Pss_Shmem:"))


def _in_sockets(pid: int) -> int:
    """Return how much memory the sockets of a sandbox can hold, all pairs full."""
    try:
        sockets = _read(f"/proc/{pid}/net/unix").count("\n") - 1
    except OSError:
        return 0
    return sockets * 2 * int(_read("/proc/sys/net/core/wmem_default"))


def _read(path: str) -> str:
    """Return a file of /proc. Students name their processes, in whatever bytes they like."""
    return Path(path).read_bytes().decode("latin-1")


def _sum_of(text: str, names: tuple[str, ...]) -> int:
    lines = [line.split() for line in text.splitlines() if line.startswith(names)]
    return sum(int(fields[1]) for fields in lines) * _KIB
