"""Flags for the instructor: an answer that calls what it was to write.

A flag is advice. It never changes a score: whoever reads the answer decides.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.definitions import MAGIC, defined_names, parsed
from autograder.model import Step
from autograder.slices import words

SOFTMAX = frozenset(
    (
        "scipy.special.log_softmax",
        "scipy.special.softmax",
        "sdpa.pytorch.softmax",
        "sdpa.reference.softmax",
        "sdpa.softmax",
        "torch.log_softmax",
        "torch.nn.LogSoftmax",
        "torch.nn.Softmax",
        "torch.nn.functional.log_softmax",
        "torch.nn.functional.softmax",
        "torch.softmax",
        "torch.special.log_softmax",
        "torch.special.softmax",
    )
)
ATTENTION = frozenset(
    (
        "sdpa.attention",
        "sdpa.pytorch.attention",
        "sdpa.pytorch.scaled_dot_product_attention",
        "sdpa.reference.attention",
        "sdpa.reference.scaled_dot_product_attention",
        "sdpa.scaled_dot_product_attention",
        "torch.nn.MultiheadAttention",
        "torch.nn.functional.multi_head_attention_forward",
        "torch.nn.functional.scaled_dot_product_attention",
    )
)
LOOKUP = frozenset(("sdpa.lookup.soft_lookup", "sdpa.pytorch.soft_lookup", "sdpa.soft_lookup"))
# What each function's answer is to do without.
FORBIDDEN: dict[str, frozenset[str]] = {
    "softmax": SOFTMAX,
    "soft_lookup": LOOKUP,
    "attention": ATTENTION,
    "softmax_jacobian": frozenset(
        (
            "sdpa.backward.softmax_jacobian",
            "sdpa.pytorch.softmax_jacobian",
            "sdpa.softmax_jacobian",
            "torch.autograd.functional.jacobian",
            "torch.func.jacfwd",
            "torch.func.jacrev",
        )
    ),
    "attention_entropy": frozenset(
        ("scipy.special.entr", "scipy.stats.entropy", "torch.special.entr")
    ),
    "causal_mask": frozenset(
        ("sdpa.causal_mask", "sdpa.masks.causal_mask", "sdpa.pytorch.causal_mask")
    ),
    "padding_mask": frozenset(
        ("sdpa.masks.padding_mask", "sdpa.padding_mask", "sdpa.pytorch.padding_mask")
    ),
    "attention_flops": frozenset(("sdpa.costs.attention_flops",)),
    "kv_cache_bytes": frozenset(("sdpa.costs.kv_cache_bytes",)),
    "crossover_length": frozenset(("sdpa.costs.crossover_length",)),
    "cached_decode": ATTENTION | {"sdpa.decoding.KVCache"},
}
# The checks know what is right: an answer has no business there.
CHECKS = ("tutor.checks", "tutor.mistakes")
# Ways to look into other code, or to change it while it runs, that no answer needs.
REACHING = frozenset(
    (
        "__builtins__", "__code__", "__globals__", "__subclasses__", "_getframe", "currentframe",
        "f_back", "f_globals", "f_locals", "get_objects", "get_referrers", "setprofile",
        "settrace", "tb_frame",
    )
)  # fmt: skip
_HERE, _OTHER_CODE = "where the point is to write it", "which reaches into other code"
# No name that is looked for has more parts.
_PARTS = 6
_MOST = 40


@dataclass(frozen=True)
class Flag:
    """One use of something that an instructor may want to look at."""

    line: int
    name: str
    why: str = _HERE

    def __str__(self) -> str:
        """Return the flag as one line."""
        return f"line {self.line} uses {self.name}, {self.why}"


@dataclass(frozen=True)
class _Code:
    """One cell of the student's, read."""

    step: Step
    tree: ast.Module
    words: set[str]
    defined: tuple[str, ...]

    @classmethod
    def of(cls, step: Step) -> _Code | None:
        tree = _tree(step.source)
        return tree and cls(step, tree, words(step.source), defined_names(step.source))


def flags(source: str, function: str) -> list[Flag]:
    """Return what an answer uses of what it was to write, in order of lines.

    Args:
        source: the student's code: the answer, with cells of their own before it where
            these import something.
        function: the name of the function that was to be written.

    Returns:
        Flags; none for code that cannot be parsed, which fails its tests anyway.
    """
    tree = _tree(source)
    return [] if tree is None else _in_tree(tree, dict(_imported(tree)), function)


def notebook_flags(steps: Iterable[Step], answers: Collection[str]) -> tuple[str, ...]:
    """Return what a notebook's answers use that they were to write.

    An answer's own cell is looked at, and the student's other cells as far as it needs
    what they define; for ways to reach into other code all of them.

    Args:
        steps: the student's cells of code, in order.
        answers: the names of the functions that were to be written.
    """
    cells = [code for step in steps if (code := _Code.of(step))]
    known = {name: whole for code in cells for name, whole in _imported(code.tree)}
    found: list[str] = []
    for name in answers:
        own = [code for code in cells if name in code.defined]
        for code in own:
            found += [f"{name}: {flag}" for flag in _in_tree(code.tree, known, name)]
        for code in _needed(own, [code for code in cells if not set(code.defined) & set(answers)]):
            place = f"{name} needs the cell {code.step.cell_id!r}, where"
            found += [f"{place} {flag}" for flag in _in_tree(code.tree, known, name)]
    for code in cells:
        found += [f"The cell {code.step.cell_id!r}: {flag}" for flag in _reaching(code.tree)]
    return tuple(dict.fromkeys(found[:_MOST]))


def _needed(cells: Sequence[_Code], others: Sequence[_Code]) -> list[_Code]:
    """Return those of other cells that define what these need, directly or not."""
    by_name: dict[str, list[_Code]] = {}
    for code in others:
        for name in code.defined:
            by_name.setdefault(name, []).append(code)
    needed: dict[str, _Code] = {}
    new = list(cells)
    while new:
        found = [code for word in new.pop().words for code in by_name.pop(word, ())]
        new += [code for code in found if code.step.cell_id not in needed]
        needed |= {code.step.cell_id: code for code in found}
    return list(needed.values())


def _in_tree(tree: ast.Module, known: Mapping[str, str], function: str) -> list[Flag]:
    forbidden = FORBIDDEN.get(function, frozenset())
    found = set()
    for node in ast.walk(tree):
        name = _full_name(node, known)
        if name in forbidden or _is_of_the_checks(name):
            found.add(Flag(node.lineno, name))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {Flag(node.lineno, f'"{name}"') for name in CHECKS if name in node.value}
    return sorted(found, key=lambda flag: (flag.line, flag.name))


def _reaching(tree: ast.Module) -> list[Flag]:
    names = {
        (node.lineno, name)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Attribute, ast.Name))
        and (name := node.attr if isinstance(node, ast.Attribute) else node.id) in REACHING
    }
    return [Flag(line, name, _OTHER_CODE) for line, name in sorted(names)]


def _tree(source: str) -> ast.Module | None:
    return parsed(MAGIC.sub("", source))


def _is_of_the_checks(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in CHECKS)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names that imports bind, and what they stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or whole, whole
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _full_name(node: ast.AST, known: Mapping[str, str]) -> str:
    """Return "torch.nn.functional.softmax" for F.softmax; "" for what is no such name."""
    attributes: list[str] = []
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return ""
    while isinstance(node, ast.Attribute) and len(attributes) < _PARTS:
        attributes.append(node.attr)
        node = node.value
    first = known.get(node.id, "") if isinstance(node, ast.Name) else ""
    return ".".join([first, *reversed(attributes)]) if first else ""
