import pytest
from tests.problem_sets import FAMILIES, ProblemSet

from autograder.flags import FORBIDDEN, flags


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
