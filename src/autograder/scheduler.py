"""Spreads submissions over worker processes, and brings verdicts back as they come.

Dask does the spreading: a cluster on this machine. Student output crosses between its
processes as bytes only, never as objects.
"""

from __future__ import annotations

import logging
import os
import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import dask
from distributed import Client, LocalCluster, WorkerPlugin, as_completed, get_worker

from autograder.grader import Grader, Settings
from autograder.model import Submission, Verdict

_PLUGIN = "grader"
# More than any judge needs: a bound in case a result grows while it is compared.
_JUDGE_BYTES = 8 * 2**30
_ATTEMPTS = 3
_CONFIGURATION = {
    "distributed.worker.multiprocessing-method": "forkserver",
    # Nobody looks at what Dask would measure a hundred times a second.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
}


class _GraderPlugin(WorkerPlugin):
    """Gives a worker its grader, which lives as long as the worker."""

    name = _PLUGIN

    def __init__(self, settings: Settings):
        self.settings = settings

    def setup(self, worker) -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (_JUDGE_BYTES, _JUDGE_BYTES))
        self.grader = Grader(self.settings)
        self.grader.check_model_answers()

    def teardown(self, worker) -> None:
        self.grader.close()


def _grade(submissions: Sequence[Submission]) -> list[bytes]:
    grader = get_worker().plugins[_PLUGIN].grader
    return [grader.grade(submission).to_bytes() for submission in submissions]


@contextmanager
def cluster(settings: Settings, workers: int) -> Iterator[Client]:
    """Start worker processes, forked from one that has loaded all: see ``workers``.

    Args:
        settings: the set to grade.
        workers: how many.

    Raises:
        SandboxError: a worker's sandbox did not start.
    """
    with (
        dask.config.set(_CONFIGURATION),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,  # a judge silences streams, which are the process's
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,  # ours is above
            silence_logs=logging.CRITICAL,
            env=dict(os.environ),  # the process they are forked from may know an older one
        ) as local,
        Client(local) as client,
    ):
        client.register_plugin(_GraderPlugin(settings))
        yield client


def verdicts(
    client: Client, assignment: str, submissions: Sequence[Submission]
) -> Iterator[tuple[int, Verdict]]:
    """Grade submissions, and yield each one's index and verdict when it is there.

    A failure that is ours is tried again, up to three times in all.

    Args:
        client: of a cluster.
        assignment: the name of the set that the cluster grades.
        submissions: what to grade.
    """
    left = dict.fromkeys(range(len(submissions)), _ATTEMPTS)
    futures = {}

    def submit(indices: Sequence[int]):
        chosen = [submissions[index] for index in indices]
        future = client.submit(_grade, chosen, pure=False)
        futures[future] = indices
        return future

    size = _together(len(submissions), len(client.scheduler_info()["workers"]))
    waiting = as_completed([submit(some) for some in _pieces(range(len(submissions)), size)])
    for future in waiting:
        indices = futures.pop(future)
        found = _of(future, assignment, [submissions[index] for index in indices])
        future.release()
        for index, verdict in zip(indices, found, strict=True):
            left[index] -= 1
            if verdict.status == "infrastructure" and left[index]:
                # Alone: what made it fail may have been another's doing.
                waiting.add(submit([index]))
            else:
                yield index, verdict


def _together(submissions: int, workers: int) -> int:
    """Return how many submissions go to a worker at once.

    To send one alone costs Dask a seventh of what it takes to grade it. Few go together,
    so that all workers end at about the same time.
    """
    return min(max(submissions // (workers * 10), 1), 4)


def _pieces(indices: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    for start in range(0, len(indices), size):
        yield indices[start : start + size]


def _of(future, assignment: str, submissions: Sequence[Submission]) -> list[Verdict]:
    error = future.exception()
    if error is None:
        return [Verdict.from_bytes(content) for content in future.result()]
    reason = f"a worker failed: {type(error).__name__}: {error}"
    return [
        Verdict(submission.student_id, assignment, "infrastructure", reason)
        for submission in submissions
    ]
