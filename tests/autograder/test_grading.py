"""The command as an instructor gives it: from a messy folder to results, and again."""

import contextlib
import csv
import json
import shutil
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from tests.notebooks import ROOT, read
from typer.testing import CliRunner

from autograder import scheduler
from autograder.command import app
from autograder.doctor import findings
from autograder.grader import Grader, NotSolved, Settings
from autograder.model import Submission, Verdict
from autograder.names import folder_name
from autograder.sandboxes import Plan, Sandboxes

SET = "ps5_costs"
DUE = "2026-10-05T17:00"
SOLVED = (ROOT / "solutions" / SET / f"{SET}.ipynb").read_bytes()
UNSOLVED = (ROOT / "exercises" / SET / f"{SET}.ipynb").read_bytes()


def answered(**sources):
    """Return what students are given, with answers in it: by grade id, the solution's else."""
    notebook = read(ROOT / "exercises" / SET / f"{SET}.ipynb")
    solutions = {
        cell.id: cell.source for cell in read(ROOT / "solutions" / SET / f"{SET}.ipynb").cells
    }
    for cell in notebook.cells:
        if cell.metadata.nbgrader.solution:
            cell.source = sources.get(cell.id.replace("-", "_"), solutions[cell.id])
    return json.dumps(notebook).encode()


LOOP = answered(crossover_length="def crossover_length(d_model):\n    while True: pass")
EXIT = answered(attention_flops="import os\ndef attention_flops(*sizes):\n    os._exit(3)")
STUDENTS = {
    "Ada": answered(),
    "bob, jr.": UNSOLVED,
    "Zoë": LOOP,
    "=1+1": EXIT,
    "html": b"<!DOCTYPE html><html></html>",
    "half": SOLVED[:4000],
}


@pytest.fixture(scope="module")
def submitted(tmp_path_factory):
    """A zip of notebooks, as somebody packed it."""
    path = tmp_path_factory.mktemp("handed in") / "class.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for student, content in STUDENTS.items():
            archive.writestr(f"class/{student}/{SET}/{SET}.ipynb", content)
        archive.writestr(f"class/Ada/{SET}/timestamp.txt", "2026-10-05 16:00:00 UTC")
        archive.writestr(f"class/Zoë/{SET}/timestamp.txt", "2026-10-05 15:30:00")
        archive.writestr("__MACOSX/class/._Ada", b"rubbish")
    return path


def command(submitted, out, *options):
    arguments = ["grade", SET, "--submissions", str(submitted), "--out", str(out)]
    return [*arguments, "--course", str(ROOT), "--workers", "2", *options]


TIMES = ("--due", DUE, "--timezone", "Europe/Berlin")


@pytest.fixture(scope="module")
def graded(submitted, tmp_path_factory):
    """All results of one run, and what it printed."""
    out = tmp_path_factory.mktemp("results")
    done = CliRunner().invoke(app, command(submitted, out, *TIMES))
    assert done.exit_code == 0, done.output
    return out, done.output


def rows(out):
    with open(out / "grades.csv", newline="", encoding="utf-8") as file:
        return {row["student_id"].removeprefix("'"): row for row in csv.DictReader(file)}


def test_everybody_has_a_verdict(graded):
    found = rows(graded[0])
    assert found.keys() == STUDENTS.keys()
    assert {name for name, row in found.items() if row["status"] == "refused"} == {"html", "half"}
    scores = {name: float(row["score"]) for name, row in found.items()}
    automatic = sum(
        cell.metadata.nbgrader.get("points", 0)
        for cell in read(ROOT / "solutions" / SET / f"{SET}.ipynb").cells
        if cell.metadata.nbgrader.grade and not cell.metadata.nbgrader.solution
    )
    assert scores == {
        "Ada": automatic,
        "bob, jr.": 0,
        "Zoë": automatic - 2,
        "=1+1": automatic - 3,
        "html": 0,
        "half": 0,
    }


def test_reasons_are_there_for_each_test(graded):
    lines = map(json.loads, (graded[0] / "results.jsonl").read_text().splitlines())
    outcomes = {(line["student_id"], line["test_id"]): line["outcome"] for line in lines}
    assert outcomes["Zoë", "crossover-length-sizes"] == "time"
    assert outcomes["=1+1", "attention-flops-small"] == "crash"
    assert outcomes["=1+1", "cached-decode-steps"] == "passed"
    assert outcomes["Ada", "question"] == "ungraded"


def test_late_is_what_the_clock_in_the_courses_zone_says(graded):
    late = {name: row["late_seconds"] for name, row in rows(graded[0]).items()}
    assert float(late["Ada"]) == 3600  # 16:00 UTC is 18:00 in Berlin
    assert float(late["Zoë"]) == 0
    assert late["bob, jr."] == ""


def test_the_gradebook_has_the_scores(graded):
    with Gradebook(f"sqlite:///{graded[0]}/gradebook.db") as book:
        scores = {s.student.id: s.score for s in book.assignment_submissions(SET)}
    table = rows(graded[0])
    assert scores == {folder_name(name): float(row["score"]) for name, row in table.items()}


