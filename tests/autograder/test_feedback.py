"""Feedback pages: what they say, what they never show, and how they look."""

import base64
import html
import re
import struct
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser

import pytest
from tests.autograder.samples import (
    ANSWERS,
    NAME,
    PICTURE,
    assignment,
    refused,
    results,
    steps,
    verdict,
)
from tests.browsing import violations
from tests.notebooks import ROOT, read, secret_lines

from autograder.feedback import feedback_page, write_feedback
from autograder.feedback.code import code
from autograder.feedback.page import came, duration
from autograder.feedback.prose import answer, question
from autograder.feedback.text import printed, shortened, visible, with_code
from autograder.model import CellOutput

MEGABYTE = 1_000_000
SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'><svg/onload=alert(1)>"
TURNED = "\u202e\u2066\u200b\ufeff\x00\x07\x1b]0;title\x07\ud800"


def page_of(**changes):
    return feedback_page(verdict(**changes), assignment())


class _Reader(HTMLParser):
    """Collects what a page holds: its text, elements and their attributes."""

    def __init__(self, page):
        super().__init__()
        self.text, self.elements = "", []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def text_of(page):
    return _Reader(re.sub(r"<style>.*?</style>", "", page, flags=re.S)).text


# What a page says


def test_a_page_says_what_was_had_and_what_waits():
    page = page_of(tests=results({"causal-mask-sizes": 0.5, "attention-mask": 0.0}))
    text = " ".join(text_of(page).split())
    assert "Who may look at whom" in text and NAME in text and "ada" in text
    assert "13.5 of 17 points, and 3 more wait for a person to read" in text
    assert "◐ Partly right" in text and "0.5 of 2" in text
    assert "✗ Not yet right" in text and "0 of 2" in text and "✓ Passed" in text
    assert "… Waits for a person" in text


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("time", "Took too long"),
        ("memory", "Needed too much memory"),
        ("crash", "Ended its process"),
        ("error", "Could not be tested"),
    ],
)
def test_each_failure_is_told_in_words(outcome, words):
    first, *rest = results()
    failed = replace(first, score=0.0, outcome=outcome, hint="Look at the loop.")
    text = text_of(page_of(tests=(failed, *rest)))
    assert text.count(words) == 2  # in the table, and where the test stands
    assert text.count("Look at the loop.") == 2


def test_every_test_has_a_line_that_leads_to_its_place():
    reader = _Reader(page_of())
    targets = [a["href"] for tag, a in reader.elements if tag == "a" and "href" in a]
    places = {attributes.get("id") for _, attributes in reader.elements}
    assert len(targets) == len(results()) and {t.removeprefix("#") for t in targets} <= places


def test_the_students_work_and_its_output_are_there():
    text = text_of(
        page_of(outputs={"added-1": CellOutput("hello there\n", (PICTURE,), True, "E1")})
    )
    assert ANSWERS["causal-mask"] in text and "print('hello')" in text
    assert "hello there" in text and "This cell ended with E1." in text
    assert "It printed more than is kept." in text
    assert "no longer sum to 1" in text and "nothing is filled in" in text
    picture = base64.b64encode(PICTURE).decode()
    assert f'src="data:image/png;base64,{picture}"' in page_of()


def test_a_cell_of_the_course_is_named_only_where_it_said_something():
    for output, is_named in ((CellOutput(), False), (CellOutput("hello"), True)):
        page = page_of(outputs={"imports": output})
        assert ("A cell of the course" in page) == is_named


def test_an_unanswered_question_waits_for_nobody():
    text = text_of(page_of(steps=steps({})))
    assert "No answer" in text and "Waits for a person" not in text
    assert "17 of 20 points" in " ".join(text.split())


def test_what_was_mended_is_told_but_not_the_instructors_flags():
    page = page_of(mended=("The cell `question` was there twice.",), flags=("uses torch.softmax",))
    assert "The cell <code>question</code> was there twice." in page
    assert "torch.softmax" not in page
    assert "About your file" not in page_of()


def test_a_refused_file_gets_its_reason_and_what_to_do():
    text = text_of(feedback_page(refused(), assignment()))
    assert "could not be graded" in text and "The file ends in the middle" in text
    assert "What to do" in text and "What the tests say" not in text


def test_our_own_failure_is_not_the_students():
    text = text_of(page_of(status="infrastructure", reason="sandbox secret detail", steps=()))
    assert "Something failed on our side" in text and "secret detail" not in text


EAST = timezone(timedelta(hours=5, minutes=30))


