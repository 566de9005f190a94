"""Put the course's interactives into pages without a kernel.

An interactive's output holds two things: a widget view, for notebooks that run, and its
HTML with the drawing and the state. The book takes the HTML; on pages that have some,
book/static/runtime/mount.mjs brings it to life with the very modules that notebooks
use. A page can also show one directly::

    ```{interactive} QueryAmongKeys
    ```

Nothing is loaded from another host, and pages without interactives get nothing.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

from tutor import widgets
from tutor.widgets import bundle

RUNTIME = Path(__file__).parent.parent / "static" / "runtime"
FOLDER = "interactives"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# After text/html, which has 30.
LESS_THAN_HTML = 35


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive and what happens at each stage of the build."""
    app.add_directive("interactive", InteractiveDirective)
    app.connect("config-inited", _prefer_html)
    app.connect("builder-inited", _write_files)
    app.connect("html-page-context", _drop_widget_state, priority=400)  # before myst-nb adds it
    app.connect("html-page-context", _add_to_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class InteractiveDirective(SphinxDirective):
    """Show the named interactive in its first state."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return its HTML; a name that :mod:`tutor.widgets` lacks is an error."""
        name = self.arguments[0]
        if name not in widgets.__all__:
            raise self.error(f"no interactive {name!r}; there are {', '.join(widgets.__all__)}")
        return [nodes.raw("", getattr(widgets, name)().static_html(), format="html")]


def _prefer_html(_app: Sphinx, config: Config) -> None:
    builders = ("html", "dirhtml", "singlehtml")
    overrides = [(builder, WIDGET_VIEW, LESS_THAN_HTML) for builder in builders]
    config.nb_mime_priority_overrides = [*config.nb_mime_priority_overrides, *overrides]
    # Otherwise myst-nb loads require.js and a widget manager from other hosts.
    config.nb_ipywidgets_js = {}


def site_files() -> dict[str, str]:
    """Return what the pages load, by file name: runtime, modules and one style sheet."""
    files = {path.name: path.read_text("utf-8") for path in sorted(RUNTIME.glob("*.mjs"))}
    files |= {f"{name}.mjs": bundle.module(name) for name in bundle.widget_modules()}
    return files | {"interactives.css": bundle.all_styles()}


def _write_files(app: Sphinx) -> None:
    """Write the files under an address that changes with them.

    Modules import one another by name, so a browser that kept one of an older book
    would mix the two.
    """
    if app.builder.format != "html":
        return
    files = site_files()
    version = hashlib.sha256("".join(files.values()).encode()).hexdigest()[:8]
    base = Path(app.outdir) / "_static" / FOLDER
    shutil.rmtree(base, ignore_errors=True)
    (base / version).mkdir(parents=True)
    for name, text in files.items():
        (base / version / name).write_text(text, "utf-8")
    app.interactives_address = f"{FOLDER}/{version}"


def _drop_widget_state(app: Sphinx, page: str, _template, _context, _doctree) -> None:
    """Leave out the state of all widgets, modules included, that a kernel would want."""
    metadata = getattr(app.env, "nb_metadata", {})
    metadata.get(page, {}).get("js_files", {}).pop("ipywidgets_state", None)


def _add_to_page(app: Sphinx, _page: str, _template, _context, doctree) -> None:
    if doctree is None or not _has_interactive(doctree):
        return
    app.add_css_file(f"{app.interactives_address}/interactives.css")
    app.add_js_file(f"{app.interactives_address}/mount.mjs", type="module")


def _has_interactive(doctree: nodes.document) -> bool:
    return any("data-module=" in node.astext() for node in doctree.findall(nodes.raw))
