"""Feedback: one HTML page for each student, complete in itself and without scripts."""

from autograder.feedback.page import feedback_page, write_feedback

__all__ = ["feedback_page", "write_feedback"]