@pytest.mark.parametrize(
    ("submitted_at", "late", "said"),
    [
        (None, None, "When it was handed in is not known."),
        (None, 5.0, "When it was handed in is not known."),
        (datetime(2026, 3, 1, 9, 5, tzinfo=EAST), None, "1 March 2026, 09:05 (UTC+05:30)."),
        (datetime(2026, 3, 1, 9, 5, tzinfo=timezone.utc), 0.0, "09:05 (UTC), in time."),  # noqa: UP017
        (datetime(2026, 3, 1, 9, 5, tzinfo=EAST), 7_500.0, "(UTC+05:30), 2 hours 5 minutes late."),
    ],
)
def test_when_it_came_in_is_said_as_far_as_known(submitted_at, late, said):
    assert came(submitted_at, late).endswith(said)
    assert said in page_of(submitted_at=submitted_at, late_seconds=late)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 second"), (60, "1 minute"), (3_661, "1 hour 1 minute"), (180_000, "2 days 2 hours")],
)
def test_lateness_is_said_in_two_units(seconds, words):
    assert duration(seconds) == words


def test_the_same_verdict_gives_the_same_page(tmp_path):
    path = write_feedback(verdict("../a b"), assignment(), tmp_path)
    assert path == tmp_path / "~2E.~2Fa b" / f"{NAME}.html"
    assert path.read_text(encoding="utf-8") == feedback_page(verdict("../a b"), assignment())
    stored = type(verdict()).from_bytes(verdict("../a b").to_bytes())
    assert path.read_text(encoding="utf-8") == feedback_page(stored, assignment())


# What a page never shows


def test_no_line_of_a_hidden_test_or_model_answer_is_shown():
    secret = secret_lines(read(ROOT / "solutions" / NAME / f"{NAME}.ipynb"))
    assert len(secret) > 100
    everywhere = {step.cell_id: CellOutput("printed", (PICTURE,)) for step in steps()}
    page = page_of(outputs=everywhere)
    lines = {line.strip() for line in text_of(page).splitlines()}
    assert not secret & lines
    assert not [line for line in secret if len(line) > 12 and html.escape(line) in page]


def test_neither_source_nor_output_of_a_test_is_shown():
    marked = tuple(
        replace(step, source=f"canary_{step.kind} = 'sourcecanary{step.kind}'") for step in steps()
    )
    outputs = {step.cell_id: CellOutput(f"outputcanary{step.kind}") for step in marked}
    text = text_of(page_of(steps=marked, outputs=outputs))
    for canary in ("canary_test", "sourcecanarytest", "outputcanarytest"):
        assert canary not in text
    assert "sourcecanaryanswer" in text and "outputcanarylocked" in text


@pytest.mark.parametrize("evil", [SCRIPT, TURNED, "</style></pre></code>", "{{ 7 * 7 }}{% if %}"])
def test_nothing_that_a_student_writes_becomes_markup(evil):
    first, *rest = results()
    page = page_of(
        student_id=evil,
        steps=steps({"causal-mask": evil, "question": evil, "attention": f"x = '{evil}"}, (evil,)),
        outputs={"added-1": CellOutput(evil, error=evil)},
        mended=(evil,),
        tests=(replace(first, promise=evil, hint=evil), *rest),
    )
    plain = _Reader(page_of(steps=steps({"causal-mask": "", "question": "", "attention": ""})))
    assert {tag for tag, _ in _Reader(page).elements} <= {t for t, _ in plain.elements} | {"bdi"}
    handlers = {a for _, attributes in _Reader(page).elements for a in attributes}
    assert not [a for a in handlers if a.startswith("on")]
    assert "<script" not in page and "49" not in re.findall(r"\d+", text_of(page))
    assert not set(page) & set("\x00\x07\x1b\u202e\u2066\u200b\ufeff\ud800")
    page.encode()


def test_a_refusals_reason_is_escaped_too():
    page = feedback_page(replace(refused(SCRIPT), reason=SCRIPT), assignment())
    assert "<script" not in page and "<img" not in page and "<svg" not in page


def test_a_page_needs_nothing_and_allows_nothing():
    page = page_of()
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert policy in page
    reader = _Reader(page)
    assert not {"script", "link", "iframe", "object", "form"} & {tag for tag, _ in reader.elements}
    sources = [a["src"] for _, a in reader.elements if "src" in a]
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    assert "url(" not in page and "@import" not in page


# However much there is


def flood(text, cells=1, source=None):
    added = tuple(text if source is None else source for _ in range(cells))
    images = (PICTURE + b"x" * 9_000,)
    outputs = {
        f"added-{number}": CellOutput(text, images, cut=True, error=text[:50])
        for number in range(1, cells + 1)
    }
    return {"steps": steps({**ANSWERS, "question": text}, added), "outputs": outputs}


@pytest.mark.parametrize(
    "text", ["x" * MEGABYTE, "<" * MEGABYTE, "\x00" * MEGABYTE, "a\n" * 500_000]
)
def test_a_page_stays_small_whatever_was_printed(text):
    page = page_of(**flood(text), mended=(text,) * 3, student_id=text[:2000])
    assert len(page.encode()) < 2 * MEGABYTE
    assert "characters are left out here" in text_of(page)
    assert ANSWERS["causal-mask"] in text_of(page)


