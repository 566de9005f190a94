"""Push the edition and the book's pages to the public repository, one commit each."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import source, writing
from .address import BRANCH, PAGES_BRANCH, Repository

PAGES = source.ROOT / "_build" / "html"
# Holds the private half of the deploy key, where no key of the user's own is to be used.
KEY_VARIABLE = "STUDENT_DEPLOY_KEY"


def publish(repository: Repository, remote: str) -> None:
    """Replace what the two branches hold.

    Raises:
        ValueError: the book was built for another address, or could not be pushed.
    """
    _require_pages_of(repository)
    with tempfile.TemporaryDirectory() as name:
        edition, pages = Path(name, "edition"), Path(name, "pages")
        writing.write(edition, repository)
        shutil.copytree(PAGES, pages)
        # Or GitHub would leave out every folder whose name begins with "_".
        (pages / ".nojekyll").touch()
        origin = source.origin()
        writing.commit(pages, PAGES_BRANCH, f"The book, {origin.version}, from {origin.commit}")
        environment = _with_deploy_key(Path(name))
        for folder, branch in ((edition, BRANCH), (pages, PAGES_BRANCH)):
            _push(folder, branch, remote, environment)


def _require_pages_of(repository: Repository) -> None:
    """Pages hold the address they were built for: in their cards, buttons and downloads."""
    home = PAGES / "index.html"
    if not home.is_file() or f'href="{repository.book}' not in home.read_text(encoding="utf-8"):
        raise ValueError(f"the book in {PAGES} was not built for {repository.book}: run make book")


def _with_deploy_key(folder: Path) -> dict[str, str]:
    """Return the environment for git; with a deploy key, that key is the only one used."""
    key = os.environ.get(KEY_VARIABLE)
    if not key:
        return dict(os.environ)
    file = folder / "key"
    file.touch(mode=0o600)
    file.write_text(key.strip() + "\n")
    options = "-o IdentitiesOnly=yes -o StrictHostKeyChecking=accept-new"
    return os.environ | {"GIT_SSH_COMMAND": f"ssh -i {file} {options}"}


def _push(folder: Path, branch: str, remote: str, environment: dict[str, str]) -> None:
    command = ["git", "push", "--force", "--quiet", remote, f"HEAD:{branch}"]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ValueError(f"{branch} could not be pushed to {remote}: {done.stderr.strip()}")
