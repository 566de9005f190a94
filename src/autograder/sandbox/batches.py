"""Calls of one function that travel to a guest together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.wire import Frame
from autograder.wire.values import Encoder

# What travels at once. A message may hold some more, so that a call of any size has room.
_BYTES, _BUFFERS = 4 * 2**20, 1000

# Arguments and keyword arguments of one call.
Arguments = tuple[tuple, Mapping[str, Any]]


@dataclass
class Batch:
    """Calls that travel together."""

    nodes: list[list] = field(default_factory=list)
    buffers: list[bytes] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How many calls there are."""
        return len(self.nodes)

    @property
    def is_full(self) -> bool:
        """Say whether another call should go with the next one."""
        return len(self.buffers) > _BUFFERS or sum(map(len, self.buffers)) > _BYTES

    def add(self, args: tuple, kwargs: Mapping[str, Any]) -> None:
        """Add a call."""
        buffers: list[bytes] = []
        encoder = Encoder(buffers)
        node = [encoder.node(args), encoder.node(dict(kwargs)), len(buffers)]
        self.buffers += buffers
        self.nodes.append(node)

    def frame(self, name: str, times: int) -> Frame:
        """Return the message that asks for the calls."""
        header = {"do": "call", "name": name, "calls": self.nodes, "times": times}
        return Frame(header, self.buffers)


def batches(calls: Iterable[Arguments]) -> Iterator[Batch]:
    """Yield calls in batches, which are full or the last."""
    batch = Batch()
    for args, kwargs in calls:
        if batch.is_full:
            yield batch
            batch = Batch()
        batch.add(args, kwargs)
    if batch.size:
        yield batch
