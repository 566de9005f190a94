"""Verdicts for nbgrader: its gradebook, and the files from which formgrader goes on."""

from autograder.gradebook.loading import quickly

with quickly():
    from autograder.gradebook.course import CourseFolder
    from autograder.gradebook.edition import GradebookError

__all__ = ["CourseFolder", "GradebookError"]
