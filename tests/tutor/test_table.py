import xml.etree.ElementTree as ET

import pytest

from tutor import table


@pytest.fixture
def shown(monkeypatch):
    """Collect what would be displayed."""
    outputs = []
    monkeypatch.setattr(table, "display", lambda data, raw: outputs.append(data))
    return outputs


def test_a_table_has_headers_for_columns_and_rows_and_a_caption(shown):
    rows = [["a < b", 1, "x"], ["c", 22, "yy"]]
    table.show_table(["case", "n", "what"], rows, claim="One.", detail="Two.")
    root = ET.fromstring(shown[0]["text/html"])
    assert [cell.text for cell in root.findall(".//thead//th")] == ["case", "n", "what"]
    assert [cell.text for cell in root.findall(".//tbody//th")] == ["a < b", "c"]
    assert [cell.text for cell in root.findall(".//td")] == ["1", "x", "22", "yy"]
    assert "".join(root.find("figcaption").itertext()) == "One. Two."


def test_frontends_without_html_get_aligned_columns(shown):
    table.show_table(["case", "n"], [["long name", 1]], claim="One.")
    assert shown[0]["text/plain"] == "case       n\nlong name  1"


@pytest.mark.bad_input
def test_rows_of_another_length_and_missing_words_are_refused(shown):
    with pytest.raises(ValueError, match="row 1 has 1 entries; wanted 2"):
        table.show_table(["a", "b"], [["1", "2"], ["3"]], claim="One.")
    with pytest.raises(ValueError, match="claim is empty; wanted a sentence"):
        table.show_table(["a"], [["1"]], claim=" ")
    assert not shown
