"""Run a notebook as Colab runs one that somebody opened from the student edition."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from edition.address import Repository

LAUNCH = Path(__file__).parent / "kernel" / "launch.py"
SECONDS_PER_CELL = 300


def run(
    notebook: nbformat.NotebookNode, folder: Path, python: Path, mirror: Path, of: Repository
) -> None:
    """Run all cells in place; the first that fails ends the run with its error.

    Args:
        notebook: what to run.
        folder: the folder it lies in, alone.
        python: the environment's Python.
        mirror: a clone of the repository, which stands in for it.
        of: the repository, whose address git is told to look for in the clone.
    """
    beside = folder.parent
    settings = beside / "gitconfig"
    settings.write_text(f'[url "{mirror}"]\n    insteadOf = {of.url}\n')
    # This course's own sources must not be found, nor anybody's settings.
    variables = {
        "GIT_CONFIG_GLOBAL": str(settings),
        "PYTHONPATH": "",
        "IPYTHONDIR": str(beside / "ipython"),
        "MPLCONFIGDIR": str(beside / "matplotlib"),
    }
    command = [str(python), str(LAUNCH), "-f", "{connection_file}"]
    spec = {"argv": command, "display_name": "Python 3", "language": "python", "env": variables}
    (beside / "kernels" / "python3").mkdir(parents=True)
    (beside / "kernels" / "python3" / "kernel.json").write_text(json.dumps(spec))
    specs = KernelSpecManager(kernel_dirs=[str(beside / "kernels")], ensure_native_kernel=False)
    kernel = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=specs)
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, km=kernel, timeout=SECONDS_PER_CELL, resources=resources)
    client.execute(cleanup_kc=True)


def seconds(cell: nbformat.NotebookNode) -> float:
    """Return how long a cell took in that run."""
    times = cell.metadata.execution
    started, ended = times["iopub.execute_input"], times["shell.execute_reply"]
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds()
