"""What goes wrong on the wire."""


class WireError(Exception):
    """Bytes that are no message, or a message that is none of those allowed."""
