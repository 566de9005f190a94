"""Files as they come: what is read, what is refused and why, and that nothing else happens."""

import codecs
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autograder.student import PS1, PS4, content, notebook_file

from autograder import notebooks
from autograder.model import Cell
from autograder.notebooks import read_notebook
from autograder.refused import Refused

GOOD = content()


def edited(edit, source=GOOD):
    """Return a notebook's bytes after a change to its data."""
    notebook = json.loads(source)
    edit(notebook)
    return json.dumps(notebook).encode()


def refusal(file):
    with pytest.raises(Refused) as caught:
        read_notebook(file)
    assert str(caught.value) == caught.value.reason
    return caught.value.reason


@pytest.mark.parametrize("name", [PS1, PS4])
@pytest.mark.parametrize("folder", ["exercises", "solutions"])
def test_the_courses_notebooks_are_read_as_they_are(name, folder):
    data = json.loads(content(name, folder))
    notebook = read_notebook(content(name, folder))
    assert notebook.flags == ()
    assert (notebook.kernel, notebook.language) == ("python3", "python")
    assert [cell.source for cell in notebook.cells] == ["".join(c["source"]) for c in data["cells"]]
    assert [cell.cell_id for cell in notebook.cells] == [cell["id"] for cell in data["cells"]]


def test_nbgraders_metadata_say_what_a_cell_is():
    cells = {cell.grade_id: cell for cell in read_notebook(GOOD).cells}
    assert (cells["title"].kind, cells["title"].role) == ("markdown", "locked")
    assert (cells["attention"].kind, cells["attention"].role) == ("code", "answer")
    assert (cells["attention-mask"].role, cells["attention-mask"].points) == ("test", 2.0)
    assert (cells["question"].role, cells["question"].points) == ("written", 3.0)


def no_ids(notebook):
    for cell in notebook["cells"]:
        del cell["id"]


def same_ids(notebook):
    for cell in notebook["cells"]:
        cell["id"] = "same"


def strings(notebook):
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])


def colab(notebook):
    widget = "application/vnd.jupyter.widget-state+json"
    notebook["metadata"] |= {"widgets": {widget: {"abc": {}}}, "colab": {"provenance": [1]}}
    for cell in notebook["cells"]:
        cell["metadata"] |= {"id": "xyz", "colab": {"base_uri": "https://localhost"}}


def large_outputs(notebook):
    notebook["cells"][1]["outputs"] = [{"output_type": "stream", "text": ["x" * 1_000_000] * 5}]


def odd_outputs(notebook):
    notebook["cells"][1] |= {"outputs": float("nan"), "execution_count": "seven"}


MINORS = (0, 3, 4, 6, None, "x")


@pytest.mark.parametrize(
    "edit",
    [no_ids, same_ids, strings, colab, large_outputs, odd_outputs,
     *(lambda nb, minor=minor: nb.update(nbformat_minor=minor) for minor in MINORS),
     lambda nb: nb.pop("nbformat_minor"), lambda nb: nb.update(nbformat=4.0),
     lambda nb: nb.pop("metadata"), lambda nb: nb.update(metadata=[1]),
     lambda nb: nb["metadata"].update(kernelspec="python3"),
     lambda nb: nb["metadata"].update(language_info={"name": 3}),
     lambda nb: nb.update(unknown={"a": [None]})],
)  # fmt: skip
def test_what_editors_leave_behind_changes_nothing(edit):
    notebook = read_notebook(edited(edit))
    assert notebook.flags == ()
    assert [(c.source, c.role) for c in notebook.cells] == [
        (c.source, c.role) for c in read_notebook(GOOD).cells
    ]


@pytest.mark.parametrize(
    "grading",
    ["locked", ["a"], 3, None, {}, {"grade_id": 7}, {"grade_id": None, "solution": "yes"},
     {"grade": 1, "locked": "true", "points": "many"}, {"solution": [True]}],
)  # fmt: skip
def test_metadata_of_wrong_types_say_nothing(grading):
    def edit(notebook):
        notebook["cells"][4]["metadata"]["nbgrader"] = grading

    cell = read_notebook(edited(edit)).cells[4]
    assert (cell.grade_id, cell.role, cell.points) == ("", "", 0.0)


