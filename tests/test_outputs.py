"""What the lessons print, as the book holds it."""

import nbformat
import pytest
from jupyter_cache import get_cache
from tests.notebooks import name
from tests.test_notebooks import LONGEST_LINE

from build import CACHE
from lessons import lesson_paths


@pytest.mark.parametrize("path", lesson_paths(), ids=name)
def test_prints_fit_the_column_and_are_in_one_piece(book, path):
    _, executed = get_cache(CACHE).merge_match_into_notebook(nbformat.read(path, as_version=4))
    for cell in executed.cells:
        printed = [out for out in cell.get("outputs", ()) if out.output_type == "stream"]
        assert len({out.name for out in printed}) == len(printed), cell.id
        for out in printed:
            assert out.name == "stdout", f"{cell.id}: {out.text}"
            too_long = [line for line in out.text.splitlines() if len(line) > LONGEST_LINE]
            assert not too_long, f"{cell.id}: {too_long[0]}"
