"""Every number in the prose of a lesson has a cell that shows or asserts it."""

import nbformat
import pytest
from tests.notebooks import name

import claims
from lessons import lesson_paths


@pytest.mark.parametrize("path", lesson_paths(), ids=name)
def test_every_number_of_a_lesson_is_backed_by_a_cell(book, path):
    found = claims.claims_of(path)
    assert found
    assert [claim for claim in found if claim.backed_by is None] == []


def test_numbers_that_claim_nothing_are_left_out():
    text = "In 2017, lesson 3 had 7 steps, `n = 99`, [all](https://x.org/55), $x_{66}^{77}$."
    assert claims.numbers_in(text) == []


def test_numbers_that_claim_something_are_found_as_written():
    assert claims.numbers_in("From 0.40 to 1,024 or (2,0,2,0), some 44 %.") == [
        "0.40",
        "1,024",
        "44",
    ]


def test_a_number_is_backed_by_what_a_cell_prints_rounded_alike():
    cell = nbformat.v4.new_code_cell("print(x)", id="measure")
    cell.outputs = [nbformat.v4.new_output("stream", text="share 0.4361, of 1024\n")]
    evidence = {"measure": claims.evidence_of(cell)}
    for text in ("0.44", "0.436", "43.6", "44", "1,024"):
        assert claims.backing(text, evidence) == "measure", text
    for text in ("0.43", "45", "1,025"):
        assert claims.backing(text, evidence) is None, text
