"""Starts the sandbox's parent inside bubblewrap.

Run as ``python -m autograder.sandbox.launch JSON SOCKETS`` it is the step that only root needs:
it binds what the sandbox shows to places that anybody may read (an interpreter below a
closed home directory, say), becomes nobody, and only then starts bubblewrap. Started so,
bubblewrap lets each guest mount a /proc of its own.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO

from autograder.errors import GradingError
from autograder.limits import Limits
from autograder.sandbox import linux
from autograder.sandbox.cage import HOME

_NOBODY = 65534
_SYSTEM = (
    "/usr",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/localtime",
    "/var/cache/fontconfig",
)
_LINKS = ("bin", "lib", "lib32", "lib64", "sbin")
_ONE_THREAD = ("OMP", "OPENBLAS", "MKL", "NUMEXPR")
_STAGES = ("/mnt", "/media", "/srv", "/opt", "/tmp")


class SandboxError(GradingError):
    """The sandbox cannot be had; the message says why and what to do."""


def find_bubblewrap() -> str:
    """Return the path of bubblewrap.

    Raises:
        SandboxError: it is not installed.
    """
    path = shutil.which("bwrap")
    if path is None:
        raise SandboxError(
            "bubblewrap is not installed, and without it students' code would run "
            "unprotected. Install it: apt install bubblewrap (Debian, Ubuntu), "
            "dnf install bubblewrap (Fedora)."
        )
    return path


def start_parent(
    limits: Limits,
    modules: Sequence[str],
    packages: Sequence[str],
    unprotected_home: str,
    listener: socket.socket,
    keeper: socket.socket,
    log: IO[bytes],
) -> subprocess.Popen:
    """Start the warm process.

    Args:
        limits: what guests may use.
        modules: what it loads before, so that students' imports cost nothing.
        packages: packages of the course that students may import, visible inside.
        unprotected_home: runs students' code as you, unprotected, with its files in this
            folder; "" runs it in bubblewrap.
        listener: where it takes connections.
        keeper: it ends when the other side of this is closed.
        log: takes what it says.

    Raises:
        SandboxError: bubblewrap is not there.
    """
    shown = _shown(["autograder", *packages])
    settings = {
        "limits": asdict(limits),
        "modules": list(modules),
        "unprotected_home": unprotected_home,
        "shown": shown,
    }
    environment = _environment(shown, unprotected_home or HOME)
    inner = [sys.executable, "-P", "-m", "autograder.sandbox.parent", json.dumps(settings)]
    command = inner if unprotected_home else _isolated(shown, environment, inner)
    numbers = [listener.fileno(), keeper.fileno()]
    return subprocess.Popen(
        [*command, *map(str, numbers)],
        env={"PATH": os.environ.get("PATH", os.defpath)} | environment,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        pass_fds=numbers,
    )


def _shown(packages: list[str]) -> list[str]:
    """Return the folders that must be visible inside: interpreter and packages."""
    folders = {Path(sys.prefix), Path(sys.base_prefix)}
    for package in packages:
        found = importlib.util.find_spec(package)
        if found is not None and found.submodule_search_locations:
            folders.add(Path(next(iter(found.submodule_search_locations))).resolve())
    others = {Path("/usr"), *folders}
    return sorted(str(f) for f in folders if f != Path("/usr") and not others & set(f.parents))


def _is_above(place: str, shown: list[str]) -> bool:
    return any(Path(place) in Path(folder).parents for folder in shown)


def _environment(shown: list[str], home: str) -> dict[str, str]:
    packages = [Path(folder) for folder in shown if (Path(folder) / "__init__.py").exists()]
    places = {str(package.parent) for package in packages}
    return {
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "PYTHONPATH": os.pathsep.join(sorted(places)),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": home,
        "TMPDIR": home,
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "LANG": "C.UTF-8",
    } | {f"{library}_NUM_THREADS": "1" for library in _ONE_THREAD}


def _isolated(shown: list[str], environment: dict[str, str], inner: list[str]) -> list[str]:
    """Return the command that runs another one in bubblewrap."""
    command = [find_bubblewrap(), "--unshare-all", "--die-with-parent", "--new-session"]
    command += ["--clearenv", "--cap-drop", "ALL"]
    for path in _SYSTEM:
        command += ["--ro-bind-try", path, path]
    for name in _LINKS:
        if Path("/", name).is_symlink():
            command += ["--symlink", f"usr/{name}", f"/{name}"]
        else:
            command += ["--ro-bind-try", f"/{name}", f"/{name}"]
    command += ["--proc", "/proc", "--dev", "/dev", "--dir", "/tmp"]
    # The parent's own; each guest gets another over it.
    command += ["--tmpfs", HOME]
    tail = []
    for name, value in environment.items():
        tail += ["--setenv", name, value]
    tail += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME, "--", *inner]
    if os.getuid() == 0:
        plan = {"command": command, "shown": shown, "tail": tail}
        # The numbers of the sockets follow.
        return [sys.executable, "-P", "-m", "autograder.sandbox.launch", json.dumps(plan)]
    for folder in shown:
        command += ["--ro-bind", folder, folder]
    return command + tail


def _as_nobody(plan: dict[str, list[str]], numbers: list[str]) -> None:
    """Bind what is to be shown to an open place, become nobody, and run bubblewrap."""
    linux.unshare(linux.CLONE_NEWNS)
    linux.mount("none", "/", flags=linux.MS_REC | linux.MS_PRIVATE)
    # Seen by this process and what it starts only, and gone with them.
    stage = next(
        Path(place)
        for place in _STAGES
        if Path(place).is_dir() and not _is_above(place, plan["shown"])
    )
    linux.mount("tmpfs", str(stage), "tmpfs", linux.MS_NOSUID, "mode=0755")
    command = list(plan["command"])
    for i, folder in enumerate(plan["shown"]):
        place = stage / str(i)
        place.mkdir()
        linux.mount(folder, str(place), flags=linux.MS_BIND | linux.MS_REC)
        command += ["--ro-bind", str(place), folder]
    os.setgroups([])
    os.setresgid(_NOBODY, _NOBODY, _NOBODY)
    os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    command += [*plan["tail"], *numbers]
    os.execv(command[0], command)


if __name__ == "__main__":
    _as_nobody(json.loads(sys.argv[1]), sys.argv[2:])
