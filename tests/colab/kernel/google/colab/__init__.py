"""Stands in for what Colab puts into every kernel, as far as the course meets it."""
