"""Flags for the instructor: an answer that calls what it was to write.

A flag is advice. It never changes a score: whoever reads the answer decides.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.definitions import parsed

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


@dataclass(frozen=True)
class Flag:
    """One call that an instructor may want to look at."""

    line: int
    name: str

    def __str__(self) -> str:
        """Return the flag as one line."""
        return f"line {self.line} uses {self.name}, where the point is to write it"


def flags(source: str, function: str) -> list[Flag]:
    """Return what an answer uses of what it was to write, in order of lines.

    Args:
        source: the student's code: the answer, with cells of their own before it where
            these import something.
        function: the name of the function that was to be written.

    Returns:
        Flags; none for code that cannot be parsed, which fails its tests anyway.
    """
    tree = parsed(source)
    if tree is None:
        return []
    forbidden = FORBIDDEN.get(function, frozenset())
    known = dict(_imported(tree))
    found = {
        Flag(node.lineno, name)
        for node in ast.walk(tree)
        if (name := _full_name(node, known)) in forbidden or _is_of_the_checks(name)
    }
    return sorted(found, key=lambda flag: (flag.line, flag.name))


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


def _full_name(node: ast.AST, known: dict[str, str]) -> str:
    """Return "torch.nn.functional.softmax" for F.softmax; "" for what is no such name."""
    attributes: list[str] = []
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return ""
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    first = known.get(node.id, "") if isinstance(node, ast.Name) else ""
    return ".".join([first, *reversed(attributes)]) if first else ""
