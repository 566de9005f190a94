import pytest
from tests.problem_sets import FAMILIES, ProblemSet

from autograder.flags import FORBIDDEN, flags, notebook_flags
from autograder.model import Step


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import torch\ny = torch.softmax(x, -1)", "torch.softmax"),
        ("import torch.nn.functional as F\ny = F.softmax(x)", "torch.nn.functional.softmax"),
        ("from torch.nn import functional\ny = functional.softmax(x)",
         "torch.nn.functional.softmax"),
        ("from scipy.special import softmax as s\ny = s(x)", "scipy.special.softmax"),
        ("import scipy.special\ny = scipy.special.softmax(x)", "scipy.special.softmax"),
        ("import sdpa\nf = sdpa.softmax", "sdpa.softmax"),
        ("from sdpa.reference import softmax as right\nsoftmax = right", "sdpa.reference.softmax"),
        ("from tutor.checks.problems import PROBLEMS\nPROBLEMS", "tutor.checks.problems.PROBLEMS"),
    ],
)  # fmt: skip
def test_a_call_of_what_was_to_be_written_is_flagged(source, name):
    (flag,) = flags(source, "softmax")
    assert (flag.line, flag.name) == (2, name)
    assert str(flag) == f"line 2 uses {name}, where the point is to write it"


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\ny = np.exp(x)",
        "y = softmax(x)",  # the student's own
        "import torch\ntorch.softmax = 1",
        "def softmax(x:\n",  # cannot be parsed
        "\0",
    ],
)
def test_honest_or_unreadable_code_is_not_flagged(source):
    assert flags(source, "softmax") == []


def test_a_softmax_is_no_flag_where_attention_is_the_point():
    source = "import torch\nw = torch.softmax(s, -1)"
    assert flags(source, "attention") == []
    assert flags(source, "a function of another course") == []


def test_model_answers_have_no_flags_and_the_table_names_real_functions():
    names = {function for _, function in FAMILIES}
    assert set(FORBIDDEN) <= names
    for name in {name for name, _ in FAMILIES}:
        for function, source in ProblemSet(name).answers.items():
            assert flags(source, function) == []


def code(cell_id, source):
    return Step("added" if cell_id.startswith("added") else "answer", cell_id, source)


def test_cells_that_an_answer_needs_are_looked_at_and_others_are_not():
    cells = [
        code("added-1", "%time\nimport torch\ndef inner(x): return torch.softmax(x, -1)"),
        code("added-2", "def helper(x): return inner(x)"),
        code("added-3", "def compare(x): return torch.softmax(x, -1)"),
        code("softmax", "def softmax(x):\n    return helper(x)"),
    ]  # fmt: skip
    found = notebook_flags(cells, ["softmax", "attention"])
    assert found == (
        "softmax needs the cell 'added-1', where line 3 uses torch.softmax, "
        "where the point is to write it",
    )


def test_a_cell_that_cannot_be_read_hides_nothing_in_others():
    cells = [code("added-1", "def f(:"), code("softmax", "import sdpa\nsoftmax = sdpa.softmax")]
    assert len(notebook_flags(cells, ["softmax"])) == 1


@pytest.mark.parametrize(
    "source", ["import sys\nsys._getframe(1)", "from sys import settrace\nsettrace(None)"]
)
def test_reaching_into_other_code_is_flagged_wherever_it_stands(source):
    (flag,) = notebook_flags([code("added-1", source)], ["softmax"])
    assert flag.startswith("The cell 'added-1': line 2 uses ")


def test_there_are_never_more_flags_than_somebody_reads():
    assert len(notebook_flags([code("added-1", "x.__globals__\n" * 1000)], ["softmax"])) == 40
