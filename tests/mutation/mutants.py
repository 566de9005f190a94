"""Mutants: copies of a right answer, each with one small change."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

OPERATORS = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult,),
    ast.Pow: (ast.Mult, ast.Div),
    ast.MatMult: (ast.Mult, ast.Add),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitOr: (ast.BitAnd,),
    ast.LShift: (ast.Mult,),
}
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
# What is easily taken for something else.
NAMES = {
    "max": ("min", "sum"),
    "min": ("max",),
    "sum": ("mean", "max"),
    "mean": ("sum",),
    "var": ("std",),
    "std": ("var",),
    "tril": ("triu",),
    "triu": ("tril",),
    "zeros": ("ones",),
    "ones": ("zeros",),
    "exp": ("exp2", "expm1"),
    "sqrt": ("square",),
    "log": ("log2",),
    "array": ("asarray",),
    "diag": ("diagflat",),
    "outer": ("dot",),
    "any": ("all",),
    "all": ("any",),
    "append": ("clear",),
    "n_q": ("n_k",),
    "n_k": ("n_q",),
    "query": ("key",),
    "key": ("value", "query"),
    "value": ("key",),
    "start": ("end",),
    "end": ("start",),
    "float64": ("float16",),
    "float32": ("float16",),
}


def mutants(source: str, function: str) -> list[tuple[str, str]]:
    """Return (what was changed, source) for every small change that makes a difference."""
    tree = ast.parse(source)
    original = ast.unparse(tree)
    found: dict[str, str] = {}
    for label, changed in _changes(tree, function):
        text = ast.unparse(ast.fix_missing_locations(changed))
        if text != original:
            found.setdefault(text, label)
    return [(label, text) for text, label in found.items()]


def _changes(tree: ast.Module, function: str) -> Iterator[tuple[str, ast.Module]]:
    for position, node in enumerate(_body(tree, function)):
        for number, (label, _) in enumerate(_variants(node)):
            changed = copy.deepcopy(tree)
            target = _body(changed, function)[position]
            _, replace = list(_variants(target))[number]
            new = replace()
            if new is not target:
                changed = _Replace(target, new).visit(changed)
            yield f"line {getattr(node, 'lineno', 0)}: {label}", changed


def _body(tree: ast.Module, function: str) -> list[ast.AST]:
    """Return the nodes inside the function's body, its docstring excepted."""
    (definition,) = [n for n in tree.body if getattr(n, "name", "") == function]
    return [
        node
        for statement in definition.body
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for node in ast.walk(statement)
    ]


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, new: ast.AST):
        self.target, self.new = target, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.target else self.generic_visit(node)


def _variants(node: ast.AST) -> Iterator[tuple]:
    """Yield (label, function that makes the node's replacement) for a node."""
    yield from _of_operators(node)
    yield from _of_names_and_numbers(node)
    yield from _of_statements(node)
    yield from _of_calls(node)
    if isinstance(node, ast.BinOp | ast.Call | ast.Name) and not _is_target(node):
        yield "one more", lambda: ast.BinOp(node, ast.Add(), ast.Constant(1))
        yield "negated", lambda: ast.UnaryOp(ast.USub(), node)
        yield "doubled", lambda: ast.BinOp(ast.Constant(2), ast.Mult(), node)


def _is_target(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Store | ast.Del)


def _of_operators(node: ast.AST) -> Iterator[tuple]:
    if isinstance(node, ast.BinOp):
        for other in OPERATORS.get(type(node.op), ()):
            yield f"{type(node.op).__name__} to {other.__name__}", _set(node, "op", other())
        yield "left side only", lambda: node.left
        yield "right side only", lambda: node.right
    elif isinstance(node, ast.AugAssign):
        for other in OPERATORS.get(type(node.op), ()):
            yield f"{type(node.op).__name__} to {other.__name__}", _set(node, "op", other())
    elif isinstance(node, ast.Compare):
        for other in COMPARISONS.get(type(node.ops[0]), ()):
            yield f"{type(node.ops[0]).__name__} to {other.__name__}", _set(node, "ops", [other()])
    elif isinstance(node, ast.UnaryOp):
        yield "sign or not dropped", lambda: node.operand
    elif isinstance(node, ast.IfExp):
        yield "always", lambda: node.body
        yield "never", lambda: node.orelse


def _of_names_and_numbers(node: ast.AST) -> Iterator[tuple]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "flipped", _set(node, "value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        for value in (node.value + 1, node.value - 1, -node.value, 2 * node.value):
            yield f"{node.value} to {value}", _set(node, "value", value)
    elif isinstance(node, ast.Name) and not _is_target(node):
        for other in NAMES.get(node.id, ()):
            yield f"{node.id} to {other}", _set(node, "id", other)
    elif isinstance(node, ast.Attribute):
        for other in NAMES.get(node.attr, ()):
            yield f"{node.attr} to {other}", _set(node, "attr", other)
    elif isinstance(node, ast.Slice):
        if node.lower is not None:
            yield "slice from the start", _set(node, "lower", None)
        if node.upper is not None:
            yield "slice to the end", _set(node, "upper", None)


def _of_statements(node: ast.AST) -> Iterator[tuple]:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        yield "statement dropped", lambda: ast.Pass()
    elif isinstance(node, ast.If):
        yield "condition always", _set(node, "test", ast.Constant(True))
        yield "condition never", _set(node, "test", ast.Constant(False))
    elif isinstance(node, ast.Tuple | ast.List) and len(node.elts) == 2 and not _is_target(node):
        yield "two exchanged", _set(node, "elts", node.elts[::-1])


def _of_calls(node: ast.AST) -> Iterator[tuple]:
    if not isinstance(node, ast.Call):
        return
    if len(node.args) == 1 and not isinstance(node.args[0], ast.GeneratorExp | ast.Starred):
        yield "call dropped", lambda: node.args[0]
    if len(node.args) == 2:
        yield "arguments exchanged", _set(node, "args", node.args[::-1])
    if not node.args and isinstance(node.func, ast.Attribute):
        yield "method dropped", lambda: node.func.value
    for i, keyword in enumerate(node.keywords):
        left = [*node.keywords[:i], *node.keywords[i + 1 :]]
        yield f"{keyword.arg} dropped", _set(node, "keywords", left)


def _set(node: ast.AST, field: str, value):
    def change() -> ast.AST:
        setattr(node, field, value)
        return node

    return change
