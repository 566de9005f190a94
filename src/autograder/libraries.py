"""What a sandbox loads before students' code runs: their imports are lookups then.

A process that has loaded torch is slow to start and slow to fork, so only notebooks that
import something of the kind are run in one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from autograder.model import Assignment

# Modules that are worth loading once instead of in every guest, by what their imports name.
SLOW = {
    "torch": ("torch",),
    "scipy": ("scipy", "scipy.special", "scipy.linalg"),
    "einops": ("einops",),
    "matplotlib": ("matplotlib.pyplot",),
}
ALL_SLOW = tuple(module for modules in SLOW.values() for module in modules)
_IMPORTED = re.compile(r"^\s*(?:import|from)\s+([\w.]+)", re.MULTILINE)
# Also where a notebook is not read yet: ends of lines are \n of two letters there.
_SLOW = re.compile(rf"(?:import|from)\b[^\n\\]*?({'|'.join(SLOW)})")


def modules_of(assignment: Assignment) -> tuple[str, ...]:
    """Return the modules that an assignment's own cells import."""
    cells = "\n".join(cell.source for cell in assignment.cells if cell.kind == "code")
    return tuple(dict.fromkeys(_IMPORTED.findall(cells)))


def slow_in(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the slow modules that texts seem to import, rather too many than too few.

    Args:
        texts: code, or notebooks as they are.
    """
    named = {name for text in texts for name in _SLOW.findall(text)}
    return tuple(module for name, modules in SLOW.items() if name in named for module in modules)
