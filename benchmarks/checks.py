"""How long the problem sets' checks take: with right answers, and with wrong ones.

Usage: python -m benchmarks.checks [--pairs 40] [SET ...]. A wrong answer costs more than
a right one, since its mistake is looked for: for every function all known mistakes, a
sample of their pairs, and some strange answers run against the set's visible checks.
Checks are given in seconds of CPU time, and whole notebooks in seconds through a kernel,
its start included and hidden tests left out: solved, and with the slowest known mistake
of every function.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from statistics import median

import nbformat
import numpy as np
from nbclient import NotebookClient
from tests.notebooks import ROOT, read
from tests.problem_sets import FAMILIES, ProblemSet
from traitlets.config import Config

from tutor import mistakes
from tutor.checks import fingerprint

ROUNDS = 5
SETS = sorted({name for name, _ in FAMILIES})


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=40, help="pairs of mistakes a function")
    parser.add_argument("sets", nargs="*", default=SETS)
    options = parser.parse_args()
    print(f"{'right answers':24}{'visible':>9}{'hidden':>9}{'kernel':>9}")
    for name in options.sets:
        visible, hidden = (right_answers(name, is_visible) for is_visible in (True, False))
        kernel = through_a_kernel(name, {})
        print(f"{name:24}{visible:9.3f}{hidden:9.3f}{kernel:9.1f}", flush=True)
    print(f"\n{'wrong answers':24}{'answers':>9}{'median':>9}{'slowest':>9}{'kernel':>9}")
    for name in options.sets:
        wrong_answers(name, options.pairs)


def right_answers(name: str, is_visible: bool) -> float:
    """Return the median CPU seconds of a set's visible or hidden checks."""
    problem_set = ProblemSet(name)
    functions = [function for set_, function in FAMILIES if set_ == name]
    cells = {cell for function in functions for cell in problem_set.checks(function)}
    chosen = [cell for cell in cells if cell.endswith("-check") == is_visible]
    return median(cpu(problem_set, chosen) for _ in range(ROUNDS))


def wrong_answers(name: str, pairs: int) -> None:
    """Print a row for each function of a set, and one for all of them together."""
    problem_set, total, slowest_known = ProblemSet(name), 0.0, {}
    for function in (function for set_, function in FAMILIES if set_ == name):
        visible = [cell for cell in problem_set.checks(function) if cell.endswith("-check")]
        times = {}
        for label, answer in answers(name, function, pairs):
            fingerprint.KNOWN.clear()  # a student's first wrong answer meets it empty
            times[label] = cpu(problem_set, visible, {function: answer})
        slowest = max(times, key=times.__getitem__)
        total += times[slowest]
        known = {mistake.id for mistake in FAMILIES[name, function].mistakes}
        slowest_known[function] = max(known, key=times.__getitem__)
        row = f"{len(times):9}{median(times.values()):9.3f}{times[slowest]:9.3f}"
        print(f"  {function:22}{row}{'':11}{slowest}", flush=True)
    kernel = through_a_kernel(name, slowest_known)
    print(f"{name:24}{'':18}{total:9.3f}{kernel:9.1f}  all of these", flush=True)


def cpu(problem_set: ProblemSet, cells: list[str], given: dict | None = None) -> float:
    """Return the CPU seconds that some cells of checks take."""
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        started = time.process_time()
        problem_set.run(given, only=cells)
        return time.process_time() - started


def answers(name: str, function: str, pairs: int) -> Iterator[tuple[str, Callable]]:
    """Yield named wrong answers to one function."""
    known = FAMILIES[name, function]
    yield from ((mistake.id, mistake) for mistake in known.mistakes)
    both = list(known.pairs())
    picks = np.random.default_rng(len(both)).permutation(len(both))[:pairs]
    yield from ((both[i].id, both[i]) for i in sorted(picks))
    right = ProblemSet(name).space()[function]
    yield from strange(right)
    for mistake in known.mistakes[:3]:
        yield f"sometimes {mistake.id}", sometimes(right, mistake)


def strange(right: Callable) -> Iterator[tuple[str, Callable]]:
    """Yield answers that no known mistake explains, or only in part."""

    def spoilt(spoil: Callable) -> Callable:
        def answer(*args, **kwargs):
            result = right(*args, **kwargs)
            if isinstance(result, tuple):
                return tuple(spoil(np.asarray(part)) for part in result)
            return spoil(np.asarray(result))

        return answer

    numbers = np.random.default_rng(0)
    yield "random numbers", spoilt(lambda x: numbers.normal(size=x.shape))
    yield "noise", spoilt(lambda x: x + np.cos(np.arange(x.size)).reshape(x.shape) / 50)
    yield "more by 0.1", spoilt(lambda x: x + 0.1)
    yield "first entry off", spoilt(lambda x: x + 0.5 * (np.arange(x.size) == 0).reshape(x.shape))
    yield "zeros", spoilt(lambda x: 0 * x)
    yield "NaN", spoilt(lambda x: np.full(x.shape, np.nan))
    yield "wrong shape", spoilt(lambda x: np.stack([x, x]))
    yield "nothing", lambda *args, **kwargs: None
    yield "an exception", lambda *args, **kwargs: 1 / 0


def sometimes(right: Callable, wrong: Callable) -> Callable:
    """Return an answer that makes a mistake in all calls but the first two."""
    calls = iter((right, right))
    return lambda *args, **kwargs: next(calls, wrong)(*args, **kwargs)


def through_a_kernel(name: str, made: dict[str, str]) -> float:
    """Return the seconds that a student's run takes with these mistakes, by function."""
    notebook = read(ROOT / "solutions" / name / f"{name}.ipynb")
    notebook.cells = [c for c in notebook.cells if not c.metadata.get("nbgrader", {}).get("grade")]
    families = {id(family): label for label, family in vars(mistakes).items()}
    for function, mistake_id in made.items():
        family = families[id(FAMILIES[name, function])]
        source = f"from tutor import mistakes\n{function} = mistakes.{family}[{mistake_id!r}]"
        cell = next(c for c in notebook.cells if c.source.startswith(f"def {function}("))
        cell.source = source
    return run(notebook)


def run(notebook: nbformat.NotebookNode) -> float:
    """Return the seconds that all cells of a notebook take, past errors."""
    with tempfile.TemporaryDirectory() as folder:
        sockets = Config({"KernelManager": {"transport": "ipc", "ip": f"{folder}/kernel"}})
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, config=sockets, resources=resources, allow_errors=True)
        started = time.perf_counter()
        client.execute()
        return time.perf_counter() - started


if __name__ == "__main__":
    main()
