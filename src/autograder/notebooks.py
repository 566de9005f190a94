"""From a file's bytes to a notebook's cells, whatever the bytes are.

Outputs are never looked at. What can be read is read, and flagged where it is odd; what
cannot is refused with a reason. Nothing else is ever raised.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from autograder.model import Cell
from autograder.refused import Refused

MAX_FILE = 100_000_000  # bytes
MAX_CELLS = 2_000
MAX_CODE = 500_000  # characters in all cells of code together
# Brackets, braces and commas: each can cost 100 bytes of memory once it is parsed.
MAX_TOKENS = 10_000_000

KINDS = ("code", "markdown", "raw")
# A key that stands twice in one object where it matters: two notebooks in one.
STRUCTURE = frozenset(("cells", "cell_type", "metadata", "nbformat", "source"))
CONFLICT = re.compile(r"^(?:<<<<<<<|>>>>>>>) ", re.MULTILINE)
SURROGATE = re.compile("[\ud800-\udfff]")
KNOWN_FILES = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a zip file or an Office document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)
CUT_OFF = "The file ends in the middle: it was cut off on the way."
NOT_UTF_8 = "The file is damaged: its text is not UTF-8."
AGAIN = "Please save the notebook in Jupyter or Colab, and hand in that .ipynb file."


@dataclass(frozen=True)
class Notebook:
    """What a notebook file holds, without its outputs.

    Attributes:
        cells: in order.
        kernel: the name of the kernel it was saved with, "" without one.
        language: that kernel's language in lower case, "" without one.
        flags: what was odd about the file, one sentence each.
    """

    cells: tuple[Cell, ...]
    kernel: str = ""
    language: str = ""
    flags: tuple[str, ...] = ()


def read_notebook(content: bytes) -> Notebook:
    """Read a notebook of format 4, with whatever oddities editors leave in it.

    Args:
        content: the file's bytes.

    Raises:
        Refused: there is no such notebook in these bytes; nothing else is raised.
    """
    flags: list[str] = []
    notebook = _parsed(_decoded(content, flags))
    _check_format(notebook, flags)
    cells = tuple(_cells(notebook["cells"], flags))
    if sum(len(cell.source) for cell in cells if cell.kind == "code") > MAX_CODE:
        raise Refused(f"The notebook holds more than {MAX_CODE:,} characters of code.")
    metadata = _mapping(notebook.get("metadata"))
    kernelspec = _mapping(metadata.get("kernelspec"))
    kernel = _text(kernelspec.get("name"))
    language = kernelspec.get("language") or _mapping(metadata.get("language_info")).get("name")
    language = _text(language).lower()
    if kernel not in ("", "python3"):
        flags.append(f'It was saved with the kernel "{kernel[:80]}"; it is graded with python3.')
    if language not in ("", "python", "ipython"):
        flags.append(f'Its language is "{language[:80]}"; it is graded as Python.')
    return Notebook(cells, kernel, language, tuple(flags))


def _decoded(content: bytes, flags: list[str]) -> str:
    if len(content) > MAX_FILE:
        megabytes = MAX_FILE // 1_000_000
        raise Refused(
            f"The file is larger than {megabytes} MB. Please clear its outputs and save it again."
        )
    if not content.strip(b"\0 \t\r\n"):
        raise Refused(f"The file is empty. {AGAIN}")
    for start, what in KNOWN_FILES:
        if content.startswith(start):
            raise Refused(f"The file is {what}, not a notebook. {AGAIN}")
    encoding = json.detect_encoding(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        what = CUT_OFF if error.reason == "unexpected end of data" else NOT_UTF_8
        raise Refused(f"{what} {AGAIN}") from None
    if not encoding.startswith("utf-8"):
        flags.append(f"The file's text was {encoding.upper()} in place of UTF-8.")
    return text


def _parsed(text: str) -> dict[str, Any]:
    if sum(map(text.count, "[{,")) > MAX_TOKENS:
        raise Refused("The file holds too many values. Please clear its outputs and save it again.")
    try:
        notebook = json.loads(text, object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as error:
        _explain(text, error)
    except RecursionError:
        raise Refused(f"The file is no notebook: it is nested too deeply. {AGAIN}") from None
    except ValueError:  # a number of thousands of digits
        raise Refused(f"The file is no notebook: it holds an impossible number. {AGAIN}") from None
    if not isinstance(notebook, dict):
        raise Refused(f"The file holds data, but no notebook. {AGAIN}")
    return notebook


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        for name in sorted(STRUCTURE):
            if names.count(name) > 1:
                raise Refused(f'The file is damaged: it holds "{name}" twice over. {AGAIN}')
    return found


def _explain(text: str, error: json.JSONDecodeError) -> NoReturn:
    """Refuse text that is no JSON, and say what it seems to be."""
    text = text.rstrip("\0 \t\r\n")
    if CONFLICT.search(text):
        raise Refused(
            "The file holds git's conflict markers (<<<<<<< and >>>>>>>): the merge was not "
            "finished. Please settle the conflict, save the notebook and hand it in again."
        )
    if text.lstrip().startswith("<"):
        raise Refused(f"The file is a web page (HTML), not the notebook itself. {AGAIN}")
    if not text.lstrip().startswith("{"):
        raise Refused(f"The file is no notebook. {AGAIN}")
    # A string that never ends is reported where it begins, half a word or escape there too.
    is_near_end = len(text) - error.pos < len(r"\u0000 ") and error.msg != "Extra data"
    if is_near_end or error.msg.startswith("Unterminated string"):
        raise Refused(f"{CUT_OFF} {AGAIN}")
    raise Refused(f"The file is damaged at line {error.lineno}: it is not valid JSON. {AGAIN}")


def _check_format(notebook: dict[str, Any], flags: list[str]) -> None:
    number = notebook.get("nbformat")
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if "worksheets" in notebook or (is_number and number < 4):
        raise Refused(
            "The notebook is in an old format, from before version 4. Please open it in "
            "Jupyter, save it and hand it in again."
        )
    if is_number and number >= 5:
        raise Refused(f"The notebook is in a format that is not known here. {AGAIN}")
    if not isinstance(notebook.get("cells"), list):
        raise Refused(f"The file holds data, but no notebook: it has no cells. {AGAIN}")
    if not is_number:
        flags.append("The number of the notebook's format is missing; it was read as format 4.")
    if len(notebook["cells"]) > MAX_CELLS:
        raise Refused(f"The notebook holds more than {MAX_CELLS:,} cells.")


def _cells(items: list[Any], flags: list[str]) -> Iterator[Cell]:
    for number, item in enumerate(items, 1):
        source = _source(item.get("source", "")) if isinstance(item, dict) else None
        if source is None:
            flags.append(f"Cell {number} could not be read and was left out.")
            continue
        if SURROGATE.search(source):
            source = SURROGATE.sub("�", source)
            flags.append(f"Cell {number} held broken characters; each was replaced by a �.")
        kind = item.get("cell_type")
        if kind not in KINDS:
            kind = "raw"
            flags.append(f"Cell {number} is of an unknown type; it was read as plain text.")
        yield _cell(kind, source, item)


def _source(value: Any) -> str | None:
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        value = "".join(value)
    return value.replace("\r\n", "\n") if isinstance(value, str) else None


def _cell(kind: Any, source: str, item: dict[str, Any]) -> Cell:
    grading = _mapping(_mapping(item.get("metadata")).get("nbgrader"))
    role = _role(grading)
    points = grading.get("points")
    graded = role in ("test", "written") and _is_points(points)
    return Cell(
        kind,
        source,
        cell_id=_text(item.get("id")),
        grade_id=_text(grading.get("grade_id")),
        role=role,
        points=float(points) if graded else 0.0,
    )


def _role(grading: dict[str, Any]) -> Any:
    solution, grade = grading.get("solution") is True, grading.get("grade") is True
    if solution:
        return "written" if grade else "answer"
    if grade:
        return "test"
    return "locked" if grading.get("locked") is True else ""


def _is_points(value: Any) -> bool:
    # Compared before it is made a float, which an integer of a thousand digits cannot be.
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and 0 <= value < 1e6
        and math.isfinite(value)
    )


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return SURROGATE.sub("�", value) if isinstance(value, str) else ""
