"""What speaks to the learner: figures with captions, feedback, interactives."""

from sdpa import __version__

__all__ = ["__version__"]
