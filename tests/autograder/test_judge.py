"""Tests run here, students' functions there; one failure costs one test."""

from dataclasses import replace

import pytest

from autograder import judge
from autograder.judge import Judge
from autograder.model import Assignment, Cell
from autograder.rebuild import rebuild
from autograder.slices import taken_names


def assignment(*tests, model="def f(x):\n    return x + 1", locked="import numpy as np", stub=None):
    """Return a set with one function to write and tests worth 2 points each."""
    stub = stub or model.partition("\n")[0] + "\n    raise NotImplementedError"
    cells = [
        Cell("code", locked, "locked", "locked", "locked"),
        Cell("code", model, "f", "f", "answer"),
    ]
    cells += [
        Cell("code", source, f"test-{i}", f"test-{i}", "test", 2.0)
        for i, source in enumerate(tests)
    ]
    shown = {"f": stub} | {
        cell.grade_id: cell.source.partition("\n")[0] for cell in cells if cell.role == "test"
    }
    released = [
        Cell(c.kind, shown.get(c.grade_id, c.source), c.cell_id, c.grade_id, c.role, c.points)
        for c in cells
    ]
    return Assignment("psx", tuple(cells), {cell.grade_id: cell for cell in released})


@pytest.fixture
def judged(sandbox):
    """Judge an answer, with further cells before it, by tests."""

    def judge(answer, *tests, before=(), after=(), **options):
        psx = assignment(*tests, **options)
        cells = [psx.released["locked"]]
        cells += [Cell("code", source) for source in before]
        cells += [Cell("code", answer, "f", "f", "answer")]
        cells += [Cell("code", source) for source in after]
        return Judge(psx).judge(rebuild(psx, cells), sandbox)

    return judge


RIGHT = "def f(x):\n    return x + 1"
TEST = "# adds one.\nassert f(2) == 3"


def test_a_right_answer_passes(judged):
    (result,) = judged(RIGHT, TEST).tests
    assert (result.score, result.outcome, result.promise) == (2.0, "passed", "adds one.")


def test_a_wrong_answer_is_told_nothing_that_the_test_does_not_say(judged):
    wrong = "def f(x):\n    return 7"
    told, bare, computed = judged(
        wrong,
        "assert f(2) == 3, 'it must add one'",
        "assert f(2) == 3",
        "x = 4711\nassert f(x) == 4712, f'of {x} it gives {f(x)}'",
    ).tests
    assert told.hint == "it must add one"
    assert bare.hint == computed.hint == ""
    assert {test.outcome for test in (told, bare, computed)} == {"failed"}


def test_a_check_says_what_it_made_for_students(judged):
    test = "error = AssertionError('with inputs')\nerror.feedback = 'without'\nraise error"
    assert judged(RIGHT, test).tests[0].hint == "without"


def test_a_student_cannot_put_words_into_a_check(judged):
    cheat = "def f(x):\n    e = AssertionError('mine')\n    e.feedback = 'mine'\n    raise e"
    assert "mine" not in judged(cheat, TEST).tests[0].hint


@pytest.mark.parametrize(
    ("last", "score", "outcome"),
    [
        ("1.5", 1.5, "partial"),
        ("-5", 0.0, "failed"),
        ("7", 2.0, "passed"),
        ("None", 2.0, "passed"),
        ("True", 2.0, "passed"),
        ("float('nan')", 0.0, "error"),
        ("float('inf')", 0.0, "error"),
        ("'lots'", 0.0, "error"),
        ("np.float32(0.5)", 0.5, "partial"),
    ],
)
def test_a_last_line_may_give_a_part_of_the_points(judged, last, score, outcome):
    result, other = judged(RIGHT, f"f(1)\n{last}", TEST).tests
    assert (result.score, result.outcome) == (score, outcome)
    assert other.outcome == "passed"


FAILURES = {
    "loop": ("while True: pass", "time"),
    "crash": ("import os; os._exit(1)", "crash"),
    "signal": ("import ctypes; ctypes.string_at(0)", "crash"),
    "memory": (
        "import mmap, time\n        m = mmap.mmap(-1, 3 * 2**30)\n"
        "        for i in range(0, 3 * 2**30, 4096): m[i] = 1\n        time.sleep(99)",
        "memory",
    ),
}


@pytest.mark.parametrize(("code", "outcome"), FAILURES.values(), ids=FAILURES)
def test_one_failure_costs_one_test(judged, code, outcome):
    answer = f"def f(x):\n    if x == 5:\n        {code}\n    return x + 1"
    first, second, third = judged(answer, TEST, "assert f(5) == 6", TEST).tests
    assert first.outcome == third.outcome == "passed"
    assert second.outcome == outcome
    assert second.score == 0.0
    assert second.hint.startswith("Your code was called, but it ")


def test_a_cell_that_ends_the_process_is_left_out(judged):
    judgement = judged(RIGHT, TEST, before=["import os\nos._exit(0)"])
    assert judgement.tests[0].outcome == "passed"
    assert judgement.outputs["added-1"].error.startswith("stopped: it ended the process")


