"""Runs a student's cells in an IPython shell, and calls their functions when told to.

All of this is in the student's hands: their code may replace any of it. Nothing here
keeps a secret or decides anything; the worst it can do is to send nonsense, which the
host takes for an answer like any other.
"""

from __future__ import annotations

import base64
import contextlib
import os
import random
import socket
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.limits import Limits
from autograder.sandbox.results import plain
from autograder.wire import Frame, WireError, receive, send
from autograder.wire.values import Decoder, Encoder, Opaque

_MESSAGE = 1000


class Output:
    """What a cell puts out: a stream that keeps the beginning, and pictures."""

    encoding = "utf-8"

    def __init__(self, limits: Limits):
        self.limits = limits
        self.start()

    def start(self) -> None:
        """Forget what there was."""
        self.parts: list[str] = []
        self.images: list[bytes] = []
        self.size, self.cut = 0, False

    def write(self, text: str) -> int:
        """Keep a text, or what there is room for."""
        room = self.limits.output - self.size
        if len(text) > room:
            self.cut = True
        if room > 0 and text:
            self.parts.append(str(text[:room]))
            self.size += len(self.parts[-1])
        return len(text)

    def show(self, data: dict[str, Any]) -> None:
        """Keep the picture of a displayed thing, else its text."""
        image = data.get("image/png")
        if isinstance(image, str):
            image = base64.b64decode(image)
        if isinstance(image, bytes):
            if sum(map(len, self.images)) + len(image) <= self.limits.images:
                self.images.append(image)
            else:
                self.cut = True
        elif isinstance(data.get("text/plain"), str):
            self.write(data["text/plain"] + "\n")

    def flush(self) -> None:
        """Do nothing: a stream has to have this."""

    def isatty(self) -> bool:
        """Say that nobody watches."""
        return False


OUTPUT = Output(Limits())


class _Publisher(DisplayPublisher):
    def publish(self, data, metadata=None, **options):
        OUTPUT.show(data)


class _DisplayHook(DisplayHook):
    def write_output_prompt(self):
        """Write none: the feedback shows outputs below their cells."""

    def write_format_data(self, format_dict, md_dict=None):
        OUTPUT.show(format_dict)


class Shell(InteractiveShell):
    """IPython without a terminal, a history or a thread."""

    displayhook_class = _DisplayHook
    display_pub_class = _Publisher

    def enable_gui(self, gui=None):
        """Do nothing: there is no screen."""


def new_shell() -> Shell:
    """Return the one shell of this process, ready to run cells."""
    config = Config()
    # The history would be written by a thread of its own.
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.xmode = "Plain"
    shell = Shell.instance(config=config)
    shell.run_cell("None")  # what is slow the first time
    return shell


def serve(channel: socket.socket, shell: Shell, limits: Limits) -> None:
    """Do what the host says until it is gone."""
    OUTPUT.limits = limits
    sys.stdout = sys.stderr = OUTPUT
    _seed()
    own = os.getpid()
    while (frame := receive(channel)) is not None:
        replies = _TASKS[frame.header["do"]](shell, frame)
        for number, reply in enumerate(replies, frame.header["n"]):
            if os.getpid() != own:
                # The student's code has forked, and this is the copy.
                os._exit(0)
            _answer(channel, number, reply)


def _seed() -> None:
    """Draw the same numbers in every run: grading twice must give the same."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - it is the students' generator too
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


def _answer(channel: socket.socket, number: int, reply: Frame) -> None:
    try:
        send(channel, Frame(reply.header | {"n": number}, reply.buffers))
    except WireError as error:
        send(channel, Frame({"n": number, "unusable": str(error)}))


def _run_cell(shell: Shell, frame: Frame) -> Iterator[Frame]:
    OUTPUT.start()
    done = shell.run_cell(frame.header["source"], store_history=True)
    wrong = done.error_before_exec or done.error_in_exec
    yield Frame(
        {
            "text": "".join(OUTPUT.parts),
            "cut": OUTPUT.cut,
            "error": type(wrong).__name__ if wrong is not None else "",
        },
        list(OUTPUT.images),
    )


def _call(shell: Shell, frame: Frame) -> Iterator[Frame]:
    """Make the calls, one after another, each of them so many times in a row."""
    start = 0
    for args, kwargs, count in frame.header["calls"]:
        buffers = frame.buffers[start : start + count]
        start += count
        before = None
        for _ in range(frame.header["times"]):
            reply = _reply(
                shell, frame.header["name"], Frame({"args": args, "kwargs": kwargs}, buffers)
            )
            yield Frame({"same": True}) if reply == before else reply
            before = reply


def _reply(shell: Shell, name: str, call: Frame) -> Frame:
    function = shell.user_ns.get(name)
    if function is None:
        return Frame({"missing": name})
    decoder = Decoder(call.buffers)
    args, kwargs = (decoder.value(call.header[part]) for part in ("args", "kwargs"))
    header, buffers = _outcome(function, args, kwargs)
    if not decoder.is_untouched():
        try:
            header["after"] = _after(call, args, kwargs, buffers)
        # An argument that now holds itself, or what cannot cross.
        except (TypeError, RecursionError) as error:
            header = {"unusable": f"an argument was changed: {error}"[:_MESSAGE]}
    OUTPUT.start()
    return Frame(header, buffers)


def _read(shell: Shell, frame: Frame) -> Iterator[Frame]:
    name, buffers = frame.header["name"], []
    if name not in shell.user_ns:
        yield Frame({"missing": name})
    else:
        yield Frame({"result": _node(shell.user_ns[name], buffers)}, buffers)


_TASKS = {"cell": _run_cell, "call": _call, "read": _read}


def _outcome(function: Any, args: tuple, kwargs: dict) -> tuple[dict, list[bytes]]:
    """Call a function, and return what came of it as a header and buffers."""
    buffers: list[bytes] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = function(*args, **kwargs)
        # Whatever it raises is what came of it.
        except BaseException as error:  # noqa: BLE001
            return _raised(error), buffers
    return {"result": _node(result, buffers)}, buffers


def _node(result: Any, buffers: list[bytes]) -> Any:
    try:
        return Encoder(buffers, dense=True).node(plain(result))
    except (TypeError, RuntimeError):
        # A tensor of a kind that cannot cross, or that cannot be read.
        return Encoder(buffers, dense=True).node(Opaque.of(type(result).__name__))


def _raised(error: BaseException) -> dict:
    names = [kind.__name__ for kind in type(error).__mro__]
    text = ""
    with contextlib.suppress(Exception):  # the exception's class is the student's
        text = str(error)[:_MESSAGE]
    return {"raised": names[:20], "message": text}


def _after(call: Frame, args: tuple, kwargs: dict, buffers: list[bytes]) -> Any:
    """Return what the arguments became, or None where they are as they came."""
    memory: list[bytes] = []
    encoder = Encoder(memory)
    nodes = [encoder.node(args), encoder.node(kwargs)]
    if nodes == [call.header["args"], call.header["kwargs"]] and memory == call.buffers:
        return None
    encoder = Encoder(buffers, dense=True)
    return [encoder.node(args), encoder.node(kwargs)]
