"""The files that pages load: one style sheet, one script, the fonts. None is elsewhere.

They are laid out in a folder of their own before Sphinx copies it, because any style
sheet or script that Jupyter Book finds by itself would go on every page.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

STATIC = Path(__file__).parents[2] / "static"
TEMPLATES = Path(__file__).parents[2] / "templates"

# In the order of the cascade; what each holds is said at its top.
STYLES = (
    "tokens", "frame", "text", "head", "blocks", "code", "figures", "tables",
    "landing", "reference", "responsive", "print",
)  # fmt: skip

# Sphinx and myst-nb put these on every page; ours do what the pages need of them.
_REPLACED_STYLES = ("basic.css", "pygments.css", "mystnb.")
_SEARCH_ONLY = ("documentation_options.js", "doctools.js", "sphinx_highlight.js")

# Every browser the book is for reads woff2.
_OTHER_FONT_FORMATS = re.compile(r',url\([^)]*\) format\("(?:woff|truetype)"\)')


def setup(app: Sphinx) -> None:
    """Register the theme, which holds the templates, and lay out its files."""
    app.add_html_theme("course", str(TEMPLATES))
    app.connect("config-inited", _stage)
    # After the extensions that add their files page by page.
    app.connect("html-page-context", _keep_needed_files, priority=900)


def _stage(app: Sphinx, config: Config) -> None:
    folder = Path(app.doctreedir) / "course-static"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "fonts").mkdir(parents=True)
    (folder / "course.css").write_text(bundle(), encoding="utf-8")
    for file in STATIC.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    shutil.copy(STATIC / "js" / "course.js", folder)
    for font in STATIC.glob("vendor/**/*.woff2"):
        shutil.copy(font, folder / "fonts")
    config.html_static_path.append(str(folder))


def bundle() -> str:
    """Return the one style sheet: KaTeX's, then ours in the order of the cascade."""
    katex = (STATIC / "vendor" / "katex" / "katex.min.css").read_text(encoding="utf-8")
    sheets = [(STATIC / "css" / f"{name}.css").read_text(encoding="utf-8") for name in STYLES]
    return "\n".join([_OTHER_FONT_FORMATS.sub("", katex), *map(_shortened, sheets)])


def _shortened(css: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)).strip()


def _keep_needed_files(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree: object
) -> None:
    """Leave out the files that this page has no use for."""
    context["css_files"] = [
        file for file in context["css_files"] if not _is(file, _REPLACED_STYLES)
    ]
    if pagename != "search":
        context["script_files"] = [
            file for file in context["script_files"] if not _is(file, _SEARCH_ONLY)
        ]


def _is(file: object, names: tuple[str, ...]) -> bool:
    filename = str(getattr(file, "filename", None) or file)
    return filename.removeprefix("_static/").startswith(names)
