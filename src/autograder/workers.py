"""The process that workers are forked from, with all loaded that they need.

It starts in a moment and then loads for a second or two, while the grader itself loads.
"""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing import forkserver

_LOADED = ["autograder.grader", "autograder.scheduler", "distributed.nanny", "tutor.checks"]
# As Dask sets them: every worker has one processor.
_ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def warm_up() -> None:
    """Start the process, and return at once."""
    multiprocessing.set_forkserver_preload(_LOADED)
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        forkserver.ensure_running()
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
