"""Markdown as HTML: without raw HTML, pictures, or links that lead into this computer."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cache

from latex2mathml import exceptions
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup
from mdit_py_plugins.dollarmath import dollarmath_plugin

from autograder.feedback.code import PARTS
from autograder.feedback.text import mark_unseen, visible

# In a longer text, brackets alone would take the parser seconds.
LONGEST = 10_000
# The colours of the course's notebooks follow the theme here.
COLOURS = dict(zip(("#2352a3", "#ad4a0c", "#0c7662", "#6a1b62"), PARTS.values(), strict=True))
LATEX_ERRORS = tuple(
    error
    for error in vars(exceptions).values()
    if isinstance(error, type) and issubclass(error, Exception)
)


class _Renderer(RendererHTML):
    """HTML that stands inside a section: its headings are none of the page's."""

    def heading_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Begin what looks like a heading."""
        return '<p class="heading">'

    def heading_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """End it."""
        return "</p>\n"

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Begin a link; one within the course leads nowhere from here."""
        target = str(tokens[idx].attrGet("href"))
        if not target.startswith(("https://", "http://")):
            return "<a>"
        return f'<a href="{html.escape(target)}" rel="noreferrer">'

    def code_block(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Return code: what scrolls can be reached with the keyboard."""
        return f'<pre tabindex="0">{html.escape(tokens[idx].content)}</pre>\n'

    fence = code_block


def _parser(math: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer)
    parser.enable("table").disable(["image", "html_block", "html_inline"])
    renderer = _as_mathml if math else _formula_as_typed
    return parser.use(dollarmath_plugin, renderer=renderer, allow_labels=False)


def answer(markdown: str) -> Markup:
    """Return a student's Markdown as HTML; formulas, or all if it is long, as typed."""
    if len(markdown) > LONGEST:
        return as_typed(markdown)
    return mark_unseen(ANSWERS.render(markdown))


def as_typed(markdown: str) -> Markup:
    """Return Markdown as HTML that shows it as it is."""
    return Markup('<p class="typed">{}</p>').format(visible(markdown))


@cache
def question(markdown: str) -> Markup:
    """Return the course's own Markdown as HTML with its formulas."""
    return Markup(QUESTIONS.render(markdown))


def _formula_as_typed(latex: str, options: dict[str, bool]) -> str:
    mark = "$$" if options["display_mode"] else "$"
    return f"<code>{html.escape(f'{mark}{latex}{mark}')}</code>"


def _as_mathml(latex: str, options: dict[str, bool]) -> str:
    try:
        formula = convert(latex, display="block" if options["display_mode"] else "inline")
    except LATEX_ERRORS:
        return _formula_as_typed(latex, options)
    for colour, letter in COLOURS.items():
        formula = formula.replace(f'mathcolor="{colour}"', f'class="i{letter}"')
    return formula


ANSWERS, QUESTIONS = _parser(math=False), _parser(math=True)
