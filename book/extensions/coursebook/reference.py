"""The reference of the packages: ``{functions} sdpa.masks`` lists what a module offers.

Of a module whose names the package exports, only those are listed.
"""

from __future__ import annotations

import ast
import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from . import docstrings
from .inks import PARTS

SOURCE = Path(__file__).parents[3] / "src"

_MARKUP = re.compile(
    r"``(?P<code>[^`]+)``|:\w+:`~?(?P<role>[^`]+)`"
    r"|(?P<arxiv>arXiv:[\d.]+\d)|(?P<doi>doi:10\.[^\s;,]+[^\s;,.])"
)


class Functions(SphinxDirective):
    """List the public functions and classes of the module that the argument names."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return one section for each function."""
        module = self.arguments[0]
        path = (SOURCE / Path(*module.split("."))).with_suffix(".py")
        self.env.note_dependency(str(path))
        exported = _exported(path)
        functions = docstrings.public_functions(path)
        return [
            _section(module, function)
            for function in functions
            if not exported or function.name in exported
        ]


def _exported(path: Path) -> set[str]:
    """Return the names that the package's __init__ takes from this module."""
    tree = ast.parse((path.parent / "__init__.py").read_text(encoding="utf-8"))
    module = f"{path.parent.name}.{path.stem}"
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in imports if node.module == module for alias in node.names}


def _section(module: str, function: docstrings.Function) -> nodes.section:
    section = nodes.section(ids=[_identifier(module, function.name)], classes=["function"])
    section += nodes.title("", "", nodes.literal("", function.name))
    section += nodes.raw("", _signature(function), format="html")
    for part in docstrings.parts(function.docstring):
        section += _part(part)
    return section


def _identifier(module: str, name: str) -> str:
    return f"{module}.{name}".replace(".", "-").replace("_", "-")


def _signature(function: docstrings.Function) -> str:
    """Return the arguments one a line, each with its shape: as a table for the eye."""
    width = max((len(argument.name) for argument in function.arguments), default=0)
    lines = [_argument(argument, width) for argument in function.arguments]
    arguments = "\n".join(["(", *lines, ")"]) if lines else "()"
    body = f"<b>{function.name}</b>{arguments} → {escape(function.returns)}"
    return f'<div class="highlight"><pre class="signature">{body}</pre></div>'


def _argument(argument: docstrings.Argument, width: int) -> str:
    ink = f' class="n-I{PARTS[argument.name]}"' if argument.name in PARTS else ""
    space = " " * (width - len(argument.name) + 2)
    default = f" = {argument.default}" if argument.default else ""
    return f"    <span{ink}>{argument.name}</span>{space}{escape(argument.kind + default)}"


def _part(part: docstrings.Part) -> list[nodes.Node]:
    if part.title == "Formula":
        return [nodes.literal_block(part.text, part.text, language="text")]
    if part.title == "Source":
        label = nodes.Text("Source: ")
        return [nodes.paragraph("", "", label, *_inline(part.text), classes=["source"])]
    label = [nodes.paragraph("", part.title, classes=["label"])] if part.title else []
    if part.title == "Example":
        return [*label, nodes.literal_block(part.text, part.text, language="pycon")]
    if part.entries:
        return [*label, nodes.definition_list("", *(_entry(*e) for e in part.entries))]
    return [*label, nodes.paragraph("", "", *_inline(part.text))]


def _entry(names: str, text: str) -> nodes.definition_list_item:
    term = nodes.term("", "", nodes.literal("", names))
    paragraph = nodes.paragraph("", "", *_inline(text))
    return nodes.definition_list_item("", term, nodes.definition("", paragraph))


def _inline(text: str) -> list[nodes.Node]:
    """Return a docstring's text with its code, its links and its sources marked up."""
    text = " ".join(text.split())
    content, end = [], 0
    for match in _MARKUP.finditer(text):
        content += [nodes.Text(text[end : match.start()]), _marked(match)]
        end = match.end()
    return [*content, nodes.Text(text[end:])]


def _marked(match: re.Match[str]) -> nodes.Node:
    if match["arxiv"]:
        address = "https://arxiv.org/abs/" + match["arxiv"].removeprefix("arXiv:")
        return nodes.reference("", match["arxiv"], refuri=address)
    if match["doi"]:
        address = "https://doi.org/" + match["doi"].removeprefix("doi:")
        return nodes.reference("", match["doi"], refuri=address)
    return nodes.literal("", match["code"] or match["role"].rpartition(".")[2])


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("functions", Functions)
