"""Rewrite a notebook the way Colab saves it: other metadata, other ids, another format.

A notebook that came as 4.5 keeps its version and its ids; one that was made in Colab,
or copied from such a one, is 4.0, where a cell's id is metadata.
"""

from __future__ import annotations

import json
import random
import string

import nbformat

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"


def as_colab_saves(notebook: nbformat.NotebookNode, minor: int, seed: int = 0) -> str:
    """Return the text of the file that Colab would write.

    Args:
        notebook: the notebook, with its results where it was run.
        minor: the minor version of the format: 5, or 0, which has no cell ids.
        seed: what the ids that Colab makes up are drawn with.
    """
    ids = random.Random(seed)
    saved = json.loads(nbformat.writes(notebook))
    saved["metadata"] |= {
        "colab": {"provenance": [], "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
        # Without the "state" that the format wants around the widgets' states.
        "widgets": {WIDGET_STATE: {"4f1c": {"model_name": "AnyModel", "state": {}}}},
    }
    saved["cells"] = [_saved(cell, minor, ids) for cell in saved["cells"]]
    return json.dumps(saved | {"nbformat": 4, "nbformat_minor": minor}, indent=2)


def _saved(cell: dict, minor: int, ids: random.Random) -> dict:
    if minor < 5:
        cell["metadata"]["id"] = _new_id(ids)
        del cell["id"]
    else:
        cell["metadata"]["id"] = cell["id"]
    if cell["cell_type"] == "code" and cell["execution_count"]:
        cell["metadata"] |= {
            "colab": {"base_uri": "https://localhost:8080/", "height": 35},
            "outputId": f"{ids.getrandbits(128):032x}",
            "executionInfo": {"status": "ok", "elapsed": 7, "user": {"displayName": "Ada"}},
        }
    return cell


def _new_id(ids: random.Random) -> str:
    return "".join(ids.choices(string.ascii_letters + string.digits, k=12))
