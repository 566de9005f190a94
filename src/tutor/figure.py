"""Show a figure with its caption and a description for readers who cannot see it.

The picture goes into the output as SVG inside HTML, so caption and description are
there in Colab, JupyterLab and the book alike. Colours become CSS variables with the
light value as fallback: a page that defines the variables recolours the figure.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.figure import Figure

DRAWINGS = Path(__file__).with_name("drawings")
SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
ET.register_namespace("", SVG)
ET.register_namespace("xlink", XLINK)
PIXELS_PER_POINT = 96 / 72
# What the course's style draws with, and the variable that stands for it.
VARIABLES = {
    "#2352a3": "--q",
    "#ad4a0c": "--k",
    "#0c7662": "--v",
    "#6a1b62": "--o",
    "#1b2026": "--ink",
    "#59616a": "--muted",
    "#d9dcd6": "--rule",
    "#fcfcfa": "--paper",
}


def show(figure: Figure, *, claim: str, detail: str = "", alt: str) -> None:
    """Display a figure and close it.

    Args:
        figure: what to show.
        claim: the first sentence of the caption: what the figure says.
        detail: the rest of the caption: how to read it.
        alt: what is to be seen, for readers who cannot see it.

    Raises:
        ValueError: ``claim`` or ``alt`` is empty.
    """
    _require_words(claim=claim, alt=alt)
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg")
    plt.close(figure)
    _display(themed_svg(buffer.getvalue(), alt), claim=claim, detail=detail, alt=alt)


def show_drawing(name: str, *, claim: str, detail: str = "", alt: str) -> None:
    """Display a drawing that comes with the course, in its own words.

    Args:
        name: a file of tutor/drawings, without ".svg".
        claim, detail, alt: as for :func:`show`.

    Raises:
        ValueError: there is no such drawing, or ``claim`` or ``alt`` is empty.
    """
    _require_words(claim=claim, alt=alt)
    known = sorted(path.stem for path in DRAWINGS.glob("*.svg"))
    if name not in known:
        raise ValueError(f"there is no drawing {name!r}; wanted one of {', '.join(known)}")
    root = ET.fromstring((DRAWINGS / f"{name}.svg").read_text())
    root.set("role", "img")
    root.set("aria-label", alt)
    _display(ET.tostring(root, encoding="unicode"), claim=claim, detail=detail, alt=alt)


def _require_words(**texts: str) -> None:
    for name, text in texts.items():
        if not text.strip():
            raise ValueError(f"{name} is empty; wanted a sentence")


def _display(svg: str, *, claim: str, detail: str, alt: str) -> None:
    """Display SVG markup as a figure with a caption; plain-text frontends get ``alt``."""
    caption = f"<strong>{html.escape(claim)}</strong> {html.escape(detail)}".strip()
    markup = f'<figure class="figure">{svg}<figcaption>{caption}</figcaption></figure>'
    display({"text/html": markup, "text/plain": f"[Figure: {alt}]"}, raw=True)


def themed_svg(svg: str, alt: str) -> str:
    """Return matplotlib's SVG as an element to put into a page.

    Metadata and unused ids go, the others become unique to the picture, numbers are
    rounded, and the style's colours become CSS variables.
    """
    root = ET.fromstring(svg)
    _drop_metadata_and_global_style(root)
    _scale_to_page(root, alt)
    _make_ids_unique(root)
    for element in root.iter():
        if "d" in element.attrib:
            element.set("d", _round_numbers(element.get("d")))
    return _use_variables(ET.tostring(root, encoding="unicode"))


def _drop_metadata_and_global_style(root: ET.Element) -> None:
    """The style element would reach the whole page: on the root it reaches the picture."""
    unwanted = {f"{{{SVG}}}{tag}" for tag in ("metadata", "style")}
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in unwanted:
                parent.remove(child)
    root.set("stroke-linejoin", "round")


def _scale_to_page(root: ET.Element, alt: str) -> None:
    width = float(root.get("width").removesuffix("pt")) * PIXELS_PER_POINT
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", alt)
    root.set("style", f"width:{width:.0f}px;max-width:100%;height:auto;display:block")


def _make_ids_unique(root: ET.Element) -> None:
    """Keep the ids that something points at, with a prefix made from the picture."""
    text = ET.tostring(root, encoding="unicode")
    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))
    prefix = f"f{hashlib.sha256(text.encode()).hexdigest()[:8]}-"
    for element in root.iter():
        if element.get("id") in used:
            element.set("id", prefix + element.get("id"))
        else:
            element.attrib.pop("id", None)
        for name, content in element.attrib.items():
            content = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}\1)", content)
            if name == f"{{{XLINK}}}href":
                content = re.sub(r"^#", f"#{prefix}", content)
            element.set(name, content)


def _round_numbers(path: str) -> str:
    rounded = re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.1f}", path)
    return re.sub(r"\s+", " ", rounded).strip()


def _use_variables(svg: str) -> str:
    for color, variable in VARIABLES.items():
        svg = re.sub(color, f"var({variable}, {color})", svg, flags=re.IGNORECASE)
    return svg
