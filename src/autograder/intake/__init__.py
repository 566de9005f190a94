"""What students handed in: a folder or a zip becomes one submission for each student."""

from autograder.intake.collect import collect
from autograder.intake.files import IntakeError
from autograder.intake.times import late_seconds, read_time, read_zone

__all__ = ["IntakeError", "collect", "late_seconds", "read_time", "read_zone"]
