"""grades.csv and results.jsonl."""

import csv
import json
import random
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.autograder.samples import NAME, refused, results, verdict

from autograder.tables import (
    COLUMNS,
    number_text,
    plain_text,
    spreadsheet_text,
    write_grades,
    write_results,
)

ODD_IDS = [
    *("ada", "=1+1", "+49", "-5", "@SUM(A1)", "'quoted'", 'with "quotes"', "a,b", "a;=b"),
    *(
        "two\nlines",
        "\t=tab",
        "\r=return",
        "nul\0",
        "\ud800",
        "back\\slash",
        "\u202eturned",
        "Ünï",
        "  =spaces",
    ),
]


def read(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_grades_say_what_came_of_each_student(tmp_path):
    late = verdict("zoe", tests=results({"causal-mask-sizes": 0.5}), late_seconds=90.0)
    flagged = replace(late, flags=("line 3 uses torch.softmax",), mended=("a cell was lost",))
    failed = verdict("max", status="infrastructure", reason="no memory", submitted_at=None)
    write_grades(tmp_path / "grades.csv", [flagged, failed, refused("bob")])
    rows = read(tmp_path / "grades.csv")
    assert [row["student_id"] for row in rows] == ["bob", "max", "zoe"]
    assert [row["status"] for row in rows] == ["refused", "infrastructure", "graded"]
    assert [row["score"] for row in rows] == ["0", "", "15.5"]
    assert {row["max_score"] for row in rows} == {"20"}
    assert {row["assignment"] for row in rows} == {NAME}
    assert rows[0]["reason"].startswith("The file ends")
    assert rows[2]["flags"] == "a cell was lost; line 3 uses torch.softmax"
    assert [row["late_seconds"] for row in rows] == ["", "0", "90"]


def test_grades_have_their_columns_and_line_ends(tmp_path):
    write_grades(tmp_path / "grades.csv", [verdict(late_seconds=None)])
    content = (tmp_path / "grades.csv").read_bytes()
    assert content == (",".join(COLUMNS) + f"\nada,{NAME},17,20,graded,,,\n").encode()


def test_the_same_verdicts_give_the_same_bytes_in_any_order(tmp_path):
    verdicts = [verdict(f"{name}") for name in ODD_IDS]
    written = set()
    for seed in range(4):
        random.Random(seed).shuffle(verdicts)
        for write, path in ((write_grades, "g"), (write_results, "r")):
            write(tmp_path / path, iter(verdicts))
            written.add((path, (tmp_path / path).read_bytes()))
    assert len(written) == 2


def test_odd_texts_come_back(tmp_path):
    verdicts = [verdict(name, reason=name, flags=(name,)) for name in ODD_IDS]
    write_grades(tmp_path / "grades.csv", verdicts)
    rows = read(tmp_path / "grades.csv")
    for column in ("student_id", "reason", "flags"):
        assert [plain_text(row[column]) for row in rows] == sorted(ODD_IDS)


@given(st.text(st.characters()) | st.text("=+-@';\n\\u0 \t", max_size=12))
@example("\\u0000")
@example("''=")
@example(";\n'\n ;=")
def test_any_text_is_harmless_and_comes_back(text):
    cell = spreadsheet_text(text)
    assert plain_text(cell) == text
    cell.encode()
    for part in cell.replace("\n", ";").split(";"):
        assert not part.strip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))
    assert not set(cell) & set("\0\t\r\x1b\u202e")


def test_usual_texts_stand_as_they_are():
    for text in ("ada", "Ünï 李", "it's", "a=b", "a - b; c", "two\nlines", "12-5"):
        assert spreadsheet_text(text) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((7.0, "7"), (2.5, "2.5"), (0.0, "0"), (-0.0, "0"), (20, "20"), (0.1 + 0.2, "0.3")),
        *((1 / 3, "0.333333"), (1e7, "10000000"), (None, ""), (100.0, "100")),
    ],
)
def test_numbers_are_written_in_one_way(value, text):
    assert number_text(value) == text


def test_results_have_a_line_for_each_test(tmp_path):
    odd = verdict("b\ud800\n", tests=results({"causal-mask-sizes": 0.5}, hint='Look\nat "this"'))
    write_results(tmp_path / "results.jsonl", [odd, verdict("a")])
    lines = (tmp_path / "results.jsonl").read_bytes().decode("ascii").split("\n")
    assert lines.pop() == ""
    read_back = [json.loads(line) for line in lines]
    assert len(read_back) == 2 * len(results())
    assert [result["student_id"] for result in read_back] == sorted(
        result["student_id"] for result in read_back
    )
    assert [r["test_id"] for r in read_back if r["student_id"] == "a"] == [
        t.test_id for t in results()
    ]
    (partial,) = [result for result in read_back if result["outcome"] == "partial"]
    assert partial == {
        "student_id": "b\ud800\n",
        "assignment": NAME,
        "test_id": "causal-mask-sizes",
        "points": 2,
        "score": 0.5,
        "outcome": "partial",
        "hint": 'Look\nat "this"',
    }
    assert '"score": 2,' in lines[1] or '"score": 1,' in lines[0]
    assert [r["score"] for r in read_back if r["outcome"] == "ungraded"] == [None, None]


def test_nothing_graded_gives_a_table_all_the_same(tmp_path):
    write_grades(tmp_path / "out" / "grades.csv", [])
    write_results(tmp_path / "out" / "results.jsonl", [])
    assert read(tmp_path / "out" / "grades.csv") == []
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == b""
