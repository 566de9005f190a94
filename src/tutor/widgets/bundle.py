"""Make one self-contained ES module, or style sheet, of the files in this folder.

A notebook gets a widget's module as one string, so what the module imports must be
in it. The modules here use a small part of the language for that, and anything else
is refused: ``import { a, b } from "./other.mjs";`` at the start of a line, and
``export`` before a function, class or const.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.mjs";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
LEFT_OVER = re.compile(r"^(?:import\b|export (?!default ))[^\n]*", re.MULTILINE)


class BundleError(ValueError):
    """A module says import or export in a way that cannot be bundled."""


def widget_modules() -> list[str]:
    """Return the names of the modules that are widgets: those with a default export."""
    paths = sorted(FOLDER.glob("*.mjs"))
    return [path.stem for path in paths if "\nexport default " in path.read_text("utf-8")]


@cache
def module(name: str, folder: Path = FOLDER) -> str:
    """Return the widget's module ``name`` with all that it imports.

    Raises:
        BundleError: a module or an imported name is missing, or the modules import
            or export in a way that is not supported.
    """
    parts: dict[str, str] = {}
    source = _inline_imports(name, folder, parts, importing=())
    _check_bundled(name, source)
    return "".join(parts.values()) + source


@cache
def styles(*names: str) -> str:
    """Return the style sheets ``names`` one after the other, the shared one first."""
    return "".join((FOLDER / f"{name}.css").read_text("utf-8") for name in ("base", *names))


def all_styles() -> str:
    """Return every style sheet in this folder, the shared one first."""
    return styles(*(path.stem for path in sorted(FOLDER.glob("*.css")) if path.stem != "base"))


def _inline_imports(
    name: str, folder: Path, parts: dict[str, str], importing: tuple[str, ...]
) -> str:
    """Replace a module's imports by constants; add what they refer to to ``parts``."""
    path = folder / f"{name}.mjs"
    if name in importing:
        raise BundleError(f"{' -> '.join((*importing, name))}: modules import each other")
    if not path.is_file():
        raise BundleError(f"{path.name}: there is no such module")

    def as_constant(match: re.Match[str]) -> str:
        wanted, other = _names(match[1]), match[2]
        _add_part(other, folder, parts, (*importing, name))
        _check_exports(wanted, other, folder, path.name)
        return f"const {{ {', '.join(wanted)} }} = ${other};\n"

    return IMPORT.sub(as_constant, path.read_text("utf-8"))


def _add_part(name: str, folder: Path, parts: dict[str, str], importing: tuple[str, ...]) -> None:
    """Add a shared module as an object of its exports; its other names stay inside."""
    if name in parts:
        return
    source = _inline_imports(name, folder, parts, importing)
    names = _exports(source)
    source = EXPORT.sub(r"\1 \2", source)
    _check_bundled(name, source)
    parts[name] = f"const ${name} = (() => {{\n{source}return {{ {', '.join(names)} }};\n}})();\n"


def _check_bundled(name: str, source: str) -> None:
    if left := LEFT_OVER.search(source):
        raise BundleError(f"{name}.mjs: cannot bundle {left[0]!r}")


def _exports(source: str) -> list[str]:
    return [match[2] for match in EXPORT.finditer(source)]


def _check_exports(wanted: list[str], other: str, folder: Path, importer: str) -> None:
    offered = _exports((folder / f"{other}.mjs").read_text("utf-8"))
    if missing := [name for name in wanted if name not in offered]:
        raise BundleError(f"{importer}: {other}.mjs does not export {', '.join(missing)}")


def _names(listing: str) -> list[str]:
    return [name.strip() for name in listing.split(",") if name.strip()]
