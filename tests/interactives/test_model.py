"""The model that the book's runtime hands to a module keeps anywidget's contract."""

import pytest


def run(page, body: str):
    script = "const { Model } = await import('./model.mjs'); const said = [];"
    script += "const m = new Model({ a: 1, b: 2 }); const say = (name) => () => said.push(name);"
    return page.evaluate(f"async () => {{ {script} {body}; return said }}")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("said.push(m.get('a'), m.get('c') === undefined)", [1, True]),
        ("m.on('change:a', say('a')); m.on('change', say('any')); m.set('a', 3)", ["a", "any"]),
        ("m.on('change:a change:b', say('x')); m.set('b', 3); m.set('a', 4)", ["x", "x"]),
        ("m.on('change:a', say('a')); m.set('a', 1); m.save_changes()", []),
        ("const f = say('f'); m.on('change', f); m.off('change', f); m.set('a', 2)", []),
        ("m.on('change', say('f')); m.off('change'); m.set('a', 2)", []),
        ("m.on('change:a', say('f')); m.off(); m.set('a', 2)", []),
        (
            "m.on('change:a', (model, value) => said.push(model === m, value)); m.set('a', 9)",
            [True, 9],
        ),
    ],
)
def test_contract(page, body, said):
    assert run(page, body) == said
