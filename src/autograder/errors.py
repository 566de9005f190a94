"""What stops a run, and a person has to mend. A student's mistake is never one of these."""


class GradingError(Exception):
    """The base of all errors that are told to the instructor in one line."""
