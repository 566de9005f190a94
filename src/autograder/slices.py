"""Which cells have to run: not those that only check what is graded anyway.

A visible check costs time, and seconds where an answer is wrong and the mistake is
looked for. It is left out, unless it makes something that another cell needs.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from autograder.definitions import MAGIC, defined_names, parsed

_WORD = re.compile(r"[^\W\d]\w*")
# With one of these, code can find another cell's name in a text.
_FINDERS = frozenset(
    ("__globals__", "__main__", "eval", "exec", "f_globals", "get_ipython", "globals", "locals",
     "modules", "vars")
)  # fmt: skip


def words(source: str) -> set[str]:
    """Return every word of a source that could be a name.

    Rather too many than too few, and whether or not the source is proper Python.
    """
    return set(_WORD.findall(source))


@lru_cache(1024)  # the instructor's cells come with every notebook
def taken_names(source: str) -> frozenset[str]:
    """Return the names that a cell may take from other cells, rather too many than too few.

    A function's parameters and own variables are none, unless its code cannot be read.
    """
    found = words(source)
    if MAGIC.search(source) or found & _FINDERS or parsed(source) is None:
        return frozenset(found)
    try:
        table = symtable.symtable(source, "cell", "exec")
    # What parses may yet be no program: "return" outside of a function, say.
    except (SyntaxError, RecursionError):
        return frozenset(found)
    return frozenset(_taken(table))


def _taken(table: symtable.SymbolTable) -> Iterator[str]:
    is_function = table.get_type() == "function"
    for symbol in table.get_symbols():
        # Outside of functions a name can be another cell's first and then be bound.
        is_defined = symbol.is_namespace() and not symbol.is_referenced()
        if symbol.is_global() if is_function else not is_defined:
            yield symbol.get_name()
    for child in table.get_children():
        yield from _taken(child)


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
    needed = set().union(*map(taken_names, others), *map(taken_names, set(locked) - checks))
    needless = set(checks)
    while kept := {source for source in needless if _made(source) & needed}:
        needless -= kept
        needed |= set().union(*map(taken_names, kept))
    return needless


def _made(source: str) -> set[str]:
    """Return what a cell binds, imports included."""
    tree = parsed(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.alias)] if tree else []
    names = {node.asname or node.name.partition(".")[0] for node in imports}
    return names | set(defined_names(source))
