"""The judge's side: starts guests, gives them cells and calls, and sees them end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from autograder.limits import Limits
from autograder.model import CellOutput
from autograder.sandbox import launch
from autograder.sandbox.batches import Arguments, batches
from autograder.sandbox.failures import Missing, Stopped, Unusable, raised_in_sandbox
from autograder.sandbox.warm import Parent, connect
from autograder.sandbox.watch import Budget, Watched, Watcher
from autograder.wire import Frame, WireError, changes, receive, send
from autograder.wire.texts import clean
from autograder.wire.values import Decoder

_PNG = b"\x89PNG\r\n\x1a\n"
_BIRTH_SECONDS = 30.0


class Sandbox:
    """A way to a warm parent inside bubblewrap, and the guests that it forks.

    Args:
        limits: what one guest may take.
        modules: what the parent loads, so that students' imports cost nothing.
        packages: packages of the course that students may import.
        isolated: False runs students' code as you, unprotected.
        address: of a parent that is there already; "" starts one.

    Raises:
        SandboxError: it did not start.
    """

    def __init__(
        self,
        limits: Limits,
        modules: Sequence[str],
        packages: Sequence[str],
        *,
        isolated: bool = True,
        address: str = "",
    ):
        self.limits = limits
        self._new_parent = partial(Parent, limits, modules, packages, isolated=isolated)
        self._parent: Parent | None = None
        self._control = connect(address) if address else self._connected()
        self._watcher = Watcher()
        self._born = 0
        self._ended: dict[int, int] = {}

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End all guests, and the parent if it was started here."""
        self._watcher.close()
        self._disconnect()

    def _disconnect(self) -> None:
        self._control.close()
        if self._parent:
            self._parent.close()

    def _connected(self) -> socket.socket:
        """Start a parent, and return the connection to it."""
        self._parent = self._new_parent()
        try:
            return connect(self._parent.address)
        except launch.SandboxError:
            self._parent.close()
            raise

    @property
    def is_gone(self) -> bool:
        """Say whether the parent has ended, and all guests with it."""
        poll = select.poll()
        poll.register(self._control, 0)  # whether it hung up is always told
        return bool(poll.poll(0))

    def new_budget(self) -> Budget:
        """Return the budget of one more notebook."""
        return Budget(0.0, time.monotonic() + self.limits.total_wall)

    @contextlib.contextmanager
    def guest(self, budget: Budget) -> Iterator[Guest]:
        """Fork a guest; it is gone, with all that it started, when the context ends.

        Where the parent is gone, another is started first.

        Raises:
            SandboxError: no guest can be had.
        """
        try:
            channel, handle = self._fork()
        except launch.SandboxError:
            self._disconnect()
            self._control = self._connected()
            channel, handle = self._fork()
        number, watched = self._born, Watched(handle, self.limits, budget)
        with channel:
            self._watcher.add(watched)
            try:
                yield Guest(self, number, channel, watched)
            finally:
                self._watcher.remove(watched)
                budget.cpu += watched.cpu
                watched.kill()
                _wait(handle)
                os.close(handle)

    def _fork(self) -> tuple[socket.socket, int]:
        """Return the socket to a new guest, and the handle of its first process."""
        self._forget()
        self._born += 1
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self._control, [str(self._born).encode()], [theirs.fileno()])
            except OSError:
                ours.close()
                raise launch.SandboxError("the sandbox's parent is gone") from None
        try:
            return ours, _handle(ours)
        except launch.SandboxError:
            ours.close()
            raise

    def _forget(self) -> None:
        """Take what the parent told of earlier guests: unread, it would fill the socket."""
        with contextlib.suppress(OSError):
            while self._control.recv(100, socket.MSG_DONTWAIT):
                pass
        self._ended.clear()

    def exit_code(self, number: int) -> int | None:
        """Return how a guest ended: its exit code, or minus the number of a signal."""
        end = time.monotonic() + 1.0
        while number not in self._ended and (left := end - time.monotonic()) > 0:
            self._control.settimeout(left)
            try:
                message = self._control.recv(100)
            except OSError:  # too late, or the parent is gone
                break
            finally:
                self._control.settimeout(None)
            if not message:
                break
            _, ended, code = message.split()
            self._ended[int(ended)] = int(code)
        return self._ended.get(number)


def _handle(channel: socket.socket) -> int:
    """Receive the file descriptor that stands for the new guest's first process."""
    channel.settimeout(_BIRTH_SECONDS)
    try:
        _, files, _, _ = socket.recv_fds(channel, 1, 1)
    except OSError:
        files = []
    channel.settimeout(None)
    if not files:
        raise launch.SandboxError("the sandbox's parent did not make a guest")
    return files[0]


