"""What a cell's source defines, read from its syntax tree and never by running it."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache

# IPython's magics and shell lines, which Python's parser does not know.
MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)
# For code that does not parse: what it begins to define at the left margin.
DEFINITION = re.compile(
    r"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^(\w+)[ \t]*=(?!=)", re.MULTILINE
)


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of a student's source, or None where there is none.

    A hostile source can exceed the parser's depth or memory; that is no tree either.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as "\\d" in a plain string
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(1024)  # the instructor's cells come with every notebook
def defined_names(source: str) -> tuple[str, ...]:
    """Return the names that a cell binds at its top level, in order.

    Functions, classes and variables count, also below ``if``, ``try``, ``for`` or ``with``;
    imports do not. Magics are passed over. Source that does not parse is searched line
    by line, so that a slip in the body does not hide the function.
    """
    tree = parsed(MAGIC.sub("", source))
    if tree is None:
        found: Iterable[str] = (name or other for name, other in DEFINITION.findall(source))
    else:
        found = _bound(tree.body)
    return tuple(dict.fromkeys(found))


def _bound(statements: list[ast.stmt]) -> Iterator[str]:
    for node in statements:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _stored(target)
        elif isinstance(node, ast.AnnAssign) and node.value:
            yield from _stored(node.target)
        else:
            for block in ("body", "handlers", "orelse", "finalbody"):
                yield from _bound(getattr(node, block, []))


def _stored(target: ast.expr) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