@pytest.mark.parametrize(
    "value", [-1, float("nan"), float("inf"), 10**400, "3", None, True, [1], 1e300]
)
def test_impossible_points_are_none(value):
    def edit(notebook):
        notebook["cells"][6]["metadata"]["nbgrader"]["points"] = value

    assert read_notebook(edited(edit)).cells[6].points == 0.0


@pytest.mark.parametrize(
    ("file", "flag"),
    [
        (codecs.BOM_UTF8 + GOOD, ""),
        (GOOD.decode().encode("utf-16"), "UTF-16"),
        (GOOD.decode().encode("utf-16-le"), "UTF-16"),
        (GOOD.decode().encode("utf-32"), "UTF-32"),
        (GOOD.replace(b"\n", b"\r\n"), ""),
        (b"\n\n  " + GOOD + b"\n \n", ""),
    ],
)
def test_encodings_are_seen_through(file, flag):
    notebook = read_notebook(file)
    assert [c.source for c in notebook.cells] == [c.source for c in read_notebook(GOOD).cells]
    assert [flag in found for found in notebook.flags] == ([True] if flag else [])


def set_cell(**fields):
    return lambda notebook: notebook["cells"][3].update(fields)


@pytest.mark.parametrize(
    ("edit", "flag"),
    [
        (lambda nb: nb.pop("nbformat"), "format is missing"),
        (lambda nb: nb.update(nbformat="4"), "format is missing"),
        (lambda nb: nb["metadata"].update(kernelspec={"name": "conda-env-mine"}), "conda-env-mine"),
        (lambda nb: nb["metadata"]["kernelspec"].update(language="R"), '"r"'),
        (set_cell(cell_type="heading"), "Cell 4 is of an unknown type"),
        (set_cell(cell_type=["code"]), "Cell 4 is of an unknown type"),
        (set_cell(source=None), "Cell 4 could not be read"),
        (set_cell(source=["a", 1]), "Cell 4 could not be read"),
        (set_cell(source="\ud800"), "Cell 4 held broken characters"),
        (lambda nb: nb["cells"].insert(1, "cell"), "Cell 2 could not be read"),
    ],
)
def test_oddities_are_read_past_and_flagged(edit, flag):
    (found,) = read_notebook(edited(edit)).flags
    assert flag in found


def test_nothing_that_is_read_resists_being_written():
    notebook = read_notebook(edited(set_cell(source="a\ud800b", id="\udfff")))
    assert notebook.cells[3].source == "a�b"
    for cell in notebook.cells:
        (cell.source + cell.cell_id + cell.grade_id).encode()


