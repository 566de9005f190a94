"""Closes the calling process in: its own namespaces, files and limits, and no way back."""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path

from autograder.limits import Limits
from autograder.sandbox import linux, seccomp

NAMESPACES = linux.CLONE_NEWUSER | linux.CLONE_NEWPID | linux.CLONE_NEWNS | linux.CLONE_NEWIPC
HOME = "/home/student"
# Where a guest may write; its working folder is the first.
SCRATCH = (HOME, "/dev/shm", "/tmp")
# What a process may map without using it: libraries reserve more than they touch.
_UNTOUCHED = 4 * 2**30


def keep_user(uid: int, gid: int) -> None:
    """Be in the new user namespace who one was outside."""
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def hide_everything(limits: Limits, shown: list[str]) -> None:
    """Mount a /proc that shows these processes only, and empty places for files.

    Args:
        limits: how much each place holds.
        shown: folders of the course that stay visible, also below one of the places.
    """
    linux.mount("none", "/", flags=linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("proc", "/proc", "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    covered = {
        folder: os.open(folder, os.O_PATH)
        for folder in shown
        if any(Path(place) in Path(folder).parents for place in SCRATCH)
    }
    options = f"size={limits.disk},nr_inodes=10000,mode=0700"
    for place in SCRATCH:
        linux.mount("tmpfs", place, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, options)
    for folder, handle in covered.items():
        os.makedirs(folder)
        linux.mount(f"/proc/self/fd/{handle}", folder, flags=linux.MS_BIND | linux.MS_REC)
    os.chdir(HOME)


def bound(limits: Limits) -> None:
    """Set the limits that the kernel itself keeps. ``watch`` keeps the others."""
    pages = [int(field) for field in Path("/proc/self/statm").read_text().split()]
    size, data = (pages[i] * resource.getpagesize() for i in (0, 5))
    for which, value in (
        # A memory bomb meets this one, as a MemoryError, before ``watch`` stops it.
        (resource.RLIMIT_DATA, data + limits.memory * 7 // 8),
        (resource.RLIMIT_AS, size + limits.memory + _UNTOUCHED),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_CPU, int(limits.total_cpu) + 1),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(which, (value, value))
    # A file that grows too large is an OSError, not the end of the process.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def throw_away_the_key() -> None:
    """Drop capabilities, and the system calls that lead out."""
    linux.drop_capabilities()
    linux.set_filter(seccomp.program(os.uname().machine))


def close_files(keep: int) -> None:
    """Close all files but one; standard streams lead nowhere.

    Args:
        keep: the number of the one that stays open.
    """
    nowhere = os.open("/dev/null", os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.closerange(3, keep)
    # The parent has a handful.
    os.closerange(keep + 1, 1024)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - it stays open as long as the process
