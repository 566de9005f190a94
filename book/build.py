"""Build the book: run the lessons whose results are out of date, then the pages.

Usage: python book/build.py. Any error or warning fails the build; the lessons that
ran stay in the cache, so the next build goes on from there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from traitlets.config import Config

from lessons import ROOT, fingerprint, lesson_paths

OUTPUT = ROOT / "_build"
# Jupyter Book looks for the results of notebooks here.
CACHE = OUTPUT / ".jupyter_cache"
SECONDS_PER_CELL = 300


def main() -> None:
    """Run what must run, write the pages, and say where they are."""
    started = time.monotonic()
    broken = run_lessons()
    if broken:
        sys.exit(f"\nNo book was written: {', '.join(broken)} failed, as shown above.")
    write_pages()
    seconds = time.monotonic() - started
    print(f"\nThe book is ready ({seconds:.0f} s): {OUTPUT / 'html' / 'index.html'}")


def run_lessons() -> list[str]:
    """Run each lesson that is not in the cache as it is now; return those that failed.

    One after the other, since some of them time what they do.
    """
    cache = get_cache(CACHE)
    paths = lesson_paths()
    broken = []
    for number, path in enumerate(paths, start=1):
        name = path.relative_to(ROOT).as_posix()
        label = f"[{number}/{len(paths)}] {name}"
        notebook = nbformat.read(path, as_version=4)
        expected = fingerprint(notebook)
        if cached_fingerprint(cache, notebook) == expected:
            print(f"{label}: unchanged", flush=True)
            continue
        print(f"{label}: running ...", flush=True)
        started = time.monotonic()
        try:
            run(notebook)
        except BrokenCell as error:
            print(f"\n{name}, {error}\n", file=sys.stderr, flush=True)
            broken.append(name)
            continue
        seconds = time.monotonic() - started
        data = {"execution_seconds": seconds, "fingerprint": expected}
        cache.cache_notebook_bundle(
            CacheBundleIn(notebook, str(path), data=data), check_validity=False, overwrite=True
        )
        print(f"{label}: done in {seconds:.1f} s", flush=True)
    return broken


def cached_fingerprint(cache, notebook: nbformat.NotebookNode) -> str | None:
    """Return what the cached run of these cells depended on; None without one."""
    try:
        return cache.match_cache_notebook(notebook).data.get("fingerprint")
    except KeyError:
        return None


class BrokenCell(Exception):
    """A cell failed; the message names it and ends in what it raised."""


def run(notebook: nbformat.NotebookNode) -> None:
    """Run a notebook in place, as a student does: alone in an empty folder."""
    current = {}

    def note(cell, cell_index):
        current.update(index=cell_index, id=cell.get("id", "without id"))

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as sockets:
        # Not over ports, which everyone on the machine could reach.
        config = Config({"KernelManager": {"transport": "ipc", "ip": f"{sockets}/kernel"}})
        client = NotebookClient(
            notebook,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            config=config,
            resources={"metadata": {"path": folder}},
            on_cell_start=note,
            coalesce_streams=True,  # a busy kernel sends a line in pieces
            record_timing=False,  # it would change the metadata the cache goes by
        )
        try:
            client.execute()
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            where = f"cell {current['index'] + 1} ({current['id']})"
            raise BrokenCell(f"{where}: {error}") from error


def write_pages() -> None:
    """Let Jupyter Book write every page; warnings and unresolved links are errors.

    It starts from nothing: pages that are gone must not stay behind, and pages that
    are not read again would not repeat their warnings.
    """
    shutil.rmtree(OUTPUT / "html", ignore_errors=True)
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [jupyter_book, "build", ROOT, "--all"]
    strict = ["--warningiserror", "--nitpick", "--keep-going"]
    environment = os.environ | {"PYTHONWARNINGS": "ignore::DeprecationWarning"}
    finished = subprocess.run([*command, *strict], env=environment, check=False)
    if finished.returncode:
        sys.exit("\nThe book has errors or warnings: see above.")


if __name__ == "__main__":
    main()