def test_a_page_stays_small_with_however_many_cells():
    page = page_of(**flood("x = '<&>'; " * 400, cells=400), mended=("mended",) * 1000)
    assert len(page.encode()) < 2 * MEGABYTE
    assert "More of your cells are left out" in page
    assert text_of(page).count("Passed") == 2 * 11


def test_a_page_stays_small_with_however_much_output():
    page = page_of(**flood("x = '<&>'; " * 400, cells=400, source="pass"))
    assert len(page.encode()) < 2 * MEGABYTE
    assert "What it printed is left out" in page and "Pictures left out" in page
    assert text_of(page).count("Passed") == 2 * 11


def test_pictures_that_are_none_or_too_large_are_left_out():
    vast = PICTURE[:16] + struct.pack(">II", 100_000, 100_000) + PICTURE[24:]
    for image in (b"GIF89a", b"", vast, PICTURE[:20], b"<svg onload=alert(1)>"):
        page = page_of(outputs={"added-1": CellOutput(images=(image,))})
        assert "<img" not in page and "Pictures left out" in page


# Its texts


def test_invisible_characters_are_named():
    assert visible("a\u202eb<\x00") == (
        'a<span class="unseen">U+202E</span>b&lt;<span class="unseen">U+0000</span>'
    )
    assert visible("tab\tand\nline, 👩‍🔬, می‌خواهم, é") == "tab\tand\nline, 👩‍🔬, می‌خواهم, é"


def test_output_is_what_a_terminal_would_show():
    assert printed("\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b(B") == "red link"
    assert printed(" 10%\r 50%\r100%\r\ndone\r") == "100%\ndone"
    assert printed("a\nb\rc\n") == "a\nc\n"


def test_code_is_set_as_in_the_book():
    source = 'def mix(query, x):\n    """Say."""\n    return query @ x  # it\n'
    marked = code(source)
    assert '<span class="k">def</span> <span class="f">mix</span>' in marked
    assert '<span class="iq">query</span>' in marked and '<span class="c"># it</span>' in marked
    assert _Reader(str(marked)).text == source
    assert code("\n\n  x = 1") == "\n\n  x = 1"


def test_markdown_of_students_has_no_html_links_inward_or_pictures():
    shown = answer("# Big\n<b>x</b> [a](javascript:x) [b](../y) [c](https://z) ![d](data:x) $a<b$")
    assert "<h1" not in shown and "<b>" not in shown and "<img" not in shown
    assert "<a>b</a>" in shown and '<a href="https://z" rel="noreferrer">c</a>' in shown
    assert 'href="javascript' not in shown and "<code>$a&lt;b$</code>" in shown
    assert answer("**" * 20_000).startswith('<p class="typed">')


def test_formulas_of_the_course_are_mathml_in_the_themes_colours():
    shown = question("Take $\\textcolor{#2352a3}{Q}\\,K^{\\top}$.")
    assert "<math" in shown and 'class="iq"' in shown and "#2352a3" not in shown
    assert "<code>$\\frac{$</code>" in question("no $\\frac{$ formula")


def test_short_texts_with_code():
    assert with_code("the `n_k` keys <") == "the <code>n_k</code> keys &lt;"
    assert with_code("an odd ` one") == "an odd ` one"


def test_a_long_text_keeps_beginning_and_end():
    cut = shortened("a" * 500 + "z" * 500, 90)
    assert cut.startswith("a" * 60 + "\n[… 910 characters") and cut.endswith("z" * 30)
    assert shortened("a" * 90, 90) == "a" * 90


# How it looks


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_is_accessible_and_fits(browser, tmp_path, width, theme):
    wide = {"added-1": CellOutput("long " * 100 + "x" * 300, (PICTURE,), error="ValueError")}
    scored = results({"causal-mask-sizes": 0.5, "attention-mask": 0.0}, hint="Look again.")
    usual = verdict("Ünï \u202e", tests=scored, outputs=wide, mended=("`x` was lost.",))
    wide_code = steps({**ANSWERS, "attention": f"x = '{'wide ' * 60}'"}, ("y = 1",))
    pages = [replace(usual, steps=wide_code), refused()]
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=theme, java_script_enabled=True
    )
    faults = []
    tab = context.new_page()
    tab.on("console", lambda message: faults.append(message.text))
    for shown in pages:
        path = write_feedback(shown, assignment(), tmp_path)
        tab.goto(path.as_uri())
        # What is folded must be readable too.
        tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        faults += violations(tab)
        if tab.evaluate("document.documentElement.scrollWidth") > width:
            faults.append(f"{path.name} scrolls sideways")
        assert tab.locator("header, main, footer").count() == 3
    context.close()
    assert not faults
