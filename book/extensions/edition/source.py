"""What the edition is made from: the files git tracks, the version and the commit."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import sdpa

ROOT = Path(__file__).resolve().parents[3]
# What is public. All else stays here, whatever is added.
PUBLIC = (
    "lessons/*.ipynb",
    "exercises/*.ipynb",
    "src/sdpa/*",
    "src/tutor/*",
    "CITATION.cff",
    "LICENSE",
    "pyproject.toml",
)


@dataclass(frozen=True)
class Origin:
    """The version and the commit that something is made from.

    The commit is shortened, ends in "-dirty" where files were changed since, and is
    empty outside of a git repository.
    """

    version: str
    commit: str


def origin() -> Origin:
    """Return what this copy of the course is."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*", "--abbrev=12"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return Origin(sdpa.__version__, done.stdout.strip())


def public_files() -> list[str]:
    """Return the paths of the public files, sorted; those git does not track are none."""
    # In git's own patterns "*" goes through folders.
    return sorted(_git("ls-files", "-z", "--", *PUBLIC).split("\0")[:-1])


def date() -> str:
    """Return when the commit was made, in seconds and zone, as git takes it."""
    return _git("log", "-1", "--format=%cd", "--date=raw").strip()


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ValueError(f"the edition is made from a git repository, but {done.stderr.strip()}")
    return done.stdout
