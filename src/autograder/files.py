"""Files that are there whole or not at all, whenever a run is killed."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Write a file in one step, with the folders above it.

    One process at a time may write a path: what a killed one left is overwritten.

    Args:
        path: where; what was there is replaced.
        content: all of it.
        durable: whether it must also outlive a loss of power, which costs a write to
            the disk. Without it the file is still never half there.

    Raises:
        OSError: the folder cannot be written to, or the disk is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    with partial.open("wb") as file:
        file.write(content)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    partial.replace(path)
    if durable:
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name in a folder durable, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
