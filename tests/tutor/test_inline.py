"""Inline markup and math."""

import xml.etree.ElementTree as ET

import pytest

from tutor.inline import MarkupError, to_html, to_mathml, to_words


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain & <simple>", "plain &amp; &lt;simple&gt;"),
        ("call `f(a < b)` now", "call <code>f(a &lt; b)</code> now"),
        ("*never* this", "<em>never</em> this"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        (r"costs \$5 and \$6", "costs $5 and $6"),
        ("`$` is code", "<code>$</code> is code"),
    ],
)
def test_text(text, html):
    assert to_html(text) == html


@pytest.mark.parametrize(
    "latex",
    [
        *(r"\frac{q \cdot k}{\sqrt{d_k}}", r"\sum_{i=1}^{n} x_i", r"e^{-\infty}", r"a < b"),
        *(r"\operatorname{softmax}(QK^\top)V", r"\mathbb{R}^{n \times d}", r"\{1, 2\}"),
        *(r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\text{if } x", r"\hat{x}", r"\tfrac12"),
    ],
)
def test_math_becomes_well_formed_mathml(latex):
    root = ET.fromstring(to_mathml(latex))
    assert root.tag == "{http://www.w3.org/1998/Math/MathML}math"


def test_the_four_inks_follow_the_theme():
    assert 'style="color:var(--tw-q, #2352a3)"' in to_mathml(r"\textcolor{#2352a3}{q}")
    assert 'style="color:#123456"' in to_mathml(r"\textcolor{#123456}{q}")


def test_a_minus_after_a_comma_is_a_sign():
    assert to_mathml("(1, -2)").count('form="prefix"') == 1
    assert 'form="prefix"' not in to_mathml("a - b")


def test_punctuation_stays_with_its_formula():
    assert to_html("Is it $x$?").endswith("?</span>")


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        (r"\foo x", r"unknown command \foo"),
        ("{x", "braces do not match"),
        (r"\frac{a}", "an argument is missing"),
        (r"\begin{foo}x\end{foo}", "unknown environment foo"),
        *((bad, "cannot show the math") for bad in ("x_", r"\left( x", "x^2^3", "", r"\sqrt")),
    ],
)
def test_bad_math_is_quoted_in_the_error(latex, reason):
    with pytest.raises(MarkupError) as caught:
        to_html(f"See ${latex}$.")
    assert reason in str(caught.value)
    assert repr(latex) in str(caught.value)


def test_a_dollar_sign_without_partner():
    with pytest.raises(MarkupError, match="without its partner in 'costs"):
        to_html("costs $5")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"about $2\sqrt{d}$.", "about 2 the square root of d."),
        (r"$\frac{1}{\sqrt{d_k}}$", "1 over the square root of d sub k"),
        (r"$\textcolor{#2352a3}{q} \cdot e^{5}$", "q cdot e to the power 5"),
        ("`code` and *stress*", "code and stress"),
    ],
)
def test_math_in_words(text, words):
    assert to_words(text) == words
