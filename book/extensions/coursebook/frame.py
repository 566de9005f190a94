"""What a page's template shows around its text: contents, sections, description."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from edition import source

from . import course

# What a search engine shows; longer ones are cut.
DESCRIPTION_LENGTH = 160


def setup(app: Sphinx) -> None:
    """Add to the context of each page."""
    app.connect("config-inited", _set_base_address)
    app.connect("html-page-context", _add_to_context)


def _set_base_address(app: Sphinx, config: Config) -> None:
    """The public repository also hosts the book; cards and canonical links need where."""
    if config.student_repository and not config.html_baseurl:
        config.html_baseurl = config.student_repository.book


def _add_to_context(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None
) -> None:
    is_page = doctree is not None
    context["layout"] = (context.get("meta") or {}).get("layout", "page")
    context["contents"] = _contents(app, pagename)
    context["sections"] = _sections(app, doctree) if is_page else []
    context["origin"] = source.origin()
    context["repository"] = app.config.student_repository
    context["description"] = _description(app, pagename, doctree) if is_page else ""


def _contents(app: Sphinx, pagename: str) -> list[dict]:
    """Return the parts of the book with a link to each page."""
    return [
        {
            "caption": part.caption,
            "pages": [_link(app, pagename, docname) for docname in part.pages],
        }
        for part in course.parts(app.env)
    ]


def _link(app: Sphinx, pagename: str, docname: str) -> dict:
    is_current = docname == pagename
    return {
        "title": app.env.titles[docname].astext(),
        "number": course.number(app.env, docname),
        "href": "#" if is_current else app.builder.get_relative_uri(pagename, docname),
        "is_current": is_current,
    }


def _sections(app: Sphinx, doctree: nodes.document) -> list[dict]:
    """Return the page's second-level sections: what "On this page" lists."""
    page = next(doctree.findall(nodes.section), None)
    sections = [node for node in page or [] if isinstance(node, nodes.section)]
    return [
        {"id": section["ids"][0], "title": app.builder.render_partial(section[0])["title"]}
        for section in sections
    ]


def _description(app: Sphinx, docname: str, doctree: nodes.document) -> str:
    """Return the page's own description, or as many words of its opening as fit."""
    own = course.facts(app.env, docname).description
    if own:
        return own
    opening = next(doctree.findall(nodes.paragraph), None)
    words = " ".join(opening.astext().split()) if opening else ""
    if len(words) <= DESCRIPTION_LENGTH:
        return words
    return words[:DESCRIPTION_LENGTH].rpartition(" ")[0].rstrip(",;:") + " …"
