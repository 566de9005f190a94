"""nbgrader's gradebook, and what nbgrader and formgrader find beside it."""

import csv
import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import SaveCells
from nbgrader.server_extensions.formgrader import handlers
from nbgrader.server_extensions.formgrader.apihandlers import GradeHandler
from sqlalchemy import Engine, event, text
from tests.autograder.samples import (
    ANSWERS,
    NAME,
    SUBMITTED,
    assignment,
    refused,
    results,
    steps,
    verdict,
)
from tests.notebooks import ROOT, read
from traitlets.config import Config, PyFileConfigLoader

from autograder.gradebook import CourseFolder, GradebookError
from autograder.gradebook.notebooks import disarmed
from autograder.model import CellOutput
from autograder.names import folder_name

COURSE = "attention-derived"
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def record(folder, *verdicts, graded=None, **options):
    with CourseFolder(folder, graded or assignment(), ROOT / "solutions", **options) as course:
        course.record(verdicts)


def gradebook(folder):
    return Gradebook(f"sqlite:///{folder}/gradebook.db", COURSE)


def grade(book, test="question", student="ada"):
    return book.find_grade(test, NAME, NAME, student)


def enter(folder, manual_score, **fields):
    """Enter a grade as formgrader does, by the code of its own handler."""
    with gradebook(folder) as book:
        found = grade(book)
        answered = []
        handler = SimpleNamespace(
            gradebook=book,
            get_json_body=lambda: {"manual_score": manual_score, **fields},
            write=answered.append,
        )
        GradeHandler.put.__wrapped__.__wrapped__.__wrapped__(handler, found.id)
        assert answered


def formgrader(folder, monkeypatch):
    """Return formgrader's view of the folder, with the configuration that lies there."""
    monkeypatch.chdir(folder)
    app = NbGrader()
    app.load_config_file()
    return NbGraderAPI(CourseDirectory(parent=app), parent=app)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """One course with usual students and odd ones; nothing in it is changed."""
    folder = tmp_path_factory.mktemp("out")
    lost = verdict("zoe", tests=results({"causal-mask-sizes": 0.5, "attention-mask": 0.0}))
    record(folder, verdict(), lost, refused("bob"), *map(verdict, ("../x", "a,b\n", "Ünï+1")))
    return folder


def test_every_score_is_in_the_gradebook(recorded):
    with gradebook(recorded) as book:
        found = book.find_submission(NAME, "zoe")
        assert (found.score, found.max_score) == (13.5, 20)
        scores = {g.name: g.auto_score for g in found.notebooks[0].grades}
        expected = {test.test_id: test.score for test in results()}
        assert scores == expected | {"causal-mask-sizes": 0.5, "attention-mask": 0.0}
        assert found.timestamp == SUBMITTED.replace(tzinfo=None)
        assert found.late_submission_penalty == 0
        assert found.needs_manual_grade and found.notebooks[0].failed_tests
        waiting = [g.name for g in found.notebooks[0].grades if g.needs_manual_grade]
        assert waiting == ["question"]


def test_answers_left_as_they_were_get_nbgraders_comment(recorded):
    with gradebook(recorded) as book:
        comments = book.find_submission(NAME, "ada").notebooks[0].comments
        assert {comment.name: comment.comment for comment in comments} == {
            "causal-mask": None,
            "question": None,
            "padding-mask": "No response.",
            "attention": "No response.",
        }


def test_an_unanswered_question_gets_0_and_waits_for_nobody(tmp_path):
    record(tmp_path, verdict(steps=steps({})))
    with gradebook(tmp_path) as book:
        assert grade(book).auto_score == 0 and not grade(book).needs_manual_grade


def test_a_refused_file_gets_0_and_says_why(recorded):
    with gradebook(recorded) as book:
        found = book.find_submission(NAME, "bob")
        assert found.score == 0 and not found.needs_manual_grade
        assert found.notebooks[0].comments[0].comment.startswith("Not graded: The file ends")
    notebook = nbformat.read(recorded / "autograded/bob" / NAME / f"{NAME}.ipynb", 4)
    assert "The file ends" in notebook.cells[0].source
    assert len(notebook.cells) == 1 + len(assignment().cells)