def test_each_student_has_a_page_without_hidden_tests(graded):
    pages = list((graded[0] / "feedback").glob(f"*/{SET}.html"))
    assert len(pages) == len(STUDENTS)
    for page in pages:
        assert "secret_seed" not in page.read_text(encoding="utf-8")


def test_the_summary_says_what_came_of_it(graded):
    assert "6 submissions" in graded[1]
    assert "half: The file ends in the middle" in graded[1]


def test_the_same_command_again_repeats_nothing_and_writes_the_same(graded, submitted, monkeypatch):
    def no_cluster(*arguments):
        raise AssertionError("finished work was begun again")

    monkeypatch.setattr(scheduler, "cluster", no_cluster)
    before = {name: (graded[0] / name).read_bytes() for name in ("grades.csv", "results.jsonl")}
    assert CliRunner().invoke(app, command(submitted, graded[0], *TIMES)).exit_code == 0
    assert before == {name: (graded[0] / name).read_bytes() for name in before}


def test_a_killed_run_goes_on_where_it_was_and_leaves_no_process(graded, submitted, tmp_path):
    run = [sys.executable, "-m", "autograder", *command(submitted, tmp_path, *TIMES)]
    with subprocess.Popen(run, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        while not list(tmp_path.glob(".results/*/*.json")):
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
        process.kill()
    assert not (tmp_path / "grades.csv").exists()
    assert CliRunner().invoke(app, command(submitted, tmp_path, *TIMES)).exit_code == 0
    assert (tmp_path / "grades.csv").read_bytes() == (graded[0] / "grades.csv").read_bytes()
    end = time.monotonic() + 20
    while _sandboxes_of(process.pid) and time.monotonic() < end:
        time.sleep(0.1)
    assert not _sandboxes_of(process.pid)


def _sandboxes_of(session):
    """Return the processes of a session that run or lead to student code."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                text = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z" and b"sandbox" in text:
                found.append(entry.name)
    return found


def test_a_flat_folder_serves_as_well(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"Copy of ada_{SET} (1).ipynb").write_bytes(answered())
    done = CliRunner().invoke(app, command(tmp_path / "in", tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert rows(tmp_path / "out").keys() == {"ada"}


WRONG = {
    "no such set": (["ps9"], "there is no problem set"),
    "no submissions": ([SET, "--submissions", "nowhere"], "nowhere"),
    "no time": ([SET, "--due", "tomorrow"], "2026-12-01T23:59"),
    "no zone": ([SET, "--timezone", "Mars"], "Europe/Berlin"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_a_command_is_said(submitted, tmp_path, arguments, said):
    options = [*arguments[1:]]
    if "--submissions" not in options:
        options += ["--submissions", str(submitted)]
    options += ["--out", str(tmp_path), "--course", str(ROOT)]
    done = CliRunner().invoke(app, ["grade", arguments[0], *options])
    assert done.exit_code in (1, 2)
    assert said in " ".join(done.output.replace("│", " ").split())


def test_without_bubblewrap_nothing_is_graded_unless_that_is_spelled_out(
    submitted, tmp_path, monkeypatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(app, command(submitted, tmp_path / "out"))
    assert done.exit_code == 1
    assert "apt install bubblewrap" in done.output
    assert not (tmp_path / "out" / "grades.csv").exists()
    options = command(submitted, tmp_path / "out", "--unsafe-no-sandbox")
    assert CliRunner().invoke(app, options).exit_code == 0
    assert rows(tmp_path / "out")["Ada"]["status"] == "graded"


def test_a_failure_of_ours_costs_the_student_nothing_and_is_told(submitted, tmp_path, monkeypatch):
    class Gone:
        """A future whose worker died."""

        def exception(self):
            return RuntimeError("killed")

    def all_but_one(client, assignment, submissions):
        yield 0, scheduler._of(Gone(), assignment, submissions[:1])[0]
        with Grader(Settings(SET, ROOT / "solutions", ROOT / "exercises")) as grader:
            for index, submission in enumerate(submissions[1:], 1):
                yield index, grader.grade(submission)

    with monkeypatch.context() as patch:
        patch.setattr(scheduler, "cluster", lambda *arguments: contextlib.nullcontext())
        patch.setattr(scheduler, "verdicts", all_but_one)
        done = CliRunner().invoke(app, command(submitted, tmp_path))
    assert done.exit_code == 1
    assert "RuntimeError: killed" in done.output
    (failed,) = [row for row in rows(tmp_path).values() if row["status"] == "infrastructure"]
    assert (failed["assignment"], failed["score"]) == (SET, "")
    # Only that one is tried again.
    assert CliRunner().invoke(app, command(submitted, tmp_path)).exit_code == 0
    assert {row["status"] for row in rows(tmp_path).values()} == {"graded", "refused"}


@pytest.mark.parametrize(
    ("submissions", "workers", "together"), [(1, 1, 1), (40, 2, 2), (1000, 2, 4), (30, 8, 1)]
)
def test_few_go_to_a_worker_at_once(submissions, workers, together):
    assert scheduler._together(submissions, workers) == together
    pieces = list(scheduler._pieces(range(submissions), together))
    assert [index for piece in pieces for index in piece] == list(range(submissions))


def test_a_worker_that_fails_costs_nobody_a_verdict(tmp_path, monkeypatch):
    """Those that went to it together go again one by one, up to three times each."""

    class Sent:
        def __init__(self, submissions):
            self.students = [submission.student_id for submission in submissions]

        def exception(self):
            return RuntimeError("killed") if "bad" in self.students else None

        def result(self):
            return [Verdict(student, SET, "graded").to_bytes() for student in self.students]

        def release(self):
            """Do nothing: nothing is held."""

    sent = []

    class Cluster:
        def submit(self, function, submissions, pure):
            future = Sent(submissions)
            sent.append(future.students)
            return future

        def scheduler_info(self):
            return {"workers": {"one": None}}

    class Waiting(list):
        add = list.append

    monkeypatch.setattr(scheduler, "as_completed", Waiting)
    monkeypatch.setattr(scheduler, "_together", lambda submissions, workers: 3)
    handed_in = [Submission(name, name, b"") for name in ("a", "bad", "c", "d")]
    found = dict(scheduler.verdicts(Cluster(), SET, handed_in))
    assert {index: verdict.status for index, verdict in found.items()} == {
        0: "graded", 1: "infrastructure", 2: "graded", 3: "graded",
    }  # fmt: skip
    assert sent == [["a", "bad", "c"], ["d"], ["a"], ["bad"], ["c"], ["bad"]]


def test_what_is_slow_to_load_is_loaded_only_where_it_is_used():
    assignment = Settings(SET, ROOT / "solutions", ROOT / "exercises").load()
    plain, uses, named = b'"import numpy"', rb'"x\nimport math, torch"', b'"torch is not imported"'

    def planned(*texts):
        return Plan().loading(assignment, texts)

    assert "tutor.checks" in planned(plain).modules
    assert planned(plain, named) == planned(plain)
    assert planned(plain).slow == ()
    assert planned(plain, uses).slow == ("torch",)
    # Which will come is not known: the slow one waits until it is needed.
    assert "torch" in Plan().loading(assignment).slow
    # Where all of them use it, one sandbox is enough.
    assert planned(uses, uses).slow == ()
    assert set(planned(uses).modules) == {*planned(plain).modules, "torch"}
    sandboxes = Sandboxes(replace(planned(plain), modules=("numpy",), slow=("einops",)))
    with contextlib.closing(sandboxes):
        quick = sandboxes(["import numpy"])
        assert sandboxes(["import torch"]) is quick
        slow = sandboxes(["x = 1", "from einops import rearrange"])
        assert slow is not quick
        assert sandboxes(["import einops"]) is slow


def course_with(tmp_path, change):
    """Return a course whose solution was changed, at its last test."""
    for folder in ("solutions", "exercises"):
        shutil.copytree(ROOT / folder / SET, tmp_path / folder / SET)
    path = tmp_path / "solutions" / SET / f"{SET}.ipynb"
    notebook = read(path)
    last = next(cell for cell in notebook.cells if cell.id == "crossover-length-sizes")
    last.source = change(last.source)
    path.write_text(json.dumps(notebook))
    return Settings(SET, tmp_path / "solutions", tmp_path / "exercises")


def test_a_test_that_the_model_answer_fails_stops_the_run(tmp_path):
    settings = course_with(tmp_path, lambda source: source + "\nraise KeyError('mistyped')")
    with Grader(settings) as grader, pytest.raises(NotSolved, match="sizes: KeyError: 'mistyped'"):
        grader.check_model_answers()


def test_a_secret_that_is_not_there_stops_the_run(monkeypatch):
    monkeypatch.setenv("COURSE_SECRET_FILE", "/nowhere/secret")
    with (
        Grader(Settings(SET, ROOT / "solutions", ROOT / "exercises")) as grader,
        pytest.raises(NotSolved, match="/nowhere/secret"),
    ):
        grader.check_model_answers()


@pytest.mark.usefixtures("graded")
def test_workers_know_the_secret_of_their_run_and_not_of_one_before(
    submitted, tmp_path, monkeypatch
):
    monkeypatch.setenv("COURSE_SECRET_FILE", str(tmp_path / "secret"))
    (tmp_path / "secret").write_bytes(b"short")
    done = CliRunner().invoke(app, command(submitted, tmp_path / "out"))
    assert done.exit_code == 1
    assert "wanted at least 16" in done.output


def test_a_notebook_of_another_set_is_refused_by_name():
    other = (ROOT / "exercises/ps1_soft_lookup/ps1_soft_lookup.ipynb").read_bytes()
    with Grader(Settings(SET, ROOT / "solutions", ROOT / "exercises")) as grader:
        verdict = grader.grade(Submission("a", "x", other))
    assert verdict.status == "refused"
    assert "ps1_soft_lookup" in verdict.reason


def test_the_doctor_finds_this_machine_fit():
    found = list(findings())
    assert [finding.text for finding in found if not finding.is_good] == []
    assert {"bubblewrap", "sandbox", "secret"} <= {finding.subject for finding in found}


def test_the_doctor_says_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "apt install bubblewrap" in " ".join(done.output.split())
