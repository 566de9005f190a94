"""Runs a problem set's cells in one process, with answers of the test's choice.

As fast as the checks themselves, where a kernel and nbgrader take seconds.
"""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import nbformat
from tests.notebooks import ROOT, code_cells, read

from tutor import mistakes

IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True)
class Result:
    """What one cell of checks said; None where it passed."""

    points: int
    message: str | None


class ProblemSet:
    """A solution notebook whose answers can be exchanged."""

    def __init__(self, name: str):
        self.cells = code_cells(read(ROOT / "solutions" / name / f"{name}.ipynb"))
        # Of each cell that is to be answered, the name of the function.
        self.asked = {
            cell.id: _defined(cell.source) for cell in self.cells if cell.metadata.nbgrader.solution
        }

    @property
    def answers(self) -> dict[str, str]:
        """The model answers' sources, by the name of the function they define."""
        return {self.asked[cell.id]: cell.source for cell in self.cells if cell.id in self.asked}

    @property
    def points(self) -> int:
        """The points of all graded cells of code."""
        return sum(_points(cell) for cell in self.cells)

    def checks(self, function: str) -> list[str]:
        """Return the ids of the cells that check a function, visible ones first."""
        used = [c for c in self.cells if _is_check(c) and function in _called(c)]
        return [cell.id for cell in sorted(used, key=_points)]

    def space(self) -> dict[str, Any]:
        """Return the names that all cells but the checks define."""
        space: dict[str, Any] = {"__name__": "notebook"}
        for cell in self.cells:
            if not _is_check(cell):
                exec(_compiled(cell.source), space)
        return space

    def run(
        self, answers: dict[str, str | Callable] | None = None, only: list[str] | None = None
    ) -> dict[str, Result]:
        """Run all cells, or only these of checks, and return what each check said.

        Args:
            answers: by name of the function, a source or the function itself.
            only: ids of the cells of checks to run.
        """
        answers = answers or {}
        space: dict[str, Any] = {"__name__": "notebook"}
        results = {}
        for cell in self.cells:
            if cell.id in self.asked:
                name = self.asked[cell.id]
                _run_answer(name, answers.get(name, cell.source), space)
            elif not _is_check(cell):
                exec(_compiled(cell.source), space)
            elif only is None or cell.id in only:
                results[cell.id] = Result(_points(cell), _message(cell.source, space))
        return results


def right_answers(name: str) -> dict[str, dict[str, str]]:
    """Return the sources of a set's right answers, by function and by style."""
    source = (ROOT / "tests" / "right_answers" / f"{name}.py").read_text()
    tree = ast.parse(source)
    imports = [ast.unparse(node) for node in tree.body if isinstance(node, IMPORTS)]
    found: dict[str, dict[str, str]] = {}
    for node in filter(_is_function, tree.body):
        function, style = node.name.split("__")
        node.name = function
        found.setdefault(function, {})[style] = "\n".join([*imports, "", ast.unparse(node)])
    return found


# The families of mistakes, by the set and the function they belong to.
FAMILIES = {
    ("ps1_soft_lookup", "softmax"): mistakes.SOFTMAX,
    ("ps1_soft_lookup", "soft_lookup"): mistakes.SOFT_LOOKUP,
    ("ps1_soft_lookup", "attention"): mistakes.ATTENTION,
    ("ps2_variance", "score_variance"): mistakes.SCORE_VARIANCE,
    ("ps2_variance", "variance_experiment"): mistakes.VARIANCE_EXPERIMENT,
    ("ps2_variance", "theoretical_variance"): mistakes.THEORETICAL_VARIANCE,
    ("ps3_saturation", "softmax_jacobian"): mistakes.SOFTMAX_JACOBIAN,
    ("ps3_saturation", "jacobian_norm"): mistakes.JACOBIAN_NORM,
    ("ps3_saturation", "attention_entropy"): mistakes.ATTENTION_ENTROPY,
    ("ps3_saturation", "saturation_curve"): mistakes.SATURATION_CURVE,
    ("ps4_masking", "causal_mask"): mistakes.CAUSAL_MASK,
    ("ps4_masking", "padding_mask"): mistakes.PADDING_MASK,
    ("ps4_masking", "attention"): mistakes.MASKED_ATTENTION,
    ("ps5_costs", "attention_flops"): mistakes.ATTENTION_FLOPS,
    ("ps5_costs", "kv_cache_bytes"): mistakes.KV_CACHE_BYTES,
    ("ps5_costs", "crossover_length"): mistakes.CROSSOVER_LENGTH,
    ("ps5_costs", "cached_decode"): mistakes.CACHED_DECODE,
}


def lost(results: dict[str, Result]) -> int:
    """Return the points lost."""
    return sum(result.points for result in results.values() if result.message)


def _defined(source: str) -> str:
    (name,) = [node.name for node in ast.parse(source).body if _is_function(node)]
    return name


def _run_answer(name: str, answer: str | Callable, space: dict[str, Any]) -> None:
    if callable(answer):
        space[name] = answer
    else:
        exec(_compiled(answer), space)


def _message(source: str, space: dict[str, Any]) -> str | None:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(_compiled(source), space)
    except AssertionError as error:
        return str(error)
    return None


@cache
def _compiled(source: str):
    return compile(source, "<cell>", "exec")


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef)


def _is_check(cell: nbformat.NotebookNode) -> bool:
    return cell.metadata.nbgrader.grade or cell.id.endswith("-check")


def _points(cell: nbformat.NotebookNode) -> int:
    return cell.metadata.nbgrader.get("points", 0)


def _called(cell: nbformat.NotebookNode) -> set[str]:
    """Return the functions that a cell passes to a check: its first argument."""
    calls = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call)]
    return {
        call.args[0].id
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id.startswith("check")
        and call.args
        and isinstance(call.args[0], ast.Name)
    }