def test_errors_prints_and_warnings_cost_nothing(judged):
    noisy = "import warnings\ndef f(x):\n    warnings.warn('w')\n    print(x)\n    return x + 1"
    judgement = judged(noisy, TEST, before=["1 / 0"], after=["print('p')\nexit()"])
    assert judgement.tests[0].outcome == "passed"
    assert judgement.outputs["added-1"].error == "ZeroDivisionError"


def test_why_a_function_is_missing_is_told(judged):
    (result,) = judged("def f(x)\n    return x + 1", TEST).tests
    assert result.outcome == "failed"
    assert "`f` is not defined" in result.hint
    assert "SyntaxError" in result.hint


def test_helpers_in_added_cells_serve(judged):
    answer = "def f(x):\n    return x + one()"
    assert judged(answer, TEST, before=["def one(): return 1"]).tests[0].outcome == "passed"


def test_tests_share_names_and_see_what_locked_cells_define(judged):
    tests = ("start = np.arange(3)\nassert f(2) == three", "assert f(start).tolist() == [1, 2, 3]")
    results = judged(RIGHT, *tests, locked="import numpy as np\nthree = 3").tests
    assert [result.outcome for result in results] == ["passed", "passed"]


def test_variables_can_be_asked_for_too(judged):
    test = "assert f == 3\nassert g(1) == 2"
    options = {"model": "f = 3\ndef g(x): return x + 1", "stub": "f = 0\ndef g(x): return 0"}
    assert judged("f = 1 + 2\ndef g(x): return x + 1", test, **options).tests[0].outcome == "passed"
    assert judged("g = f = abs", test, **options).tests[0].outcome == "failed"


def test_visible_checks_do_not_run_unless_something_needs_them(judged):
    locked = "import numpy as np\nneeded = 5\nassert f(2) == 4"
    judgement = judged(RIGHT, TEST, locked=locked)
    assert "locked" not in judgement.outputs
    judgement = judged("def f(x):\n    return x + needed - 4", TEST, locked=locked)
    assert judgement.tests[0].outcome == "passed"
    assert judgement.outputs["locked"].error


@pytest.mark.parametrize(
    ("source", "loaded"),
    [("import torch.nn.functional as F", ["torch"]), ("from torch import nn", ["torch"]),
     ("import numpy  # no torch", [])],
)  # fmt: skip
def test_a_judge_has_torch_from_the_start_where_its_tests_use_it(source, loaded, monkeypatch):
    found = []
    monkeypatch.setattr(judge.importlib, "import_module", found.append)
    Judge(replace(assignment("# one.\npass"), cells=(Cell("code", source),)))
    assert found == loaded


@pytest.mark.parametrize(
    ("source", "takes"),
    [
        ("def f(rows):\n    for row in rows: pass\n    return row  # rows", False),
        ("def f(x):\n    return [row for row in x]", False),
        ("def f(x):\n    return row", True),
        ("def f(x):\n    def g(): return row\n    return g", True),
        ("def f(x, y=row): pass", True),
        ("class F:\n    row = row", True),
        ("row += 1", True),
        ("def f():\n    global row\n    row += 1", True),
        ("def f(row):\n    return eval('row')", True),
        ("%timeit f(row)", True),
        ("def f(row:", True),
        ("return row", True),
    ],
)
def test_names_are_taken_from_other_cells_unless_they_are_a_functions_own(source, takes):
    assert ("row" in taken_names(source)) is takes


def test_what_was_to_be_written_and_was_called_is_flagged(sandbox):
    psx = assignment("# one.\nsoftmax", model="def softmax(x):\n    return x")
    answer = "def softmax(x):\n    return F.softmax(x)"
    cells = [
        psx.released["locked"],
        Cell("code", "import torch.nn.functional as F"),
        Cell("code", answer, "f", "f", "answer"),
    ]
    (flag,) = Judge(psx).judge(rebuild(psx, cells), sandbox).flags
    assert flag.startswith("softmax: line 2 uses torch.nn.functional.softmax")


def test_hidden_tests_never_reach_the_students_process(judged):
    # It looks for the text backwards in memory read backwards, so as not to find itself.
    spy = """
def f(x):
    for line in open("/proc/self/maps"):
        place, access = line.split()[:2]
        low, high = (int(number, 16) for number in place.split("-"))
        if access.startswith("rw") and "[v" not in line:
            with open("/proc/self/mem", "rb") as memory:
                memory.seek(low)
                if b"1174-yranac" in memory.read(high - low)[::-1]:
                    return None
    return x + 1
"""
    hidden = "secret = 'canary-4711'\nassert f(2) == 3, secret"
    assert judged(spy, hidden).tests[0].outcome == "passed"
    # And it does find what is there.
    told = f"planted = 'canary' + '-4711'\n{spy}"
    assert judged(told, hidden).tests[0].outcome == "failed"
