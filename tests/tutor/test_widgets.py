"""Interactives as Python sees them: traits, errors, what they show without scripts."""

import json
import re
import subprocess
import sys
import types

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from traitlets import TraitError

import sdpa
from tutor import widgets
from tutor.widgets import QueryAmongKeys, bundle, drawing, query_figure

VIEW = "application/vnd.jupyter.widget-view+json"


def test_weights_and_output_are_those_of_soft_lookup():
    widget = QueryAmongKeys(query=[0.2, -0.7], temperature=0.5)
    query, keys, values = map(np.array, (widget.query, widget.key, widget.value))
    np.testing.assert_array_equal(widget.weights() @ values, widget.output())
    np.testing.assert_array_equal(widget.output(), sdpa.soft_lookup(query, keys, values, 0.5))


def test_arrays_become_plain_numbers():
    widget = QueryAmongKeys(query=np.array([1, 2], dtype=np.float32))
    assert widget.query == (1.0, 2.0)
    assert type(widget.query[0]) is float


@pytest.mark.parametrize(
    ("trait", "value", "wanted"),
    [
        ("query", (1, 2, 3), "query: got (1, 2, 3); wanted 2 numbers"),
        ("query", "ab", "wanted 2 numbers"),
        ("query", ("1", "2"), "wanted 2 numbers"),
        ("query", (1, float("nan")), "wanted 2 numbers"),
        ("query", (1, 1e7), "wanted 2 numbers, each at most a million"),
        ("key", ((1, 2), (3,)), "wanted a row of 2 numbers"),
        ("key", np.ones((5, 3)), "wanted a row of 2 numbers"),
        ("key", np.ones((4, 2)), "key: got 4; wanted as many as labels (5)"),
        ("labels", "words", "labels: got 'words'; wanted names"),
        ("labels", 3, "wanted names"),
        ("labels", ["a", "a", "b", "c", "d"], "no two alike"),
        ("labels", ["a", "b"], "labels: got 2; wanted as many as key (5)"),
        ("value", [[1.0]] * 4, "value: got 4; wanted as many as key (5)"),
        ("value", [[], [], [], [], []], "wanted a row of numbers"),
        ("temperature", 0, "temperature: got 0; wanted a finite number above 0"),
        ("temperature", float("inf"), "wanted a finite number above 0"),
        ("temperature", "warm", "wanted a finite number above 0"),
        ("temperature", True, "wanted a finite number above 0"),
        ("temprature", 1, "QueryAmongKeys has no temprature; it has"),
    ],
)
def test_bad_traits_say_what_is_wanted(trait, value, wanted):
    with pytest.raises(TraitError, match=re.escape(wanted)):
        QueryAmongKeys(**{trait: value})


def test_a_refused_change_leaves_the_widget_as_it_was():
    widget = QueryAmongKeys()
    with pytest.raises(TraitError):
        widget.query = (1, 2, 3)
    with pytest.raises(TraitError):
        widget.value = np.zeros((2, 2))
    assert widget.query == (0.55, 0.62)
    assert len(widget.value) == 5


def test_another_number_of_keys_when_all_change_together():
    widget = QueryAmongKeys(key=np.eye(2), labels=["right", "up"], value=[[1], [2]])
    with widget.hold_trait_notifications():
        widget.key, widget.labels, widget.value = np.ones((3, 2)), ["a", "b", "c"], np.eye(3)
    assert widget.markup() == widget._markup
    assert widget._markup.count('data-part="bar"') == 3


def test_new_keys_and_a_query_outside_the_picture_make_new_markup():
    widget = QueryAmongKeys()
    first = widget._markup
    widget.query = (0.1, 0.2)
    assert widget._markup == first  # the module in the page moves what is there
    widget.query = (5, 0)
    assert widget._markup != first
    assert 'max="5.00"' in widget._markup


def test_the_page_and_python_stay_in_sync():
    widget = QueryAmongKeys()
    sent = []
    widget.comm = types.SimpleNamespace(
        comm_id="comm",
        kernel=object(),
        on_msg=lambda _handler: None,
        send=lambda data, **_: sent.append(data["state"]),
        close=lambda **_: None,
    )
    widget.temperature = 2
    assert sent == [{"temperature": 2.0}]
    widget.set_state({"query": [0.25, -0.5]})  # as a message from the page does
    assert widget.query == (0.25, -0.5)


def test_static_html_holds_the_drawing_and_the_state():
    widget = QueryAmongKeys(query=(0.1, -0.4))
    html = widget.static_html()
    assert html.startswith('<div data-module="query_among_keys" data-state="{')
    bundled, metadata = widget._repr_mimebundle_()
    assert bundled["text/html"] == html
    assert bundled[VIEW]["model_id"] == widget.model_id
    assert bundled["text/plain"] == "[Interactive: Drag the query among the keys]"
    assert isinstance(metadata, dict)


def test_names_are_escaped():
    widget = QueryAmongKeys(labels=["<b>", "a&b", '"', "'", "e"])
    assert "<b></span>" not in widget.markup()
    assert "&lt;b&gt;" in widget.markup()


