"""Grading a class: ours beside stock ``nbgrader autograde``, on the same submissions.

Both give verdicts, a gradebook and feedback. Submissions are right answers in all styles
that the tests know, and one in four with a mistake that no hint fits. What one more
submission costs is measured on one processor, as the difference between two classes.
Run as

    python benchmarks/grading.py [--rounds 3] [--large 1000] [--without-stock]
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import psutil

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.problem_sets import right_answers  # noqa: E402
from tests.test_exercises import STOCK  # noqa: E402

# All notebooks import torch, by the headers of the answers or by this.
SETS = {"ps4_masking": "", "ps1_soft_lookup": "import torch\n"}
MORE = 100
MISTAKE = """

right = attention
def attention(*args, **kwargs):
    output, weights = right(*args, **kwargs)
    return output, 1.1 * np.asarray(weights)
"""


def main() -> None:
    """Time both graders on each set, then ours on a large class, and print a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--students", type=int, default=40)
    options.add_argument("--rounds", type=int, default=1, help="the median of so many counts")
    options.add_argument("--large", type=int, default=0, help="also grade so many with ours")
    options.add_argument("--without-stock", action="store_true")
    options.add_argument("--only", choices=SETS, help="one set instead of both")
    chosen = options.parse_args()
    print(f"{os.cpu_count()} cores, {chosen.students} submissions a set\n")
    print(
        f"{'set':18} {'grader':8} {'students':>8} {'seconds':>8} {'each, ms':>9} {'peak, MiB':>9}"
    )
    for name in [chosen.only] if chosen.only else SETS:
        if not chosen.without_stock:
            _compare(name, chosen.students, chosen.rounds)
        _find_cost_of_one_more(name, chosen.students, chosen.rounds)
        if chosen.large:
            with _course(name, chosen.large) as course:
                seconds = _report(name, "ours", chosen.large, _ours, course)
            _say(f"{chosen.large / seconds:.1f} submissions a second")


def _compare(name: str, students: int, rounds: int) -> None:
    """Time both graders in turn."""
    ratios = []
    for _ in range(rounds):
        with _course(name, students) as course:
            ours = _report(name, "ours", students, _ours, course)
            _prepare_stock(course, name)
            ratios.append(_report(name, "stock", students, _stock, course) / ours)
    _say(f"stock takes {statistics.median(ratios):.1f} times as long")


def _find_cost_of_one_more(name: str, students: int, rounds: int) -> None:
    """Time two classes in turn on one processor."""
    costs = []
    for _ in range(rounds):
        seconds = []
        for number in (students, students + MORE):
            with _course(name, number) as course:
                seconds.append(_report(name, "one core", number, _on_one_core, course))
        costs.append((seconds[1] - seconds[0]) / MORE)
    _say(f"one more costs {statistics.median(costs) * 1e3:.0f} ms of one core")


def _say(text: str) -> None:
    print(f"{'':18} {text}", flush=True)


@contextmanager
def _course(name: str, students: int) -> Iterator[Path]:
    """Make a course folder of nbgrader's with submissions in it."""
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        shutil.copytree(ROOT / "solutions" / name, course / "solutions" / name)
        shutil.copytree(ROOT / "exercises" / name, course / "exercises" / name)
        for number, content in zip(range(students), _notebooks(name, SETS[name]), strict=False):
            place = course / "submitted" / f"student{number:04}" / name
            place.mkdir(parents=True)
            (place / f"{name}.ipynb").write_text(content)
        yield course


def _notebooks(name: str, beginning: str) -> Iterator[str]:
    """Yield solved notebooks, in one style after another, one in four with a mistake."""
    styles = {function: itertools.cycle(found) for function, found in _answers(name).items()}
    for number in itertools.count():
        notebook = nbformat.read(ROOT / "exercises" / name / f"{name}.ipynb", as_version=4)
        for cell in notebook.cells:
            for function in styles:
                if cell.metadata.nbgrader.solution and f"def {function}(" in cell.source:
                    cell.source = beginning + next(styles[function])
                    if function == "attention" and number % 4 == 3:
                        cell.source += MISTAKE
        yield json.dumps(notebook)


def _answers(name: str) -> dict[str, list[str]]:
    return {function: list(found.values()) for function, found in right_answers(name).items()}


def _ours(course: Path, name: str) -> None:
    _grade(course, name, workers=2)


def _on_one_core(course: Path, name: str) -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})  # and for all that it starts
    try:
        _grade(course, name, workers=1)
    finally:
        os.sched_setaffinity(0, allowed)


def _grade(course: Path, name: str, workers: int) -> None:
    places = {"course": course, "submissions": course / "submitted"}
    places["out"] = Path(tempfile.mkdtemp(dir=course))
    options = [text for name, place in places.items() for text in (f"--{name}", str(place))]
    grade = [sys.executable, "-m", "autograder", "grade", name]
    _run([*grade, *options, "--workers", str(workers)], course)


def _prepare_stock(course: Path, name: str) -> None:
    """Make nbgrader's database, and let it grade alone."""
    ours = (ROOT / "nbgrader_config.py").read_text()
    (course / "nbgrader_config.py").write_text(ours)
    _run([sys.executable, "-m", "nbgrader", "generate_assignment", name, "--force"], course)
    (course / "nbgrader_config.py").write_text(ours + STOCK)


def _stock(course: Path, name: str) -> None:
    """Grade and make feedback with nbgrader."""
    _run([sys.executable, "-m", "nbgrader", "autograde", name], course)
    _run([sys.executable, "-m", "nbgrader", "generate_feedback", name], course)


def _report(name: str, grader: str, students: int, grade, course: Path) -> float:
    with _peak_memory() as peak:
        start = time.perf_counter()
        grade(course, name)
        seconds = time.perf_counter() - start
    each = seconds / students * 1e3
    memory = peak[0] / 2**20
    print(f"{name:18} {grader:8} {students:8} {seconds:8.1f} {each:9.0f} {memory:9.0f}", flush=True)
    return seconds


def _run(command: list[str], folder: Path) -> None:
    scripts = str(Path(sys.executable).parent)  # nbgrader starts alembic by name
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:5])} failed:\n{done.stderr[-3000:]}")


@contextmanager
def _peak_memory() -> Iterator[list[int]]:
    """Watch how much memory this process's descendants use together, shared pages once."""
    peak, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(1.0):
            total = 0
            for process in psutil.Process().children(recursive=True):
                try:
                    total += process.memory_full_info().pss
                except psutil.NoSuchProcess:
                    continue
            peak[0] = max(peak[0], total)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield peak
    finally:
        done.set()
        watcher.join()


if __name__ == "__main__":
    main()
