"""Write the edition's files into a folder, and a folder's files into one commit."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from . import notebooks, project, source
from .address import BRANCH, Repository
from .readme import readme

AUTHOR = "The authors of Attention, derived"
# What working in the edition's folder leaves there.
_IGNORED = ".venv/\nbuild/\n*.egg-info/\n.ipynb_checkpoints/\n"
# Lies beside git's own files, so that it is no part of the edition.
_MARK = Path(".git", "student-edition")


def write(folder: Path, repository: Repository) -> int:
    """Write the edition into a folder as a repository of one commit.

    The same commit of the course gives the same commit of the edition.

    Returns:
        How many files the edition has.

    Raises:
        ValueError: the folder holds something that is no edition, or the course is
            not complete.
    """
    _empty(folder)
    files = _files(repository)
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    origin = source.origin()
    commit(folder, BRANCH, f"Attention, derived {origin.version}\n\nMade from {origin.commit}.")
    (folder / _MARK).touch()
    return len(files)


def _files(repository: Repository) -> dict[str, bytes]:
    """Return what the edition holds, by path."""
    origin = source.origin()
    paths = source.public_files()
    files = {path: (source.ROOT / path).read_bytes() for path in paths}
    shown = [path for path in paths if path.endswith(".ipynb")]
    for path in shown:
        files[path] = notebooks.for_students(path, repository, origin).encode()
    files[".gitignore"] = _IGNORED.encode()
    files["pyproject.toml"] = project.for_pip(files["pyproject.toml"].decode()).encode()
    files["README.md"] = readme(shown, repository, origin).encode()
    return files


def _empty(folder: Path) -> None:
    """Make a new folder, or remove an edition that was written there before."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARK).exists():
        raise ValueError(f"{folder} holds something else; wanted a new or empty folder")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def commit(folder: Path, branch: str, message: str) -> None:
    """Make a folder's files the one commit of a new repository.

    Author and date come from the course, never from who runs this or when.
    """
    names = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", AUTHOR), ("EMAIL", ""), ("DATE", source.date()))
    }
    # Nobody's own settings, hooks or signatures, nor the repository this is called from.
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TEMPLATE_DIR": ""}
    others = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = others | names | alone
    for arguments in (
        ["init", "--quiet", f"--initial-branch={branch}"],
        ["add", "--all", "--force"],
        ["commit", "--quiet", f"--message={message}"],
    ):
        subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True)
