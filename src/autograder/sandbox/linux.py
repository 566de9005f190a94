"""The few system calls that Python 3.11 has no function for. Source: their man pages."""

from __future__ import annotations

import ctypes
import os
import signal
import struct

_libc = ctypes.CDLL(None, use_errno=True)
# The same, for calls during which Python's global lock must stay held.
_locked = ctypes.PyDLL(None, use_errno=True)

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x20000, 0x08000000, 0x10000000, 0x20000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND = 2, 4, 8, 4096
MS_REC, MS_PRIVATE = 16384, 1 << 18
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 24, 38
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_CAPABILITY_VERSION_3, _CAPSET = 0x20080522, {"x86_64": 126, "aarch64": 91}
_LAST_CAPABILITY = 63
_CLONE = {"x86_64": 56, "aarch64": 220}


def unshare(flags: int) -> None:
    """Give the calling process new namespaces. It must have one thread only."""
    _check(_libc.unshare(flags), "unshare")


def fork_into(namespaces: int) -> int:
    """Fork as ``os.fork`` does, the child in new namespaces.

    Of a process namespace the child is the first process. To enter one with ``unshare``
    would take two forks, and each copies the tables of a large process.

    Args:
        namespaces: the flags CLONE_NEW...

    Returns:
        The child's process id; 0 in the child.
    """
    number = _CLONE[os.uname().machine]
    # As in os.fork: Python is told before and after.
    _locked.PyOS_BeforeFork()
    pid = _locked.syscall(number, ctypes.c_ulong(namespaces | signal.SIGCHLD), *[None] * 4)
    if pid == 0:
        _locked.PyOS_AfterFork_Child()
    else:
        _locked.PyOS_AfterFork_Parent()
    _check(min(pid, 0), "clone")
    return pid


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system, or bind or change a mount, as flags say."""
    done = _libc.mount(
        source.encode(), target.encode(), kind.encode() or None, flags, options.encode() or None
    )
    _check(done, f"mount {target}")


def drop_capabilities() -> None:
    """Give up every capability, and the way to get one back."""
    for capability in range(_LAST_CAPABILITY + 1):
        # EINVAL: the kernel knows fewer.
        _libc.prctl(_PR_CAPBSET_DROP, ctypes.c_ulong(capability))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    number = _CAPSET[os.uname().machine]
    _check(_libc.syscall(number, header, struct.pack("6I", *[0] * 6)), "capset")


def set_filter(program: bytes) -> None:
    """Let a seccomp program judge every further system call of this process."""
    code = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: the number of instructions, and where they are.
    head = ctypes.create_string_buffer(struct.pack("HP", len(program) // 8, ctypes.addressof(code)))
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(head))


def _prctl(option: int, *values: int) -> None:
    numbers = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    _check(_libc.prctl(option, *numbers), "prctl")


def _check(done: int, what: str) -> None:
    if done:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