CONFLICT = GOOD.replace(
    b'"cells"', b'\n<<<<<<< HEAD\n"cells": 1,\n=======\n>>>>>>> theirs\n"cells"', 1
)


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (b"", "is empty"),
        (b" \n\t\r\n", "is empty"),
        (b"\0" * 4096, "is empty"),
        (GOOD[:-2], "ends in the middle"),
        (GOOD[:5000], "ends in the middle"),
        (b"<!DOCTYPE html><html>", "web page"),
        (codecs.BOM_UTF8 + b"\n <HTML>", "web page"),
        (CONFLICT, "conflict markers"),
        (b"<<<<<<< HEAD\n" + GOOD, "conflict markers"),
        (edited(lambda nb: nb.update(nbformat=3)), "old format"),
        (b'{"nbformat": 3, "worksheets": [{"cells": []}]}', "old format"),
        (edited(lambda nb: nb.update(nbformat=5)), "not known here"),
        (GOOD.replace(b"sentences", "sátze".encode("latin-1")), "not UTF-8"),
        (GOOD[:2000] + "é".encode()[:1], "ends in the middle"),
        (GOOD.replace(b'"cells"', b"cells", 1), "damaged at line"),
        (GOOD + b"}", "damaged at line"),
        (GOOD.replace(b'"cells"', b'"cells": [], "cells"', 1), '"cells" twice'),
        (GOOD.replace(b'"source"', b'"source": "x = 1", "source"', 1), '"source" twice'),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"cells": ' + b'{"a":' * 100_000, "nested too deeply"),
        (b'{"cells": ' + b"9" * 100_000 + b"}", "impossible number"),
        (b"[]", "no notebook"),
        (b"42", "no notebook"),
        (b"NaN", "no notebook"),
        (b"null", "no notebook"),
        (b'"cells"', "no notebook"),
        (b"{}", "no cells"),
        (b'{"nbformat": 4, "cells": {}}', "no cells"),
        (b'{"nbformat": NaN, "cells": null}', "no cells"),
        (b"import numpy as np\n", "no notebook"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b"PK\x03\x04 ...", "zip"),
        (b"\x89PNG\r\n", "picture"),
        (bytes(range(128, 256)), "not UTF-8"),
    ],
)  # fmt: skip
def test_what_is_no_notebook_is_refused_with_its_reason(file, reason):
    assert reason in refusal(file)


def test_conflict_markers_within_a_cell_are_text():
    cells = [Cell("code", "a = 1\n<<<<<<< HEAD\nb = 2\n>>>>>>> theirs\n")]
    assert read_notebook(notebook_file(cells)).cells == tuple(cells)


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [
        ("MAX_FILE", len(GOOD) - 1, "larger than"),
        ("MAX_TOKENS", 100, "too many values"),
        ("MAX_CELLS", 20, "more than 20 cells"),
        ("MAX_CODE", 1000, "more than 1,000 characters of code"),
    ],
)
def test_limits(limit, value, reason, monkeypatch):
    monkeypatch.setattr(notebooks, limit, value)
    assert reason in refusal(GOOD)


def test_a_notebook_cut_off_anywhere_is_refused():
    small = notebook_file([Cell("code", 'x = "é"\n\ty = 1'), Cell("markdown", "text")])
    for end in range(len(small)):
        assert "ends in the middle" in (refusal(small[:end]) if end else "ends in the middle")
    for end in range(0, len(GOOD) - 1, 97):
        refusal(GOOD[:end])


def test_random_damage_is_read_or_refused():
    chance = random.Random(0)
    for _ in range(300):
        damaged = bytearray(GOOD)
        for _ in range(chance.choice([1, 1, 2, 10])):
            at = chance.randrange(len(damaged))
            end = at + chance.choice([0, 1, 100])
            damaged[at:end] = chance.randbytes(chance.choice([0, 1, 5]))
        read_or_refused(bytes(damaged))


def read_or_refused(file):
    try:
        notebook = read_notebook(file)
    except Refused as refused:
        assert refused.reason.endswith(".")
        return
    for cell in notebook.cells:
        assert cell.kind in ("code", "markdown", "raw")
        cell.source.encode()


WORDS = st.sampled_from(
    ["cells", "metadata", "nbformat", "source", "cell_type", "code", "nbgrader", "id", "points",
     "grade_id", "kernelspec", "name", "language", "\ud800", "worksheets"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=8,
)


@given(VALUES, st.dictionaries(WORDS, VALUES, max_size=3), st.lists(VALUES, max_size=2))
def test_any_json_is_read_or_refused(value, extra, cells):
    read_or_refused(json.dumps(value).encode())
    read_or_refused(json.dumps({"nbformat": 4, **extra, "cells": cells}).encode())


@given(st.binary(max_size=200), st.text(max_size=50))
def test_any_bytes_are_read_or_refused(content, text):
    read_or_refused(content)
    read_or_refused(b"{" + content)
    read_or_refused(text.encode("utf-16", "surrogatepass"))
