"""Stands in for google.colab.output: the manager for widgets of other packages."""

from google.colab.output._widgets import enable_custom_widget_manager

__all__ = ["enable_custom_widget_manager"]
