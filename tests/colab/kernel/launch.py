"""Start a kernel as Colab does: with google.colab loaded before the first cell."""

import google.colab.output  # noqa: F401
from ipykernel.kernelapp import launch_new_instance

launch_new_instance()
