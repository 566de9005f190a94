"""Show a table that code has made, with a caption, in notebooks and in the book alike."""

from __future__ import annotations

import html
from collections.abc import Sequence

from IPython.display import display


def show_table(
    headers: Sequence[str], rows: Sequence[Sequence[object]], *, claim: str, detail: str = ""
) -> None:
    """Display rows under headers; the first column names the rows.

    Args:
        headers: one text for each column.
        rows: as many entries each as there are headers.
        claim: the first sentence of the caption: what the table says.
        detail: the rest of the caption: how to read it.

    Raises:
        ValueError: the claim is empty, or a row has another number of entries.
    """
    if not claim.strip():
        raise ValueError("claim is empty; wanted a sentence")
    for number, row in enumerate(rows):
        if len(row) != len(headers):
            raise ValueError(
                f"row {number} has {len(row)} entries; wanted {len(headers)}, one a header"
            )
    caption = f"<strong>{html.escape(claim)}</strong> {html.escape(detail)}".strip()
    head = "".join(f'<th scope="col">{html.escape(header)}</th>' for header in headers)
    body = "".join(_row(row) for row in rows)
    # A wide table scrolls by itself, also for those who use the keyboard.
    frame = 'class="table-frame" style="overflow-x:auto" tabindex="0" role="region"'
    markup = (
        f'<figure class="computed-table"><div {frame} aria-label="{html.escape(claim)}">'
        f'<table class="table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
        f"<figcaption>{caption}</figcaption></figure>"
    )
    display({"text/html": markup, "text/plain": _plain(headers, rows)}, raw=True)


def _row(row: Sequence[object]) -> str:
    first, *others = (html.escape(str(entry)) for entry in row)
    cells = "".join(f"<td>{entry}</td>" for entry in others)
    return f'<tr><th scope="row">{first}</th>{cells}</tr>'


def _plain(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [list(map(str, line)) for line in (headers, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(f"{entry:{width}}" for entry, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
