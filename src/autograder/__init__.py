"""Grades notebooks that nobody should trust: rebuilt, run in a sandbox, judged elsewhere."""
