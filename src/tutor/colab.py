"""What a notebook needs in Colab once the course is installed there.

The setup cell that every notebook begins with installs the course where it is missing
and then calls :func:`prepare`; everything it need not do by itself stands here.
"""

from __future__ import annotations

import sys

from tutor import __version__


def prepare() -> None:
    """Let Colab show the interactives, and say so in one line; elsewhere do nothing.

    Colab shows widgets that do not come with ipywidgets only once its manager for
    them is on. Turning it on again changes nothing.
    """
    if "google.colab" not in sys.modules:
        return
    from google.colab import output

    output.enable_custom_widget_manager()
    print(f"Attention, derived {__version__} is ready.")
