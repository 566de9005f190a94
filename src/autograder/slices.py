"""Which cells have to run: not those that only check what is graded anyway.

A visible check costs time, and seconds where an answer is wrong and the mistake is
looked for. It is left out, unless it makes something that another cell needs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable

_WORD = re.compile(r"[^\W\d]\w*")


def words(source: str) -> set[str]:
    """Return every name that a source holds, in code or elsewhere.

    More than it needs to run, never less; and it takes what is no proper Python.
    """
    return set(_WORD.findall(source))


def bound_names(source: str) -> set[str]:
    """Return the names that a cell's own level binds, () for what cannot be parsed."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return set()
    return set(_bound(tree.body))


def defined_functions(source: str) -> set[str]:
    """Return the names of the functions that a cell's own level defines."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return set()
    return {node.name for node in tree.body if isinstance(node, _FUNCTIONS)}


def needless_checks(
    locked: Collection[str], answers: Collection[str], others: Iterable[str]
) -> set[str]:
    """Return those of the locked sources that check answers and make nothing needed.

    Args:
        locked: sources of the instructor's ungraded cells.
        answers: the names that answers define.
        others: the sources that will run beside them.
    """
    checks = {source for source in locked if words(source) & set(answers)}
    needed = set().union(*map(words, others), *map(words, set(locked) - checks))
    needless = set(checks)
    while kept := {source for source in needless if bound_names(source) & needed}:
        needless -= kept
        needed |= set().union(*map(words, kept))
    return needless


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _bound(body: list[ast.stmt]) -> Iterable[str]:
    for statement in body:
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            yield statement.name
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.alias):
                yield node.asname or node.name.partition(".")[0]
