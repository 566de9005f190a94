"""The reference: shapes in words, docstrings in parts, and every public function."""

import ast

import pytest
from bs4 import BeautifulSoup

import sdpa
from coursebook import docstrings


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ('Real[np.ndarray, "*#batch n_q d_k"]', "real (…, n_q, d_k)"),
        ('Float[Tensor, "d"]', "float (d,)"),
        ('Bool[np.ndarray, "..."]', "bool (…)"),
        ("masks.Mask | None", "Mask or None"),
        ('tuple[Float[T, "a b"], Float[T, "*batch c"]]', "float (a, b), float (…, c)"),
        ("Keys", "real (n, d)"),
        ("int", "int"),
    ],
)
def test_annotations_are_said_in_words(annotation, expected):
    aliases = {"Keys": ast.parse('Real[np.ndarray, "n d"]', mode="eval").body}
    assert docstrings.words(ast.parse(annotation, mode="eval").body, aliases) == expected


def test_signature_keeps_order_and_defaults(tmp_path):
    (tmp_path / "m.py").write_text("def f(a, b=1, *rest, c, d=None): ...\ndef _g(): ...\n")
    (function,) = docstrings.public_functions(tmp_path / "m.py")
    assert [(it.name, it.default) for it in function.arguments] == [
        ("a", ""), ("b", "1"), ("*rest", ""), ("c", ""), ("d", "None"),
    ]  # fmt: skip


def test_a_class_is_listed_with_its_methods_and_without_self(tmp_path):
    (tmp_path / "m.py").write_text(
        "class C:\n"
        "    'Hold.'\n"
        "    def __init__(self): ...\n"
        "    def add(self, x, y=1): ...\n"
        "    @property\n"
        "    def size(self): ...\n"
    )
    whole, method = docstrings.public_functions(tmp_path / "m.py")
    assert (whole.name, whole.docstring) == ("C", "Hold.")
    assert (method.name, [it.name for it in method.arguments]) == ("C.add", ["x", "y"])


def test_docstrings_are_split_into_parts():
    text = (
        "Do it.\n\na = b + c\n\nArgs:\n    x, y: two\n        lines.\n    z: one.\n\n"
        "Returns:\n    a thing: maybe.\n\nExample:\n    >>> 1\n    1\n\nSource: Somebody 2017."
    )
    summary, formula, arguments, returns, example, source = docstrings.parts(text)
    assert summary.title == "" and formula.title == "Formula"
    assert arguments.entries[0][0] == "x, y" and arguments.entries[1] == ("z", "one.")
    assert (returns.title, returns.text) == ("Returns", "a thing: maybe.")
    assert (example.title, example.text) == ("Example", ">>> 1\n1")
    assert (source.title, source.text) == ("Source", "Somebody 2017.")


def test_reference_lists_every_function_of_the_package(book):
    html = (book / "reference.html").read_text(encoding="utf-8")
    page = BeautifulSoup(html, "html.parser")
    listed = {title.get_text() for title in page.select(".function > h3 code")}
    assert set(sdpa.__all__) <= listed
    assert {"KVCache", "KVCache.step", "kv_cache_bytes"} <= listed
