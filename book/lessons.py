"""Which notebooks the book runs, and what each one's results depend on."""

from __future__ import annotations

import ast
import hashlib
import json
import platform
from functools import cache
from pathlib import Path

import grimp
import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("sdpa", "tutor")


def lesson_paths() -> list[Path]:
    """Return the notebooks under lessons/ that _toc.yml names, in its order."""
    pages = parse_toc_yaml(ROOT / "_toc.yml")
    paths = [ROOT / f"{page.removesuffix('.ipynb')}.ipynb" for page in pages]
    return [path for path in paths if path.is_relative_to(ROOT / "lessons")]


def fingerprint(notebook: nbformat.NotebookNode) -> str:
    """Return a hash over all that a run of the notebook's cells depends on.

    That is the code cells with their metadata, the files under src/ they reach
    through imports, the pinned requirements and the Python version. (The execution
    cache by itself looks at the text of the cells only.)
    """
    cells = [(cell.source, cell.metadata) for cell in notebook.cells if cell.cell_type == "code"]
    digest = hashlib.sha256(json.dumps(cells, sort_keys=True).encode())
    digest.update(platform.python_version().encode())
    for path in [ROOT / "requirements.txt", *_sources(_imported_modules(notebook))]:
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _imported_modules(notebook: nbformat.NotebookNode) -> set[str]:
    """Return the names that the code cells import, "from a import b" as a and a.b."""
    to_python = TransformerManager().transform_cell
    modules = set()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        try:
            tree = ast.parse(to_python(cell.source))
        except SyntaxError:
            continue  # running the cell is what reports it
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                modules.add(node.module)
                modules |= {f"{node.module}.{alias.name}" for alias in node.names}
    return modules


@cache
def _import_graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def _sources(imported: set[str]) -> list[Path]:
    """Return the files under src/ that these modules stand on, data files included."""
    graph = _import_graph()
    used = {name for name in imported if name in graph.modules}
    # Importing a.b.c runs the __init__ of a and of a.b first.
    used |= {parent for name in used for parent in _parents(name)}
    for name in list(used):
        upstream = graph.find_upstream_modules(name)
        used |= upstream | {parent for module in upstream for parent in _parents(module)}
    files = {_module_file(name) for name in used}
    for package in {name.split(".")[0] for name in used}:
        files |= {
            path
            for path in (ROOT / "src" / package).rglob("*")
            if path.is_file() and path.suffix not in (".py", ".pyc")
        }
    return sorted(files)


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _module_file(module: str) -> Path:
    path = ROOT / "src" / Path(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
