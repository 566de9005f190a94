"""Plain Markdown and metadata become the book's components."""

import pytest
from tests.pages.sample import build, notebook

LESSON = notebook(
    "# A title\n\n*All of this is the dek, with $d$.*",
    "**After this lesson you can**\n\n- do this\n- do that\n\n## A section",
    "> **Common mistake: dividing by d.** It shrinks the scores.\n\n"
    "> **Not this**\n>\n> Nor that.\n\n"
    "> **Definition: score.** A number.\n\n"
    "> Somebody said **this** once.",
    "1. Write it out.\n\n   $$a = b$$\n\n2. Simplify.\n\n   $$= c$$",
    "1. Not a derivation.\n2. Just a list with $x$.",
    "<details>\n<summary>Ask the tutor: Why?</summary>\n\nBecause *of this*.\n\n</details>\n\n"
    "<details>\n<summary>Solution</summary>\n\n42\n\n</details>",
    "*Emphasis elsewhere is no dek.*\n\nA <span class=\"iq\">query</span> and "
    "$\\textcolor{#2352A3}{q} \\cdot \\textcolor{#ad4a0c}{k}$.\n\n"
    "| a | b |\n|:--|--:|\n| 1 | 2 |",
    code="query, K = 1, 2\nscores = query @ K  # key",
    kicker="Lesson 1",
    minutes=40,
    needs="Python & patience",
    teaches=["query", "key"],
    stage="scale",
)  # fmt: skip
PAGE = """---
course:
  kicker: Problem set 1
  teaches: [output]
---
# A page

Plain opening.

$$
\\io{o} = \\iv{v}
$$ (eq-one)

By {eq}`eq-one`.

\\begin{align}
a &= b \\\\
c &= d
\\end{align}
"""


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    pages = {"lesson.ipynb": LESSON, "page.md": PAGE, "plain.md": "# Plain\n\nText.",
             "index.md": "# Home\n\n```{learning-map}\n```"}  # fmt: skip
    contents = {"Lessons": ["lesson"], "More": ["page", "plain"]}
    return build(tmp_path_factory.mktemp("sample"), pages, contents)


@pytest.fixture(scope="module")
def lesson(sample):
    return sample.page("lesson")


def words(node):
    return " ".join(node.get_text(" ").split())


def test_sample_has_no_warnings(sample):
    assert sample.warnings == ""


def test_emphasised_opening_is_the_dek(lesson):
    (dek,) = lesson.select(".dek")
    assert words(dek).startswith("All of this is the dek")
    assert not dek.select("em")


def test_kicker_comes_from_the_metadata(sample, lesson):
    kicker = lesson.h1.find_next_sibling()
    assert words(kicker) == "Lesson 1 40 minutes Needs Python & patience"
    assert kicker.select_one(".marks")["aria-label"] == "teaches query and key"
    assert words(sample.page("page").select_one(".kicker")) == "Problem set 1"
    assert not sample.page("plain").select(".kicker, .dek, .where")


def test_stage_stands_in_the_formula(lesson):
    stages = lesson.select("ol.where > li")
    assert [words(stage) for stage in stages] == [
        "dot product", "scale", "softmax", "blend", "output",
    ]  # fmt: skip
    assert [words(stage) for stage in stages if stage.get("aria-current")] == ["scale"]


def test_goals_take_the_list_with_their_label(lesson):
    (goals,) = lesson.select(".goals")
    assert words(goals) == "After this lesson you can do this do that"
    assert "label" not in goals["class"]


def test_quotations_are_mistakes_or_to_keep(lesson):
    first, second, keep, plain = lesson.select("blockquote")
    assert first["class"] == second["class"] == ["mistake"] and keep["class"] == ["keep"]
    assert not plain.get("class") and not plain.select(".label")
    assert words(first.select_one(".label")) == "Common mistake: dividing by d"
    assert words(first) == "Common mistake: dividing by d It shrinks the scores."
    assert words(second) == "Not this Nor that."


def test_list_with_algebra_in_every_item_is_a_derivation(lesson):
    derivation, plain = lesson.select("article > section ol:not(.where), section ol:not(.where)")
    assert "derivation" in derivation["class"] and "derivation" not in plain["class"]
    for step, reason in zip(derivation.select(":scope > li"), ["Write it out.", "Simplify."],
                            strict=True):  # fmt: skip
        assert words(step.select_one(".reason")) == reason
        assert step.select_one(".algebra .katex-display")


def test_details_ask_the_tutor_or_fold(lesson):
    tutor, fold = lesson.select("details:not(.jupyterlab)")
    assert tutor["class"] == ["tutor"] and fold["class"] == ["fold"]
    assert words(tutor.summary) == "Ask the tutor Why?"
    assert tutor.em.get_text() == "of this"
    assert words(fold.summary) == "Solution"


def test_mathematics_takes_the_inks_of_notebooks_and_of_pages(sample, lesson):
    assert {"var(--q)", "var(--k)"} <= colours(lesson)
    assert {"var(--o)", "var(--v)"} <= colours(sample.page("page"))


def colours(page):
    styles = [node["style"] for node in page.select(".katex-html [style*=color]")]
    return {style.partition("color:")[2].partition(";")[0] for style in styles}


def test_ink_in_running_text_stays(lesson):
    assert words(lesson.select_one("p > .iq")) == "query"


def test_code_takes_ink_in_names_only(lesson):
    assert [node.get_text() for node in lesson.select(".n-Iq")] == ["query", "query"]
    assert [node.get_text() for node in lesson.select(".n-Ik")] == ["K", "K"]


def test_equations_are_numbered_by_sphinx_alone(sample):
    page = sample.page("page")
    assert [number.find(string=True) for number in page.select(".eqno")] == ["(1)", "(2)"]
    assert not page.select(".eqn-num, .tag")


def test_tables_stand_in_a_frame_that_scrolls(lesson):
    assert lesson.select_one(".table-frame > table")


def test_map_shows_what_there_is_in_order(sample):
    stops = sample.page("index").select("ol.map > li")
    assert [words(stop.a) for stop in stops] == ["A title", "A page"]
    assert [words(stop.select_one(".disc")) for stop in stops] == ["1", "✓"]
    assert [stop["class"] for stop in stops] == [["lesson"], ["task"]]


def test_faults_are_warnings_with_their_place(tmp_path):
    pages = {
        "math.md": "# M\n\n$\\frac{$\n",
        "wrong.ipynb": notebook("# W", kicker="Lesson 1", stage="sofmax", teaches=["kee"], x=1),
    }
    warnings = build(tmp_path, pages, {"All": ["math", "wrong"]}).warnings
    assert "math.md:3: WARNING: KaTeX parse error" in warnings
    for word in ("sofmax", "kee", "x"):
        assert f"course metadata: unknown: {word}" in warnings