def test_colab_gets_the_live_view_only(monkeypatch):
    widget = QueryAmongKeys()
    monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    bundled, _ = widget._repr_mimebundle_()
    assert VIEW in bundled
    assert "text/html" not in bundled


@pytest.mark.parametrize(
    "extreme",
    [
        {"key": np.zeros((5, 2)), "query": (0, 0)},
        {"value": np.zeros((5, 1))},
        {"key": np.full((5, 2), 1e6)},
        {"temperature": 1e-300},
        {"labels": ["twelve chars", "b", "c", "d", "e"], "key": np.ones((5, 2))},
    ],
)
def test_extreme_states_are_drawn_without_nan(extreme):
    assert "nan" not in QueryAmongKeys(**extreme).markup().lower()


@pytest.mark.parametrize(
    ("weights", "case"),
    [((0.5, 0.5), "even"), ((0.999, 0.001), "alone"), ((0.75, 0.25), "most")],
)
def test_the_sentence_fits_the_weights(weights, case):
    sentences = query_figure._sentences(("a", "b"), weights)
    assert f'data-case="{case}">' in sentences
    assert sentences.count(" hidden>") == 2


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [(0.125, 2, "0.13"), (-0.0, 1, "0.0"), (1.005, 2, "1.00"), (-2.5, 0, "-3"), (7.0, 0, "7")],
)
def test_fixed_rounds_as_javascript_does(number, digits, text):
    assert drawing.fixed(number, digits) == text


def test_an_executed_notebook_holds_state_and_fallback():
    cells = [
        nbformat.v4.new_code_cell("from tutor.widgets import QueryAmongKeys"),
        nbformat.v4.new_code_cell("widget = QueryAmongKeys(temperature=0.5)\nwidget"),
        nbformat.v4.new_code_cell("widget.temperature = 2"),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3", store_widget_state=True).execute()
    output = notebook.cells[1].outputs[0].data
    assert {VIEW, "text/html", "text/plain"} == set(output)
    states = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    state = states[output[VIEW]["model_id"]]["state"]
    assert state["temperature"] == 2
    assert state["_esm"] == bundle.module("query_among_keys")


class TestBundle:
    @pytest.fixture
    def write(self, tmp_path):
        def write(**modules: str):
            for name, text in modules.items():
                (tmp_path / f"{name}.mjs").write_text(text, "utf-8")
            return tmp_path

        return write

    def test_a_module_stands_alone(self):
        for name in bundle.widget_modules():
            source = bundle.module(name)
            assert not [line for line in source.splitlines() if line.startswith("import ")]
            assert source.count("\nexport default ") == 1

    def test_widgets_are_the_modules_with_a_default_export(self):
        exported = [getattr(widgets, name).module for name in widgets.__all__]
        assert bundle.widget_modules() == sorted([*exported, "quiz"])

    def test_what_is_shared_comes_once_and_first(self, write):
        folder = write(
            base="export const one = 1;\n",
            middle='import { one } from "./base.mjs";\nexport function two() { return one + 1; }\n',
            top='import { one } from "./base.mjs";\nimport { two } from "./middle.mjs";\n'
            "export default { one, two };\n",
        )
        source = bundle.module("top", folder)
        assert source.count("const $base =") == 1
        assert source.index("$base =") < source.index("$middle =") < source.index("export default")

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ('import { x } from "./none.mjs";\n', "none.mjs: there is no such module"),
            ('import { x } from "./a.mjs";\n', "a.mjs does not export x"),
            ('import { y } from "./loop.mjs";\n', "modules import each other"),
            ('import { z } from "./odd.mjs";\n', "cannot bundle 'export let w"),
            ('import * as a from "./a.mjs";\n', "cannot bundle 'import"),
            ('import "elsewhere";\n', "cannot bundle 'import"),
        ],
    )
    def test_what_cannot_be_bundled_is_refused(self, write, text, reason):
        folder = write(
            a="export const y = 1;\n",
            loop='import { z } from "./loop.mjs";\nexport const y = 1;\n',
            odd="export const z = 1;\nexport let w = 2;\n",
            top=text + "export default {};\n",
        )
        with pytest.raises(bundle.BundleError, match=reason):
            bundle.module("top", folder)


def test_styles_never_leak():
    """Every selector is inside .tutor-widget or one of the classes that mark a widget."""
    kinds = (".tw-query", ".tw-quiz", ".tw-histogram", ".tw-scale", ".tw-mask", ".tw-costs")
    for line in bundle.all_styles().splitlines():
        if line.endswith("{") and not line.startswith(("@", " ", ":is(")):
            assert line.startswith((".tutor-widget", *kinds)), line


def test_state_is_json():
    widget = QueryAmongKeys()
    names = widget.state_names()
    assert sorted(names) == ["key", "labels", "query", "temperature", "value"]
    assert json.dumps({name: getattr(widget, name) for name in names})


def test_interactives_load_neither_torch_nor_matplotlib():
    code = (
        "import sys, tutor.widgets, tutor.quiz; print({'torch', 'matplotlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
