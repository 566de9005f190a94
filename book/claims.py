"""Which cell stands behind each number in the prose of the lessons.

Usage: python book/claims.py, after the book is built. Prints a table (lesson, number,
cell that shows or asserts it) and ends with 1 where a number has none. A number in a
text cell is backed when a code cell of the same lesson prints it, rounded as the text
rounds it, or holds it: in an assertion, or as a size or setting that is given there.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

import nbformat
from jupyter_cache import get_cache

from build import CACHE
from lessons import lesson_paths

DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
NUMBER = re.compile(rf"(?<![\w.^_{{]){DIGITS}(?![\w^])")
# Small counts ("two terms", step 3, lesson 4) are words more than claims.
SMALL = 20
# Years, sections and links; what stands in code; and formulas' own exponents and indices.
NO_CLAIM = (
    r"\]\([^)]*\)",
    r"https?://\S+",
    r"`[^`]*`",
    r"\\textcolor\{#\w+\}",
    r"\\begin\{pmatrix\}.*?\\end\{pmatrix\}",
    r"[Ll]essons? \d",
    r"\b(19|20)\d\d\b",
    r"[_^]\{[^}]*\}|[_^]\w",
)


@dataclass(frozen=True)
class Claim:
    """A number in the text of a lesson."""

    lesson: str
    cell: str
    text: str
    backed_by: str | None


def main() -> None:
    """Print the table; complain where a number has no cell."""
    claims = [claim for path in lesson_paths() for claim in claims_of(path)]
    for claim in claims:
        print(f"{claim.lesson:16} {claim.cell:22} {claim.text:>12}  {claim.backed_by or '–'}")
    bare = [claim for claim in claims if claim.backed_by is None]
    print(f"{len(claims)} numbers in the text, {len(bare)} without a cell")
    sys.exit(1 if bare else 0)


def claims_of(path) -> list[Claim]:
    """Return a lesson's numbers, each with the first cell that backs it."""
    notebook = nbformat.read(path, as_version=4)
    _, executed = get_cache(CACHE).merge_match_into_notebook(notebook)
    evidence = {cell.id: evidence_of(cell) for cell in executed.cells if cell.cell_type == "code"}
    return [
        Claim(path.stem, cell.id, text, backing(text, evidence))
        for cell in notebook.cells
        if cell.cell_type == "markdown" and not cell.source.startswith("## What's next")
        for text in numbers_in(cell.source)
    ]


def numbers_in(markdown: str) -> list[str]:
    """Return the numbers of a text that claim something, as they are written."""
    for pattern in NO_CLAIM:
        markdown = re.sub(pattern, " ", markdown, flags=re.DOTALL)
    found = dict.fromkeys(NUMBER.findall(markdown))
    return [text for text in found if "." in text or value(text) > SMALL]


def value(text: str) -> float:
    """Return the number that a text means."""
    return float(text.replace(",", ""))


def evidence_of(cell: nbformat.NotebookNode) -> list[float]:
    """Return the numbers in a cell's code and in what it printed."""
    texts = [cell.source.replace("_", "")]
    for output in cell.outputs:
        texts.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return [value(text) for text in re.findall(DIGITS, "\n".join(texts))]


def backing(text: str, evidence: dict[str, list[float]]) -> str | None:
    """Return the cell that has a number which reads like the text when rounded."""
    decimals = len(text.partition(".")[2])
    wanted = value(text)
    for cell, numbers in evidence.items():
        # A share may be written as a percentage.
        if any(wanted in (round(n, decimals), round(100 * n, decimals)) for n in numbers):
            return cell
    return None


if __name__ == "__main__":
    main()
