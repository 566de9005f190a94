"""The mathematics in the page against sdpa, on the same numbers."""

import numpy as np
import pytest

import sdpa

RNG = np.random.default_rng(20)
SCORES = {
    "ordinary": RNG.normal(size=7),
    "large": RNG.normal(size=9) * 1e3,
    "huge": np.array([1e308, -1e308, 0.0]),
    "one": np.array([3.5]),
    "equal": np.zeros(4),
}


def run(page, module: str, call: str, *arguments):
    """Call an expression of what a module exports, on numbers, in the browser."""
    script = f"async (a) => {{ const m = await import('./sources/{module}.mjs'); return {call} }}"
    return page.evaluate(script, [np.asarray(argument).tolist() for argument in arguments])


@pytest.mark.parametrize("name", SCORES)
def test_softmax(page, name):
    shown = run(page, "attention", "m.softmax(a[0])", SCORES[name])
    np.testing.assert_allclose(shown, sdpa.softmax(SCORES[name]), rtol=1e-13, atol=1e-300)


def test_softmax_of_blocked_scores(page):
    some = run(page, "attention", "m.softmax([-Infinity, 1, 2])")
    np.testing.assert_allclose(some, sdpa.softmax(np.array([-np.inf, 1, 2])), rtol=1e-13)
    assert run(page, "attention", "m.softmax([-Infinity, -Infinity])") == [0, 0]


@pytest.mark.parametrize("temperature", [0.05, 0.3, 10.0])
@pytest.mark.parametrize(("n", "d", "d_v"), [(5, 2, 7), (1, 3, 1), (11, 4, 2)])
def test_lookup_and_blend(page, n, d, d_v, temperature):
    query, keys, values = RNG.normal(size=d), RNG.normal(size=(n, d)), RNG.normal(size=(n, d_v))
    call = "m.blend(m.lookupWeights(a[0], a[1], a[3]), a[2])"
    shown = run(page, "attention", call, query, keys, values, temperature)
    wanted = sdpa.soft_lookup(query, keys, values, temperature)
    np.testing.assert_allclose(shown, wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.274", 0.274), (" 0,274 ", 0.274), ("−1.5", -1.5), ("1e-3", 0.001), (".5", 0.5)]
    + [("3.", 3.0), ("+2", 2.0)]
    + [(text, None) for text in ("", "a", "1 2", "1e999", "0x10", "1,2,3", "--1", "1e", ".")],
)
def test_numbers_as_people_write_them(page, text, number):
    script = "async (t) => (await import('./sources/numbers.mjs')).readNumber(t)"
    read = page.evaluate(script, text)
    assert np.isnan(read) if number is None else read == number


@pytest.mark.parametrize(
    ("text", "is_ambiguous"), [("1,024", True), ("0,274", False), ("1024", False)]
)
def test_a_comma_that_could_part_thousands(page, text, is_ambiguous):
    script = "async (t) => (await import('./sources/numbers.mjs')).isAmbiguous(t)"
    assert page.evaluate(script, text) is is_ambiguous
