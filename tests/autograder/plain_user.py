"""Runs a command as a plain user: one without capabilities and without other groups.

Usage, as root: python -m tests.autograder.plain_user HOME COMMAND...

What the command needs may lie below folders that are closed to others: the interpreter
below /root, say, and pytest's own folders. The command sees open folders in their place.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from tests.notebooks import ROOT

from autograder.sandbox import linux

# Of user and group; neither has to exist.
UID = 12345


def main() -> None:
    """Open the way to what the command needs, become the user, and run it."""
    home, *command = sys.argv[1:]
    os.umask(0o022)
    # Seen by the command and what it starts only, and gone with them.
    linux.unshare(linux.CLONE_NEWNS)
    linux.mount("none", "/", flags=linux.MS_REC | linux.MS_PRIVATE)
    open_the_way(Path(sys.prefix), Path(sys.base_prefix), ROOT, Path(home))
    become_plain(home)
    os.execvp(command[0], command)


def open_the_way(*folders: Path) -> None:
    """Cover closed folders above these with open ones that hold nothing else.

    Nothing below /proc is touched: the kernel lets a plain user mount a /proc only where
    all of the present one is in sight.
    """
    # Before anything is covered. Sorted, a folder comes before those in it.
    handles = {folder: os.open(folder, os.O_PATH) for folder in sorted(folders)}
    for folder, handle in handles.items():
        closed = _closed_above(folder)
        if closed is not None:
            linux.mount("tmpfs", str(closed), "tmpfs", linux.MS_NOSUID, "mode=0755")
        if not folder.exists():
            folder.mkdir(parents=True)
            source = f"/proc/self/fd/{handle}"
            linux.mount(source, str(folder), flags=linux.MS_BIND | linux.MS_REC)


def _closed_above(folder: Path) -> Path | None:
    """Return the topmost folder above one that lets only its owner or group through."""
    above = reversed(folder.parents)
    return next((f for f in above if f.exists() and not f.stat().st_mode & stat.S_IXOTH), None)


def become_plain(home: str) -> None:
    """Become the user, whose files are all in one folder. There is no way back.

    Args:
        home: the folder.
    """
    os.chown(home, UID, UID)
    os.environ |= {"HOME": home, "TMPDIR": home}
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    # The kernel takes all capabilities with it.
    os.setresuid(UID, UID, UID)


if __name__ == "__main__":
    main()
