"""What every interactive shares: it runs in a notebook, in the book, and on paper."""

from __future__ import annotations

import html
import json
import sys
from typing import ClassVar

import anywidget
import traitlets

from tutor.widgets import bundle


class Interactive(anywidget.AnyWidget):
    """A widget whose markup is made here and brought to life by an ES module.

    The markup shows the state at the time; the module changes numbers and positions
    in it, so that what is seen without scripts and with them is the same drawing.

    A subclass names its ``module`` (module.mjs and module.css beside this file) and
    its ``title``, holds its state in synced traits, and returns its HTML from
    :meth:`markup`. Where a change of traits needs new markup, it calls :meth:`refresh`.
    """

    module: ClassVar[str]
    title: ClassVar[str]

    _markup = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, **kwargs) -> None:
        """Bundle the subclass's module and styles, as anywidget wants them."""
        if "module" in cls.__dict__:
            cls._esm = bundle.module(cls.module)
            cls._css = bundle.styles(cls.module)
        super().__init_subclass__(**kwargs)

    def __init__(self, **traits) -> None:
        """Make the widget.

        Raises:
            TraitError: a trait is not what is wanted, or there is no such trait.
        """
        if unknown := set(traits) - set(self.trait_names()):
            raise traitlets.TraitError(
                f"{type(self).__name__} has no {', '.join(sorted(unknown))}; "
                f"it has {', '.join(self.state_names())}"
            )
        super().__init__(**traits)
        self.refresh()

    def markup(self) -> str:
        """Return the widget's HTML, one element of class ``tutor-widget``."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Make the markup anew and send it to the page."""
        self._markup = self.markup()

    @classmethod
    def state_names(cls) -> list[str]:
        """Return the names of the traits that the subclass adds and syncs."""
        inherited = Interactive.class_trait_names()
        names = cls.class_trait_names(sync=True)
        return [name for name in names if name not in inherited and not name.startswith("_")]

    def static_html(self) -> str:
        """Return HTML that shows the present state and tells a page how to mount it."""
        state = json.dumps({name: getattr(self, name) for name in self.state_names()})
        return (
            f'<div data-module="{self.module}" data-state="{html.escape(state)}">'
            f"{self.markup()}</div>"
        )

    def _repr_mimebundle_(self, **kwargs) -> tuple[dict, dict] | None:
        """Return the live view, and beside it what pages without a kernel show."""
        bundled = super()._repr_mimebundle_(**kwargs)
        if bundled is None:
            return None
        data, metadata = bundled
        data["text/plain"] = f"[Interactive: {self.title}]"
        # Colab always runs it live; there is no need to find out which it prefers.
        if "google.colab" not in sys.modules:
            data["text/html"] = self.static_html()
        return data, metadata
