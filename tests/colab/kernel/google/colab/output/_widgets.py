"""Once it is on, every widget's output names the manager that can show it.

Without that, Colab shows a message in place of a widget that is none of ipywidgets'.
"""

from __future__ import annotations

from IPython import get_ipython

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# anywidget looks here too.
_installed_url: str | None = None


def enable_custom_widget_manager() -> None:
    """Let outputs name the manager."""
    global _installed_url
    if _installed_url is None:
        get_ipython().display_pub.register_hook(_name_manager)
    _installed_url = "https://example.org/manager.min.js"


def _name_manager(message: dict) -> dict:
    if WIDGET_VIEW in message["content"].get("data", {}):
        metadata = message["content"]["metadata"].setdefault(WIDGET_VIEW, {})
        metadata["colab"] = {"custom_widget_manager": {"url": _installed_url}}
    return message