def _wait(handle: int) -> None:
    """Wait until a killed process is gone: its file descriptor can be read then."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    poll.poll(10_000)


class Guest:
    """A process that runs a student's cells and calls their functions."""

    def __init__(self, sandbox: Sandbox, number: int, channel: socket.socket, watched: Watched):
        self._sandbox, self._number = sandbox, number
        self._channel, self._watched = channel, watched
        # How many replies to what was asked are still to come.
        self._owed = 0

    def run_cell(self, source: str) -> CellOutput:
        """Run a cell, and return what it put out.

        Raises:
            Stopped: the guest was stopped, or ended by itself.
        """
        self._ask(Frame({"do": "cell", "source": source}))
        reply = self._reply()
        text, error = reply.header.get("text"), reply.header.get("error")
        if not isinstance(text, str) or not isinstance(error, str):
            raise self._stopped("protocol")
        limits = self._sandbox.limits
        images = tuple(image for image in reply.buffers if image.startswith(_PNG))
        too_much = len(text) > limits.output or sum(map(len, images)) > limits.images
        return CellOutput(
            clean(text, limits.output),
            () if too_much else images,
            cut=too_much or bool(reply.header.get("cut")),
            error=clean(error, 100),
        )

    def call(self, name: str, args: tuple, kwargs: Mapping[str, Any]) -> Any:
        """Call a function of the student's, and return its result.

        The arguments become what the function left them as.

        Raises:
            Missing: there is no such name.
            Unusable: the result is nothing that can be taken: too large, or forged.
            Stopped: the guest was stopped, or ended by itself.
            Exception: what the function raised, as the built-in class nearest to it.
        """
        made = next(self.announce(name, [(args, kwargs)]))
        return made(*args, **kwargs)

    def announce(
        self, name: str, calls: Sequence[Arguments], times: int = 1
    ) -> Iterator[Callable | None]:
        """Send many calls at once; the guest goes ahead with them, one after another.

        Args:
            name: of the student's function.
            calls: arguments and keyword arguments.
            times: how often in a row each call is made.

        Yields:
            For each call a function that, called with copies of its arguments, does what
            ``call`` does; None where a repeated call gave the very same as before.

        Raises:
            Stopped: the guest was stopped, or ended by itself.
        """
        for batch in batches(calls):
            self._ask(batch.frame(name, times), batch.size * times)
            for place in range(batch.size * times):
                reply = self._reply()
                is_same = place % times and reply.header.get("same") is True
                yield None if is_same else partial(self._made, name, reply)

    def read(self, name: str) -> Any:
        """Return the value of a variable of the student's.

        Raises:
            Missing, Unusable, Stopped: as for a call.
        """
        self._ask(Frame({"do": "read", "name": name}))
        return self._outcome(name, self._reply(), (), {})

    def _made(self, name: str, reply: Frame, /, *args: Any, **kwargs: Any) -> Any:
        return self._outcome(name, reply, args, kwargs)

    def _outcome(self, name: str, reply: Frame, args: tuple, kwargs: Mapping[str, Any]) -> Any:
        header = reply.header
        if "missing" in header:
            # Never what the reply says of it: that could be anything.
            raise Missing(name)
        if "unusable" in header:
            raise Unusable(clean(header["unusable"], 200))
        decoder = Decoder(reply.buffers, dense=True)
        try:
            return _result(decoder, header, args, kwargs)
        except WireError as error:
            raise Unusable(str(error)) from None
        finally:
            self._count(decoder.elements)

    def _count(self, elements: int) -> None:
        """Count what a notebook makes the judge hold."""
        budget = self._watched.budget
        budget.elements += elements
        if budget.elements > self._sandbox.limits.elements:
            raise Unusable("all results together are too large")

    def _ask(self, frame: Frame, replies: int = 1) -> None:
        """Send a frame that so many replies will come to."""
        while self._owed:
            self._reply()  # to what nobody waits for any more
        self._owed = replies
        self._watched.begin()
        frame.header["n"] = self._watched.calls
        try:
            send(self._channel, frame)
        except OSError:
            raise self._stopped("crash") from None
        except WireError:
            raise self._stopped("protocol") from None

    def _reply(self) -> Frame:
        """Return the next reply."""
        watched = self._watched
        try:
            reply = receive(self._channel)
        except OSError:
            reply = None
        except WireError:
            raise self._stopped("protocol") from None
        if reply is None:
            raise self._stopped("crash")
        if reply.header.get("n") != watched.calls:
            raise self._stopped("protocol")
        self._owed -= 1
        if self._owed:
            watched.begin()
        else:
            watched.rest()
        return reply

    def _stopped(self, cause: str) -> Stopped:
        self._watched.rest()
        self._watched.kill()
        # Asked first: where the parent ended too, that is known when this is answered.
        code = self._sandbox.exit_code(self._number) if cause == "crash" else None
        if self._sandbox.is_gone:
            raise launch.SandboxError("the sandbox's parent is gone")
        if self._watched.cause:
            return Stopped(self._watched.cause)
        return Stopped("time") if code == -signal.SIGXCPU else Stopped(cause, code)


def _result(decoder: Decoder, header: dict, args: tuple, kwargs: Mapping[str, Any]) -> Any:
    """Bring changes of the arguments back, and return a call's result or raise its error."""
    if header.get("after") is not None:
        try:
            args_node, kwargs_node = header["after"]
        except (TypeError, ValueError):
            raise WireError("a reply does not say what became of the arguments") from None
        changes.apply(args, decoder.value(args_node))
        changes.apply(dict(kwargs), decoder.value(kwargs_node))
    if "raised" in header:
        raise raised_in_sandbox(header["raised"], header.get("message"))
    if "result" not in header:
        raise WireError("a reply holds no result")
    return decoder.value(header["result"])
