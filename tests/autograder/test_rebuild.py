"""What students do to notebooks, and what the rebuilt one is then worth."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autograder.student import (
    PS1,
    PS4,
    assignment,
    at,
    bare,
    blank,
    points,
    solved,
)

from autograder.model import Cell
from autograder.rebuild import rebuild
from autograder.refused import Refused

FULL = 17.0  # of ps1 and ps4, without the written answer
QUESTION = "The weights no longer sum to one."


def code(source, **marks):
    return Cell("code", source, **marks)


def prose(source, **marks):
    return Cell("markdown", source, **marks)


def source(rebuilt, cell_id):
    return next(step.source for step in rebuilt.steps if step.cell_id == cell_id)


def order(rebuilt):
    return [step.cell_id for step in rebuilt.steps]


def added(rebuilt):
    return [step.source for step in rebuilt.steps if step.kind == "added"]


def changed(cells, grade_id, /, **fields):
    cells = list(cells)
    index = at(cells, grade_id)
    cells[index] = replace(cells[index], **fields)
    return cells


def without(cells, *grade_ids):
    return [cell for cell in cells if cell.grade_id not in grade_ids]


def inserted(cells, grade_id, *more, behind=True):
    index = at(cells, grade_id) + behind
    return [*cells[:index], *more, *cells[index:]]


@pytest.mark.parametrize("name", [PS1, PS4])
def test_a_solved_notebook_is_rebuilt_as_it_was_without_a_word(name):
    rebuilt = rebuild(assignment(name), solved(name))
    assert rebuilt.flags == ()
    assert order(rebuilt) == [cell.grade_id for cell in assignment(name).cells]
    assert points(rebuilt) == FULL
    assert sum(step.points for step in rebuilt.steps) == assignment(name).max_score


@pytest.mark.parametrize("name", [PS1, PS4])
def test_an_untouched_notebook_is_worth_nothing_and_no_mending(name):
    rebuilt = rebuild(assignment(name), blank(name))
    assert rebuilt.flags == ()
    assert points(rebuilt) == 0


def test_the_students_side_gets_released_cells_and_only_tests_the_instructors():
    for step in rebuild(assignment(), solved()).steps:
        cell = next(c for c in assignment().cells if c.grade_id == step.cell_id)
        if step.kind == "test":
            assert step.source == cell.source
            assert "HIDDEN" in step.source
        elif step.kind == "locked":
            assert step.source == assignment().released[step.cell_id].source
            assert step.is_code == (cell.kind == "code")


@pytest.mark.parametrize("name", [PS1, PS4])
@pytest.mark.parametrize("cell_ids", [True, False])
def test_lost_metadata_cost_nothing(name, cell_ids):
    rebuilt = rebuild(assignment(name), bare(solved(name), cell_ids))
    assert points(rebuilt) == FULL
    assert source(rebuilt, "question") == solved(name)[at(solved(name), "question")].source
    assert rebuilt.flags[0] == "No cell carries an nbgrader id: the notebook's metadata were lost."
    means = "cell id" if cell_ids else "by the function that they define"
    assert means in rebuilt.flags[1]
    assert '"attention"' in rebuilt.flags[1]


def test_lost_metadata_and_changed_texts_cost_nothing():
    cells = [
        replace(cell, source=cell.source + " Noted.") if cell.kind == "markdown" else cell
        for cell in bare(solved())
    ]
    cells = [c for c in cells if not c.source.startswith("# Graded")]
    assert points(rebuild(assignment(), cells)) == FULL


def test_any_order_of_cells_is_worth_the_same():
    for seed in range(3):
        cells = solved()
        random.Random(seed).shuffle(cells)
        rebuilt = rebuild(assignment(), cells)
        assert points(rebuilt) == FULL
        assert any(flag.startswith("Cells stood in another order") for flag in rebuilt.flags)


def test_a_moved_answer_alone_is_named_and_added_cells_stay_with_their_neighbours():
    cells = inserted(solved(), "imports", code("helper = 1"))
    cells = inserted(cells, "causal-mask-check", code("causal_mask(2, 2)"))
    answer = cells.pop(at(cells, "causal-mask"))
    rebuilt = rebuild(assignment(), [answer, *cells])
    assert [flag for flag in rebuilt.flags if '"causal-mask".' in flag and "order" in flag]
    assert order(rebuilt)[2:4] == ["imports", "added-1"]
    assert order(rebuilt)[6:8] == ["causal-mask-check", "added-2"]
    assert added(rebuilt) == ["helper = 1", "causal_mask(2, 2)"]


def test_cells_before_everything_run_first():
    rebuilt = rebuild(assignment(), [code("x = 1"), code(" \n"), prose("Notes"), *solved()])
    assert order(rebuilt)[:2] == ["added-1", "title"]
    assert added(rebuilt) == ["x = 1"]


def test_helpers_and_imports_in_added_cells_serve_the_answers():
    cells = changed(
        solved(), "causal-mask", source="def causal_mask(n_q, n_k):\n    return tri(n_q, n_k)"
    )
    helper = "from numpy import arange\ndef tri(q, k): return arange(k) <= arange(q)[:, None]+k-q"
    rebuilt = rebuild(assignment(), inserted(cells, "causal-mask", code(helper)))
    assert points(rebuilt) == FULL
    assert rebuilt.flags == ()


def test_changes_to_locked_and_test_cells_have_no_effect():
    cells = [
        cell if cell.role in ("answer", "written") else replace(cell, source="raise SystemExit")
        for cell in solved()
    ]
    rebuilt = rebuild(assignment(), cells)
    assert points(rebuilt) == FULL
    assert not any("SystemExit" in step.source for step in rebuilt.steps)
    (flag,) = rebuilt.flags
    assert flag.startswith("Locked cells differ from the current release")


def test_deleted_locked_and_test_cells_come_back():
    cells = [cell for cell in solved() if cell.role in ("answer", "written")]
    rebuilt = rebuild(assignment(), cells)
    assert points(rebuilt) == FULL
    (flag,) = rebuilt.flags
    assert flag.startswith("Locked cells are missing and were put back")


def test_a_copied_test_cell_drops_out_and_a_changed_copy_is_the_students_own():
    test = solved()[at(solved(), "causal-mask-square")]
    own = replace(test, source="print(causal_mask(3, 3))")
    rebuilt = rebuild(assignment(), inserted(solved(), "causal-mask-square", test, own))
    assert points(rebuilt) == FULL
    assert added(rebuilt) == ["print(causal_mask(3, 3))"]
    assert rebuilt.flags == (
        'Locked cells stand there more than once: "causal-mask-square".',
        'Changed copies of locked cells run as cells of the student\'s own: "causal-mask-square".',
    )


def test_a_locked_cells_text_in_a_cell_of_ones_own_is_that_cell():
    check = solved()[at(solved(), "causal-mask-check")].source
    rebuilt = rebuild(assignment(), inserted(solved(), "question", code(f"\n{check}\n\n")))
    assert added(rebuilt) == []
    assert rebuilt.flags == ('Locked cells stand there more than once: "causal-mask-check".',)


@pytest.mark.parametrize("grade_id", ["causal-mask", "attention", "question"])
def test_a_deleted_answer_is_the_stub_and_flagged(grade_id):
    rebuilt = rebuild(assignment(), without(solved(), grade_id))
    assert source(rebuilt, grade_id) == assignment().released[grade_id].source
    assert f'The cell "{grade_id}" is missing; the released one stands in for it.' in rebuilt.flags


@pytest.mark.parametrize("grade_id", ["causal-mask", "question"])
def test_an_emptied_answer_is_the_stub_and_flagged(grade_id):
    rebuilt = rebuild(assignment(), changed(solved(), grade_id, source=" \n\n"))
    assert source(rebuilt, grade_id) == assignment().released[grade_id].source
    assert rebuilt.flags == (f'The cell "{grade_id}" is empty; the released one stands in for it.',)


MASK = solved()[at(solved(), "causal-mask")].source
STUB = assignment().released["causal-mask"].source


@pytest.mark.parametrize("left", ["stub", "missing", "empty", "comment"])
@pytest.mark.parametrize("anchor", ["imports", "causal-mask-text", "causal-mask-sizes", "question"])
def test_a_function_written_in_an_added_cell_counts_wherever_it_stands(left, anchor):
    cells = inserted(solved(), anchor, code("import numpy as xp"), code(MASK.replace("np.", "xp.")))
    if left == "missing":
        cells = without(cells, "causal-mask")
    elif left != "stub":
        cells = changed(cells, "causal-mask", source="" if left == "empty" else "# see below")
    else:
        cells = changed(cells, "causal-mask", source=STUB + "  ")
    rebuilt = rebuild(assignment(), cells)
    assert points(rebuilt) == FULL
    assert "xp.arange" in source(rebuilt, "causal-mask")
    assert any('"causal-mask"' in flag for flag in rebuilt.flags)


def test_a_function_defined_too_early_still_serves_the_cells_around_it():
    both = code(f"from numpy import arange\n{MASK}")
    cells = changed(inserted(solved(), "imports", both), "attention", source=STUB)
    rebuilt = rebuild(assignment(), changed(cells, "causal-mask", source=STUB))
    assert added(rebuilt) == [both.source]
    assert source(rebuilt, "causal-mask") == both.source


@pytest.mark.parametrize("left", ["stub", "missing"])
@pytest.mark.parametrize("keeper", ["causal-mask", "attention", "added"])
def test_all_functions_in_one_cell_count_each_in_its_place(keeper, left):
    ids = ("causal-mask", "padding-mask", "attention")
    everything = "\n\n".join(solved()[at(solved(), name)].source for name in ids)
    cells = blank() if left == "stub" else without(blank(), *(set(ids) - {keeper}))
    if keeper == "added":
        cells = inserted(cells, "question", code(everything))
    else:
        cells = changed(cells, keeper, source=everything)
    rebuilt = rebuild(assignment(), cells)
    assert points(rebuilt) == FULL
    assert all("def padding_mask" in source(rebuilt, name) for name in ids)


def test_an_answer_in_two_cells_is_both():
    cells = changed(blank(), "attention", source="# first try\ndef attention(*a): return 1, 1")
    again = replace(cells[at(cells, "attention")], source="# second try\ndef attention(*a): pass")
    rebuilt = rebuild(assignment(), inserted(cells, "attention", again))
    assert source(rebuilt, "attention").startswith("# second")
    assert added(rebuilt) == ["# first try\ndef attention(*a): return 1, 1"]
    assert rebuilt.flags == ('The answer "attention" is made of 2 cells, run in order.',)


def test_of_copies_of_an_answer_the_stub_drops_out():
    stub = assignment().released["causal-mask"]
    rebuilt = rebuild(assignment(), inserted(solved(), "causal-mask", stub))
    assert points(rebuilt) == FULL
    assert added(rebuilt) == []
    assert rebuilt.flags == ('The cell "causal-mask" stands there 2 times.',)


def test_a_copied_answer_turned_into_something_else_runs_but_is_not_the_answer():
    scratch = replace(assignment().released["causal-mask"], source="print(causal_mask(2, 2))")
    rebuilt = rebuild(assignment(), inserted(solved(), "causal-mask", scratch))
    assert "def causal_mask" in source(rebuilt, "causal-mask")
    assert order(rebuilt)[4:6] == ["causal-mask", "added-1"]
    assert points(rebuilt) == FULL


def test_written_answers_in_several_cells_are_joined():
    cells = changed(blank(), "question", source="One.")
    cells = inserted(cells, "question", replace(cells[at(cells, "question")], source="Two."))
    assert source(rebuild(assignment(), cells), "question") == "One.\n\nTwo."


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("left", ["stub", "missing"])
def test_a_written_answer_beside_its_cell_is_found(kind, left):
    cells = inserted(blank(), "question", Cell(kind, QUESTION))
    if left == "missing":
        cells = without(cells, "question")
    rebuilt = rebuild(assignment(), cells)
    assert source(rebuilt, "question") == QUESTION
    assert any("place between their neighbours" in flag for flag in rebuilt.flags)


def test_a_written_answer_in_a_cell_of_code_is_found_without_metadata_too():
    cells = [*without(solved(), "question"), code(QUESTION)]
    assert source(rebuild(assignment(), bare(cells)), "question") == QUESTION
    scratch = rebuild(assignment(), bare([*cells[:-1], code("x = 1")]))
    assert source(scratch, "question") == "*Write your answer here.*"
    assert added(scratch) == ["x = 1"]


@pytest.mark.parametrize(("grade_id", "kind"), [
    ("attention", "markdown"), ("attention", "raw"), ("question", "code"), ("question", "raw"),
])  # fmt: skip
def test_a_retyped_cell_is_taken_by_its_text(grade_id, kind):
    rebuilt = rebuild(assignment(), changed(solved(), grade_id, kind=kind))
    assert points(rebuilt) == FULL
    assert source(rebuilt, grade_id) == solved()[at(solved(), grade_id)].source
    assert rebuilt.flags == (f'The answer "{grade_id}" was turned into a cell of {kind}.',)


def test_retyped_answers_and_locked_cells_without_metadata_are_found_too():
    cells = [replace(cell, kind="raw") for cell in bare(solved())]
    assert points(rebuild(assignment(), cells)) == FULL


def test_a_later_definition_before_the_tests_wins_and_one_after_them_does_not():
    wrong = code("def causal_mask(n_q, n_k): return 1 / 0")
    lost = rebuild(assignment(), inserted(solved(), "causal-mask", wrong))
    kept = rebuild(assignment(), inserted(solved(), "attention-input", wrong))
    assert points(lost) < points(kept) == FULL


def test_a_broken_answer_is_still_that_answer():
    broken = "def attention(query, key:\n    return"
    rebuilt = rebuild(assignment(), bare(changed(solved(), "attention", source=broken)))
    assert source(rebuilt, "attention") == broken
    assert points(rebuilt) == 6


@pytest.mark.parametrize("kept_id", ["", "of another release"])
def test_an_answer_that_defines_nothing_is_found_by_its_place(kept_id):
    odd = "exec('causal_mask = None')"
    cells = bare(changed(solved(), "causal-mask", source=odd, cell_id=kept_id))
    rebuilt = rebuild(assignment(), cells)
    assert source(rebuilt, "causal-mask") == odd


def test_cells_of_another_set_beside_all_answers_are_the_students_own():
    foreign = solved(PS1)[at(solved(PS1), "soft-lookup")]
    rebuilt = rebuild(assignment(), inserted(solved(), "attention-input", foreign))
    assert points(rebuilt) == FULL
    assert added(rebuilt) == [foreign.source]
    (flag,) = rebuilt.flags
    assert "ids that this problem set does not have" in flag
    assert '"soft-lookup"' in flag


def test_an_older_release_is_graded_where_its_ids_exist():
    cells = changed(solved(), "causal-mask-text", source="## The old text")
    cells = without(cells, "attention-empty")
    rebuilt = rebuild(assignment(), cells)
    assert points(rebuilt) == FULL
    assert rebuilt.flags == (
        "Locked cells differ from the current release (an older release, or a change of the "
        'student\'s); the released ones were used: "causal-mask-text".',
        'Locked cells are missing and were put back: "attention-empty".',
    )


def test_an_answer_that_an_older_release_called_otherwise_is_found_by_its_function():
    cells = changed(solved(), "causal-mask", grade_id="mask-answer")
    rebuilt = rebuild(assignment(), cells)
    assert points(rebuilt) == FULL


def test_another_release_is_refused():
    cells = changed(solved(), "causal-mask", grade_id="old", source="def old(): pass")
    with pytest.raises(Refused, match="another release"):
        rebuild(assignment(), cells)


@pytest.mark.parametrize("cells", [solved(PS1), bare(solved(PS1)), bare(blank(PS1))])
def test_another_problem_set_is_refused_by_its_name(cells):
    with pytest.raises(Refused, match=f'"{PS1}", not "{PS4}"'):
        rebuild(assignment(), cells, [assignment(PS1)])


def test_another_problem_set_is_refused_by_its_heading_where_the_sets_are_not_known():
    with pytest.raises(Refused, match="its first heading is "):
        rebuild(assignment(), solved(PS1))


@pytest.mark.parametrize(
    "cells",
    [
        [],
        [code(""), prose(" ")],
        [prose("# A diary"), code("print(1)")],
        [solved()[1], solved()[2], prose("# Lesson"), code("print(1)")],
    ],
)
def test_a_notebook_without_anything_of_the_set_is_refused(cells):
    with pytest.raises(Refused):
        rebuild(assignment(), cells)


def test_a_notebook_with_all_answers_deleted_is_graded():
    rebuilt = rebuild(assignment(), [c for c in blank() if c.role in ("locked", "test")])
    assert points(rebuilt) == 0
    assert len(rebuilt.flags) == 4


@given(st.data())
def test_whatever_is_done_to_a_notebook_the_instructors_cells_stay(data):
    both = code("def causal_mask(): 1\ndef padding_mask(): 1")
    own = [code("x = 1"), code("def attention(:"), both, prose("Hm."), code("")]
    pool = [*solved(), *bare(solved()), *blank(), *own]
    cells = data.draw(st.lists(st.sampled_from(pool), max_size=40))
    try:
        rebuilt = rebuild(assignment(), cells, [assignment(PS1)])
    except Refused as refused:
        assert refused.reason
        return
    places = [step for step in rebuilt.steps if step.kind != "added"]
    assert [step.cell_id for step in places] == [cell.grade_id for cell in assignment().cells]
    for step, cell in zip(places, assignment().cells, strict=True):
        assert (step.kind, step.points) == (cell.role, cell.points)
        if step.kind == "test":
            assert step.source == cell.source
    names = [step.cell_id for step in rebuilt.steps if step.kind == "added"]
    assert names == [f"added-{number}" for number in range(1, len(names) + 1)]
    kept = {cell.source for cell in own[:2]} & {cell.source for cell in cells}
    assert kept <= {step.source for step in rebuilt.steps}
    assert rebuild(assignment(), cells, [assignment(PS1)]) == rebuilt
