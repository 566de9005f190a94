"""Which cells have to run: not those that only check what is graded anyway.

A visible check costs time, and seconds where an answer is wrong and the mistake is
looked for. It is left out, unless it makes something that another cell needs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable

from autograder.definitions import defined_names, parsed

_WORD = re.compile(r"[^\W\d]\w*")


def words(source: str) -> set[str]:
    """Return every word of a source that could be a name.

    Rather too many than too few, and whether or not the source is proper Python.
    """
    return set(_WORD.findall(source))


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
    while kept := {source for source in needless if _made(source) & needed}:
        needless -= kept
        needed |= set().union(*map(words, kept))
    return needless


def _made(source: str) -> set[str]:
    """Return what a cell binds, imports included."""
    tree = parsed(source)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.alias)] if tree else []
    names = {node.asname or node.name.partition(".")[0] for node in imports}
    return names | set(defined_names(source))
