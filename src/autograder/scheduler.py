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


def _grade(submission: Submission) -> bytes:
    return get_worker().plugins[_PLUGIN].grader.grade(submission).to_bytes()


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
    futures = {_submit(client, submissions, index): index for index in left}
    waiting = as_completed(futures)
    for future in waiting:
        index = futures.pop(future)
        left[index] -= 1
        verdict = _of(future, assignment, submissions[index])
        future.release()
        if verdict.status == "infrastructure" and left[index]:
            again = _submit(client, submissions, index)
            futures[again] = index
            waiting.add(again)
        else:
            yield index, verdict


def _submit(client: Client, submissions: Sequence[Submission], index: int):
    return client.submit(_grade, submissions[index], pure=False)


def _of(future, assignment: str, submission: Submission) -> Verdict:
    error = future.exception()
    if error is None:
        return Verdict.from_bytes(future.result())
    reason = f"a worker failed: {type(error).__name__}: {error}"
    return Verdict(submission.student_id, assignment, "infrastructure", reason)
