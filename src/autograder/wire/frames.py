"""Frames: a JSON header with byte buffers beside it, over a stream socket."""

from __future__ import annotations

import json
import socket
import struct
from dataclasses import dataclass, field
from typing import Any

from autograder.wire.errors import WireError

# The lengths of the header and of all buffers, and how many buffers there are.
_PREFIX = struct.Struct("!III")
_LENGTH = struct.Struct("!I")

MAX_HEADER = 8 * 2**20
MAX_BUFFERS = 4096
# A result of 64 MiB, and what may come beside it.
MAX_BYTES = 80 * 2**20

_written = json.JSONEncoder(separators=(",", ":")).encode


@dataclass
class Frame:
    """One message.

    Attributes:
        header: what JSON can hold.
        buffers: bytes that the header refers to by index.
    """

    header: dict[str, Any]
    buffers: list[bytes] = field(default_factory=list)


def send(channel: socket.socket, frame: Frame) -> None:
    """Write one frame.

    Raises:
        OSError: the other side is gone.
        WireError: the frame is larger than the other side takes.
    """
    header = _written(frame.header).encode("ascii")
    sizes = [len(buffer) for buffer in frame.buffers]
    if len(header) > MAX_HEADER or len(sizes) > MAX_BUFFERS or sum(sizes) > MAX_BYTES:
        raise WireError("the message is too large")
    lengths = b"".join(map(_LENGTH.pack, sizes))
    prefix = _PREFIX.pack(len(header), sum(sizes), len(sizes))
    channel.sendall(b"".join([prefix, lengths, header, *frame.buffers]))


def receive(channel: socket.socket) -> Frame | None:
    """Read one frame; None where the other side is gone.

    Raises:
        WireError: what comes is no frame. The channel is of no use any more.
    """
    prefix = _exactly(channel, _PREFIX.size)
    if prefix is None:
        return None
    header_size, total, count = _PREFIX.unpack(prefix)
    if header_size > MAX_HEADER or total > MAX_BYTES or count > MAX_BUFFERS:
        raise WireError("the message is too large")
    rest = _exactly(channel, count * _LENGTH.size + header_size + total)
    if rest is None:
        return None
    start = count * _LENGTH.size
    sizes = [size for (size,) in _LENGTH.iter_unpack(rest[:start])]
    if sum(sizes) != total:
        raise WireError("the lengths of a message do not add up")
    header = _header(rest[start : start + header_size])
    buffers, position = [], start + header_size
    for size in sizes:
        buffers.append(rest[position : position + size])
        position += size
    return Frame(header, buffers)


def _header(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text.decode("ascii"))
    # RecursionError: brackets within brackets. ValueError: no JSON, or a number of
    # thousands of digits.
    except (ValueError, RecursionError):
        raise WireError("a message's header is no JSON") from None
    if not isinstance(header, dict):
        raise WireError("a message's header is no object")
    return header


def _exactly(channel: socket.socket, size: int) -> bytes | None:
    """Read so many bytes; None where the stream ends before."""
    # Grown as bytes come: a claimed length alone costs nothing.
    got = bytearray()
    while len(got) < size:
        try:
            piece = channel.recv(min(size - len(got), 2**20))
        except ConnectionError:
            return None
        if not piece:
            return None
        got += piece
    return bytes(got)
