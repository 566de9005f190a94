"""Mathematics, rendered by KaTeX while the book is built: pages need no script for it."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path

from docutils import nodes
from py_mini_racer import MiniRacer
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

from .inks import COLOURS, to_variables

logger = logging.getLogger(__name__)

KATEX = Path(__file__).parents[2] / "static" / "vendor" / "katex" / "katex.min.js"

# \iq{...} and so on, for the book's own pages. KaTeX wants no "#" in a macro's colour.
_MACROS = {rf"\i{letter}": rf"\textcolor{{{c[1:]}}}{{#1}}" for letter, c in COLOURS.items()}

_RENDER = """
(tex, displayMode, macros) => {
    try {
        const options = {displayMode, macros, output: "htmlAndMathml", strict: "ignore"};
        return {html: katex.renderToString(tex, options)};
    } catch (error) {
        if (error instanceof katex.ParseError) return {error: error.message};
        throw error;
    }
}
"""

# KaTeX would number these itself, beside the number that Sphinx gives.
_NUMBERED = re.compile(r"(\\(?:begin|end)\{(?:align|alignat|equation|gather|CD))\}")


# What must not start a line on its own.
_PUNCTUATION = (",", ".", ";", ":", "?", "!", ")", "’", "-", "–")


class InvalidTex(ValueError):
    """KaTeX cannot read it; the message says what and where."""


def setup(app: Sphinx) -> None:
    """Register the renderer; the configuration selects it by its name."""
    app.add_html_math_renderer("build_time_katex", (_visit_math, None), (_visit_block, None))
    app.add_post_transform(KeepPunctuation)


class KeepPunctuation(SphinxPostTransform):
    """Keep a comma on its formula's line: browsers would break the line between them."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Put each formula and the punctuation after it into one unbreakable group."""
        for formula in list(self.document.findall(nodes.math)):
            text = formula.next_node(descend=False, siblings=True)
            if isinstance(text, nodes.Text) and text.startswith(_PUNCTUATION):
                parent, group = formula.parent, nodes.inline(classes=["nobreak"])
                parent.replace(formula, group)
                group += [formula, nodes.Text(text[0])]
                parent.replace(text, nodes.Text(text[1:]))


@cache
def render(tex: str, display: bool) -> str:
    """Return KaTeX's HTML with MathML beside it, its inks as variables.

    Raises:
        InvalidTex: ``tex`` is no mathematics that KaTeX knows.
    """
    result = _engine().call(f"({_RENDER})", tex, display, _MACROS)
    if "error" in result:
        raise InvalidTex(result["error"])
    return to_variables(result["html"])


@cache
def _engine() -> MiniRacer:
    engine = MiniRacer()
    engine.eval(KATEX.read_text(encoding="utf-8"))
    return engine


def _visit_math(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(f'<span class="math">{_rendered(node, display=False)}</span>')
    raise nodes.SkipNode


def _visit_block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.append(_rendered(node, display=True))
    if node.get("number"):
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _rendered(node: nodes.math | nodes.math_block, display: bool) -> str:
    tex = node.astext().strip()
    try:
        return render(_display_tex(tex) if display else tex, display)
    except InvalidTex as error:
        logger.warning("%s", error, location=node, type="math")
        return f"<code>{html.escape(tex)}</code>"


def _display_tex(tex: str) -> str:
    """Give lines an environment, and leave the numbering to Sphinx."""
    if r"\\" in tex and r"\begin" not in tex:
        return rf"\begin{{aligned}}{tex}\end{{aligned}}"
    return _NUMBERED.sub(r"\1*}", tex)