def test_odd_ids_stay_in_their_folders(recorded):
    names = {folder_name(name) for name in ("ada", "zoe", "bob", "../x", "a,b\n", "Ünï+1")}
    assert {path.name for path in (recorded / "autograded").iterdir()} == names
    assert {path.name for path in recorded.iterdir()} == {
        *("autograded", "gradebook.db", "nbgrader_config.py", "received"),
    }
    with gradebook(recorded) as book:
        assert {student.id for student in book.students} == names


def test_nbgrader_export_goes_on_from_there_and_leaves_our_table(recorded):
    command = [sys.executable, "-m", "nbgrader", "export"]
    done = subprocess.run(
        command, cwd=recorded, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert not (recorded / "grades.csv").exists()
    with (recorded / "nbgrader.csv").open(newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert len(rows) == 6
    assert rows["ada"]["score"] == "17.0" and rows["zoe"]["score"] == "13.5"
    assert rows["bob"]["score"] == "0.0" and rows[folder_name("../x")]["max_score"] == "20.0"
    assert rows["ada"]["timestamp"] == "2026-11-12 21:40:00"


def test_formgrader_lists_the_submissions(recorded, monkeypatch):
    api = formgrader(recorded, monkeypatch)
    listed = {found["student"]: found for found in api.get_submissions(NAME)}
    assert listed.keys() == set(os.listdir(recorded / "autograded"))
    assert all(found["autograded"] for found in listed.values())
    assert listed["zoe"]["score"] == 13.5 and listed["zoe"]["needs_manual_grade"]
    assert api.get_submission(NAME, "ada")["autograded"]
    notebooks = api.get_notebook_submissions(NAME, NAME)
    assert len(notebooks) == 6 and {found["index"] for found in notebooks} == set(range(6))
    found = api.get_assignment(NAME)
    assert found["num_submissions"] == 6 and found["max_score"] == 20


def test_an_unknown_time_is_no_time_there_either(tmp_path, monkeypatch):
    record(tmp_path, verdict())
    record(tmp_path, verdict(submitted_at=None))
    found = formgrader(tmp_path, monkeypatch).get_submission(NAME, "ada")
    assert found["timestamp"] is None and found["autograded"]


def test_times_are_stored_in_utc(tmp_path):
    east = timezone(timedelta(hours=5, minutes=30))
    due = datetime(2026, 11, 13, 2, 0, tzinfo=east)
    record(tmp_path, verdict(submitted_at=SUBMITTED.astimezone(east)), due=due)
    record(tmp_path, verdict())  # without a due time the old one stays
    with gradebook(tmp_path) as book:
        found = book.find_submission(NAME, "ada")
        assert found.timestamp == datetime(2026, 11, 12, 21, 40)
        assert found.duedate == datetime(2026, 11, 12, 20, 30)
        assert found.total_seconds_late == 70 * 60


# What a person entered


def test_what_a_person_entered_stays_when_the_same_work_is_graded_again(tmp_path):
    record(tmp_path, verdict())
    enter(tmp_path, 2.5, extra_credit=0.5)
    with gradebook(tmp_path) as book:
        book.find_comment("question", NAME, NAME, "ada").manual_comment = "Nearly."
        book.find_submission_notebook(NAME, NAME, "ada").late_submission_penalty = 1.0
        book.find_submission_notebook(NAME, NAME, "ada").flagged = True
        book.grant_extension(NAME, "ada", days=1)
        book.update_or_create_student("ada", first_name="Ada")
        book.db.commit()
    for _ in range(2):
        record(tmp_path, verdict())
        with gradebook(tmp_path) as book:
            found = grade(book)
            assert (found.manual_score, found.extra_credit, found.score) == (2.5, 0.5, 3.0)
            assert not found.needs_manual_grade
            assert book.find_comment("question", NAME, NAME, "ada").comment == "Nearly."
            submission = book.find_submission(NAME, "ada")
            assert submission.late_submission_penalty == 1.0 and submission.notebooks[0].flagged
            assert submission.extension == timedelta(days=1)
            assert submission.student.first_name == "Ada"


def test_changed_work_asks_the_person_again_and_keeps_the_score(tmp_path):
    record(tmp_path, verdict())
    enter(tmp_path, 2.5)
    changed = verdict(steps=steps({**ANSWERS, "question": "Another answer."}))
    for _ in range(2):  # and goes on asking until somebody has looked
        record(tmp_path, changed)
        with gradebook(tmp_path) as book:
            assert grade(book).manual_score == 2.5 and grade(book).needs_manual_grade
            assert not grade(book, "attention-mask").needs_manual_grade
    enter(tmp_path, 3)
    record(tmp_path, changed)
    with gradebook(tmp_path) as book:
        assert not grade(book).needs_manual_grade


def test_another_automatic_score_of_the_same_work_asks_where_a_person_had_decided(tmp_path):
    record(tmp_path, verdict())
    with gradebook(tmp_path) as book:
        grade(book, "attention-mask").manual_score = 1
        book.db.commit()
    record(tmp_path, verdict(tests=results({"attention-mask": 0.0, "attention-both": 0.0})))
    with gradebook(tmp_path) as book:
        assert grade(book, "attention-mask").needs_manual_grade
        assert grade(book, "attention-mask").score == 1
        assert not grade(book, "attention-both").needs_manual_grade


def test_our_own_failures_change_nothing(tmp_path):
    record(tmp_path, verdict())
    failed = verdict(status="infrastructure", tests=results({"attention-mask": 0.0}))
    record(tmp_path, failed, replace(failed, student_id="bob"))
    with gradebook(tmp_path) as book:
        assert grade(book, "attention-mask").auto_score == 2
        assert [student.id for student in book.students] == ["ada"]


def test_a_failing_batch_leaves_the_gradebook_as_it_was(tmp_path):
    record(tmp_path, verdict())
    unknown = replace(results()[0], test_id="nobody-knows")
    with pytest.raises(KeyError):
        record(tmp_path, verdict("bob"), verdict(tests=(unknown,)))
    with gradebook(tmp_path) as book:
        assert [student.id for student in book.students] == ["ada"]


# The assignment


def rows_of(folder):
    """Return what the gradebook says of the assignment, ids left out."""
    with gradebook(folder) as book:
        notebook = book.find_notebook(NAME, NAME)
        sources = {
            c.name: (c.cell_type, c.locked, c.source, c.checksum) for c in notebook.source_cells
        }
        graded = {c.name: (c.max_score, c.cell_type) for c in notebook.grade_cells}
        solutions = {c.name for c in notebook.solution_cells}
        revision = book.db.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return sources, graded, solutions, notebook.kernelspec, revision


def test_the_assignment_is_recorded_as_nbgrader_would(recorded, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", ENVIRONMENT["PATH"])
    url = f"sqlite:///{tmp_path}/gradebook.db"
    with Gradebook(url, COURSE) as book:
        book.add_assignment(NAME)
    options = PyFileConfigLoader("nbgrader_config.py", str(ROOT)).load_config()
    notebook = read(ROOT / "solutions" / NAME / f"{NAME}.ipynb")
    resources = {"nbgrader": {"notebook": NAME, "assignment": NAME, "db_url": url}}
    # The ones of nbgrader's generate_assignment, up to where it fills the gradebook.
    for step in GenerateAssignment().preprocessors:
        notebook, resources = step(config=options).preprocess(notebook, resources)
        if step is SaveCells:
            break
    assert rows_of(recorded) == rows_of(tmp_path)


def test_a_new_test_is_added_and_one_that_nobody_graded_goes(tmp_path):
    record(tmp_path, verdict())
    cells = [replace(c, grade_id="new-test") if c.grade_id == "attention-both" else c
             for c in assignment().cells]  # fmt: skip
    released = {cell.grade_id: cell for cell in cells}
    other = replace(
        assignment(), cells=tuple(cells), released={**assignment().released, **released}
    )
    tests = tuple(
        replace(test, test_id="new-test") if test.test_id == "attention-both" else test
        for test in results()
    )
    record(tmp_path, verdict(tests=tests), graded=other)
    with gradebook(tmp_path) as book:
        found = book.find_submission(NAME, "ada")
        names = [g.name for g in found.notebooks[0].grades]
        assert sorted(names) == sorted(test.test_id for test in tests)
        assert (found.score, found.max_score) == (17, 20)


def test_a_cell_that_a_person_graded_does_not_go_unasked(tmp_path):
    record(tmp_path, verdict())
    enter(tmp_path, 2)
    other = replace(
        assignment(), cells=tuple(c for c in assignment().cells if c.grade_id != "question")
    )
    with pytest.raises(GradebookError, match="'question'"):
        record(tmp_path, graded=other)
    with gradebook(tmp_path) as book:
        assert grade(book).manual_score == 2


def test_another_database_can_be_named(tmp_path):
    record(tmp_path / "out", verdict(), database=f"sqlite:///{tmp_path}/elsewhere.db")
    assert not (tmp_path / "out/gradebook.db").exists()
    with Gradebook(f"sqlite:///{tmp_path}/elsewhere.db", COURSE) as book:
        assert book.find_submission(NAME, "ada").score == 17


def test_a_configuration_of_ones_own_is_left_alone(tmp_path):
    own = tmp_path / "nbgrader_config.py"
    own.write_text("c = get_config()\n")
    record(tmp_path, verdict())
    assert own.read_text() == "c = get_config()\n"


def test_many_are_recorded_in_few_statements(tmp_path):
    statements = []

    def count(*arguments):
        statements.append(arguments[2])

    event.listen(Engine, "before_cursor_execute", count)
    try:
        record(tmp_path, *(verdict(f"s{number}") for number in range(200)))
    finally:
        event.remove(Engine, "before_cursor_execute", count)
    assert len(statements) < 80


# Notebooks


def read_notebook(folder, student="ada"):
    notebook = nbformat.read(folder / "autograded" / student / NAME / f"{NAME}.ipynb", 4)
    nbformat.validate(notebook)
    return notebook


def test_the_autograded_notebook_holds_work_outputs_and_outcomes(recorded):
    notebook = read_notebook(recorded, "zoe")
    named = {c.metadata.nbgrader.grade_id: c for c in notebook.cells if "nbgrader" in c.metadata}
    assert list(named) == [cell.grade_id for cell in assignment().cells]
    assert named["causal-mask"].source == ANSWERS["causal-mask"]
    assert "BEGIN HIDDEN TESTS" in named["causal-mask-sizes"].source
    assert named["causal-mask-sizes"].metadata.nbgrader.points == 2
    assert named["causal-mask-sizes"].outputs[0].text.startswith("partial: 0.5 of 2\ncausal_mask:")
    own = [cell for cell in notebook.cells if "nbgrader" not in cell.metadata]
    assert [cell.source for cell in own] == ["print('hello')"]
    assert own[0].outputs[0].text == "hello\n" and "image/png" in own[0].outputs[1].data


def test_odd_characters_do_not_stop_a_notebook(tmp_path):
    odd = verdict(
        steps=steps({"question": "\ud800 \0 text"}, added=("# \ud800",)),
        outputs={"added-1": CellOutput("\ud800\0\x1b[1m", cut=True)},
        flags=("\ud800",),
    )
    record(tmp_path, odd)
    assert read_notebook(tmp_path).cells[0].source == "- ?"


ATTACK = """<script>alert(1)</script> [x](javascript:alert(1)) ![i](javascript:alert(1))
<javascript:alert(1)> [r] <img src=x onerror=alert(1)> <!-- x --> $\\href{javascript:alert(1)}{x}$

[r]: javascript:alert(1)
"""


def test_formgrader_shows_written_answers_without_running_them(tmp_path):
    record(tmp_path, verdict(steps=steps({**ANSWERS, "question": ATTACK}), flags=(ATTACK,)))
    options = Config()
    options.HTMLExporter.template_name = "formgrade"
    options.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    keys = ("assignment_id", "notebook_id", "submission_id", "base_url", "student")
    resources = dict.fromkeys((*keys, "notebook_path"), "x") | {"index": 0, "total": 1}
    resources |= {"first_name": None, "last_name": None}
    page, _ = HTMLExporter(config=options).from_notebook_node(
        read_notebook(tmp_path), resources=resources
    )
    assert page.count("alert(1)") == 2 * ATTACK.count("alert(1)")
    for live in ("<script>alert", "<img src=x", 'href="javascript', 'src="javascript', "\\href"):
        assert live not in page


def test_disarming_leaves_usual_markdown_alone():
    usual = "**Rows** sum to $1$, `a < b`, x <= y, a[i], *so* $\\frac{a}{b} < c$\n\n- 1 | 2"
    assert disarmed(usual) == usual


def test_the_rest_of_nbgrader_loads_after_its_tables():
    program = (
        "import sys, autograder.gradebook.edition as edition\n"
        "assert 'nbgrader' not in sys.modules\n"
        "from nbgrader.apps import NbGraderApp\n"
        "from nbgrader.api import Gradebook\n"
        "assert Gradebook is edition.api.Gradebook\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
