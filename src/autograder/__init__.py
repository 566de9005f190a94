"""Grades notebooks that nobody should trust: rebuilt, run in a sandbox, judged elsewhere."""

# Part of the key of every stored result: raise it when a verdict could change.
VERSION = "1"
