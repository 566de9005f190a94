"""Read functions and classes from source: shapes in plain words, docstrings in parts.

The source is parsed, not imported: a page about the torch functions needs no torch.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass
from pathlib import Path

_TITLES = {"Args:": "Arguments", "Returns:": "Returns", "Raises:": "Raises"}
_ENTRY = re.compile(r"(?P<names>[\w*, ]+): (?P<text>.*)", re.DOTALL)


@dataclass(frozen=True)
class Argument:
    """An argument with its shape or type in words, and its default as written."""

    name: str
    kind: str
    default: str = ""


@dataclass(frozen=True)
class Function:
    """A public function of a module, or a class or method of one."""

    name: str
    arguments: list[Argument]
    returns: str
    docstring: str


@dataclass(frozen=True)
class Part:
    """A part of a docstring: its entries (names to text) under a title, or its text."""

    title: str
    text: str = ""
    entries: tuple[tuple[str, str], ...] = ()


def public_functions(path: Path) -> list[Function]:
    """Return what a file offers, in its order: functions, and classes with their methods.

    What has a leading underscore or a decorator is left out.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aliases = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _is_public(node):
            found.append(_function(node, aliases))
        elif isinstance(node, ast.ClassDef) and _is_public(node):
            found += _class(node, aliases)
    return found


def _is_public(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return not (node.name.startswith("_") or node.decorator_list)


def _class(node: ast.ClassDef, aliases: dict[str, ast.expr]) -> list[Function]:
    """Return a class, without arguments, and its methods."""
    methods = [m for m in node.body if isinstance(m, ast.FunctionDef) and _is_public(m)]
    for method in methods:
        del method.args.args[0]  # self
        method.name = f"{node.name}.{method.name}"
    found = [_function(method, aliases) for method in methods]
    return [Function(node.name, [], node.name, ast.get_docstring(node) or ""), *found]


def _function(node: ast.FunctionDef, aliases: dict[str, ast.expr]) -> Function:
    found = node.args
    required = len(found.args) - len(found.defaults)
    defaults = [None] * required + found.defaults + found.kw_defaults
    arguments = [
        Argument(arg.arg, words(arg.annotation, aliases), ast.unparse(default) if default else "")
        for arg, default in zip(found.args + found.kwonlyargs, defaults, strict=True)
    ]
    if found.vararg:
        kind = words(found.vararg.annotation, aliases)
        arguments.insert(len(found.args), Argument(f"*{found.vararg.arg}", kind))
    docstring = ast.get_docstring(node) or ""
    return Function(node.name, arguments, words(node.returns, aliases), docstring)


def words(annotation: ast.expr | None, aliases: dict[str, ast.expr]) -> str:
    """Say an annotation in words: ``Real[np.ndarray, "*#batch n d"]`` is "real (…, n, d)"."""
    match annotation:
        case None:
            return ""
        case ast.Name(id=name) if name in aliases and name != "Mask":
            return words(aliases[name], aliases)
        case ast.Attribute(attr=name):
            return name
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{words(left, aliases)} or {words(right, aliases)}"
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return ", ".join(words(item, aliases) for item in items)
        case ast.Subscript(
            value=ast.Name(id=kind), slice=ast.Tuple(elts=[_, ast.Constant(value=str(shape))])
        ):
            return f"{kind.lower()} {_shape(shape)}"
    return ast.unparse(annotation)


def _shape(shape: str) -> str:
    axes = ["…" if axis.startswith(("*", "...")) else axis for axis in shape.split()]
    comma = "," if len(axes) == 1 and axes != ["…"] else ""
    return f"({', '.join(axes)}{comma})"


def parts(docstring: str) -> list[Part]:
    """Split a docstring at its blank lines; the known sections get their titles."""
    return [_part(block) for block in re.split(r"\n\s*\n", docstring) if block.strip()]


def _part(block: str) -> Part:
    first, _, rest = block.partition("\n")
    if first in _TITLES:
        return _section(_TITLES[first], inspect.cleandoc(rest))
    if first == "Example:":
        return Part("Example", text=inspect.cleandoc(rest))
    if first.startswith("Source:"):
        return Part("Source", text=block.removeprefix("Source:").strip())
    is_prose = block.rstrip().endswith((".", ".)", ":"))
    return Part("" if is_prose else "Formula", text=block)


def _section(title: str, body: str) -> Part:
    # An entry starts at the margin; what is indented goes on with it.
    entries = [_ENTRY.fullmatch(entry) for entry in re.split(r"\n(?=\S)", body)]
    if not all(entries) or title == "Returns":
        return Part(title, text=body)
    return Part(title, entries=tuple((entry["names"], entry["text"]) for entry in entries))
