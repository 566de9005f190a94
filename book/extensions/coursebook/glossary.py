"""Link a glossary's terms: the first time a section uses one, the word leads there.

The glossary is the page ``glossary``, if the book has one: a definition list. A term
may name variants, "query, queries"; each of them links, and so does a plural in s.
Notebooks thus hold plain words.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

PAGE = "glossary"
# No links in what is a link, a title, code or a formula already.
_CLOSED = (
    nodes.caption,
    nodes.FixedTextElement,
    nodes.literal,
    nodes.math,
    nodes.math_block,
    nodes.raw,
    nodes.reference,
    nodes.term,
    nodes.title,
)

Terms = dict[str, str]  # a variant in lower case -> the anchor of its term


def setup(app: Sphinx) -> None:
    """Collect the terms when the glossary is read; link them when pages are written."""
    app.connect("doctree-read", _collect)
    app.connect("env-merge-info", _merge)
    app.connect("doctree-resolved", _link)


def _collect(app: Sphinx, doctree: nodes.document) -> None:
    if app.env.docname == PAGE:
        app.env.glossary_terms = dict(
            variant for term in doctree.findall(nodes.term) for variant in _variants(term)
        )


def _variants(term: nodes.term) -> list[tuple[str, str]]:
    names = [name.strip().lower() for name in term.astext().split(",")]
    anchor = "term-" + nodes.make_id(names[0])
    if anchor not in term["ids"]:
        term["ids"].append(anchor)
    return [(name, anchor) for name in names if name]


def _merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    if PAGE in docnames:
        env.glossary_terms = getattr(other, "glossary_terms", {})


def _link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    terms: Terms = getattr(app.env, "glossary_terms", {})
    if not terms or docname == PAGE or PAGE not in app.env.found_docs:
        return
    # The longest first, so that "attention mask" is not taken for "attention".
    names = sorted(map(re.escape, terms), key=len, reverse=True)
    pattern = re.compile(rf"\b({'|'.join(names)})s?\b", re.IGNORECASE)
    page = app.builder.get_relative_uri(docname, PAGE)
    for section in doctree.findall(nodes.section):
        linked: set[str] = set()
        for text in _open_texts(section):
            _link_in(text, pattern, terms, page, linked)


def _open_texts(section: nodes.section) -> list[nodes.Text]:
    """Return the texts of a section, not of those below it, where a link may be."""
    closed = (nodes.section, *_CLOSED)
    return [
        text
        for text in section.findall(nodes.Text)
        if not any(isinstance(node, closed) for node in _ancestors(text, section))
    ]


def _ancestors(node: nodes.Node, top: nodes.Node) -> list[nodes.Node]:
    above = []
    while (node := node.parent) is not top:
        above.append(node)
    return above


def _link_in(
    text: nodes.Text, pattern: re.Pattern[str], terms: Terms, page: str, linked: set[str]
) -> None:
    pieces, end = [], 0
    for match in pattern.finditer(text):
        anchor = terms[match[1].lower()]
        if anchor in linked:
            continue
        linked.add(anchor)
        address = f"{page}#{anchor}"
        link = nodes.reference("", match[0], refuri=address, internal=True, classes=["term"])
        pieces += [nodes.Text(text[end : match.start()]), link]
        end = match.end()
    if pieces:
        text.parent.replace(text, [*pieces, nodes.Text(text[end:])])
