"""Verdicts for nbgrader: its gradebook, and the files from which formgrader goes on."""

import sys

# Where jsonschema finds this library it compiles a grammar for seconds, for formats that
# no notebook holds. So it shall not find it.
sys.modules.setdefault("rfc3987_syntax", None)

from autograder.gradebook.course import CourseFolder  # noqa: E402
from autograder.gradebook.edition import GradebookError  # noqa: E402

__all__ = ["CourseFolder", "GradebookError"]
