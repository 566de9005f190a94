"""What to type to work with the notebooks on a machine of one's own."""

from __future__ import annotations

from .address import Repository


def install(repository: Repository) -> str:
    """Return the lines that fetch the edition and install what its notebooks use."""
    return (
        f"git clone {repository.url}\n"
        f"cd {repository.name}\n"
        "python3 -m venv .venv\n"
        '.venv/bin/pip install ".[lessons]" jupyterlab'
    )


def open_in_jupyterlab(path: str) -> str:
    """Return the line that opens a notebook; after ``make book`` it is the same one."""
    return f".venv/bin/jupyter lab {path}"
