"""Values as JSON nodes with buffers beside them, and back.

=================  =================================================================
``None`` bool str  themselves; numbers too: JSON tells 1 from 1.0 and knows NaN
huge ints          ``{"i": hexadecimal}``
list               ``[...]``
tuple              ``{"t": [...]}``
dict               ``{"d": [[key, value], ...]}``
ndarray            ``{"a": [buffer, dtype, shape, strides, offset, writeable]}``
NumPy scalar       ``{"n": [buffer, dtype]}``
torch tensor       ``{"T": [buffer, dtype, shape]}``; an array to a judge without torch
Generator          ``{"g": state}``, PCG64's
seen before        ``{"r": number}``, counting arrays, lists and generators in order
anything else      ``{"o": type's name}``, out of a sandbox only
=================  =================================================================

Arguments are shared: arrays of one base share a buffer, so non-contiguous, overlapping
and read-only ones arrive as they were. What a sandbox sends is dense: every array has bytes
of its own, as many as its shape says, and nothing is referred to, so that it can never
become larger than what was sent.
"""

from __future__ import annotations

import math
import sys
from functools import cache, lru_cache
from typing import Any

import numpy as np

from autograder.wire.errors import WireError
from autograder.wire.texts import clean, known_type

# Larger ints go as text: JSON's reader refuses thousands of digits.
_PLAIN_BITS, _MAX_BITS = 1024, 2**20
_MAX_DEPTH = 32
# A list of 512 lists of 512 numbers.
_MAX_NODES = 2**18 + 2**10
# Of a message. Whatever their type, they are compared as float64, in 64 MiB.
_MAX_ELEMENTS = 8 * 2**20
# NumPy makes every text of a list as long as the longest.
_MAX_TEXT = 100
_DTYPES = frozenset(
    np.dtype(name).newbyteorder(order).str
    for name in ("?", "b", "B", "h", "H", "i", "I", "q", "Q", "e", "f", "d", "g", "F", "D")
    for order in "<>"
)
_TENSORS = {
    "bool": "?", "uint8": "|u1", "int8": "|i1", "int16": "<i2", "int32": "<i4",
    "int64": "<i8", "float16": "<f2", "bfloat16": "<i2", "float32": "<f4",
    "float64": "<f8", "complex64": "<c8", "complex128": "<c16",
}  # fmt: skip


class Opaque:
    """Stands for a value that cannot cross; its class has the name of the value's."""

    @staticmethod
    def of(type_name: str) -> Opaque:
        """Return one whose ``type(...).__name__`` is this name."""
        return _opaque_class(type_name)()


@lru_cache(100)  # to make a class takes a thousand times as long as an object
def _opaque_class(name: str) -> type[Opaque]:
    return type(name, (Opaque,), {})


def is_tensor(value: Any) -> bool:
    """Say whether it is a tensor, without importing torch for those who have none."""
    return type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "detach")


class Encoder:
    """Writes values as nodes. One encoder a message: it knows what was seen before.

    Args:
        buffers: where the bytes go.
        dense: whether each array gets bytes of its own, and nothing is referred to.
    """

    def __init__(self, buffers: list[bytes], *, dense: bool = False):
        self.buffers, self.dense = buffers, dense
        # What was seen stays alive here, so that its id stays its own.
        self._seen: dict[int, tuple[int, Any]] = {}
        self._memory: dict[int, tuple[int, int, Any]] = {}

    def node(self, value: Any) -> Any:
        """Return the node of a value.

        Raises:
            TypeError: it is of a type that cannot cross.
        """
        if value is None or isinstance(value, (bool, str)):
            return value
        if type(value) is int:
            return value if value.bit_length() <= _PLAIN_BITS else {"i": hex(value)}
        if type(value) is float:
            return value
        if isinstance(value, tuple):
            return {"t": [self.node(item) for item in value]}
        if isinstance(value, dict):
            return {"d": [[self.node(key), self.node(item)] for key, item in value.items()]}
        if isinstance(value, np.generic):
            return {"n": [self._buffer(value.tobytes()), _dtype_name(value.dtype)]}
        if isinstance(value, Opaque):
            return {"o": type(value).__name__}
        return self._shared(value)

    def _shared(self, value: Any) -> Any:
        """Return the node of what may come twice and be changed by the other side."""
        if not self.dense:
            if id(value) in self._seen:
                return {"r": self._seen[id(value)][0]}
            self._seen[id(value)] = (len(self._seen), value)
        if isinstance(value, list):
            return [self.node(item) for item in value]
        if isinstance(value, np.ndarray):
            return {"a": self._array(value)}
        if isinstance(value, np.random.Generator):
            return {"g": _state(value)}
        if is_tensor(value):
            return {"T": self._tensor(value)}
        raise TypeError(f"a {type(value).__name__} cannot cross to or from a sandbox")

    def _buffer(self, content: bytes) -> int:
        self.buffers.append(content)
        return len(self.buffers) - 1

    def _array(self, array: np.ndarray) -> list:
        dtype = _dtype_name(array.dtype)
        writeable = bool(array.flags.writeable)
        if self.dense:
            array = np.ascontiguousarray(array).reshape(array.shape)
            buffer, offset = self._buffer(array.tobytes()), 0
        else:
            array, root = _with_root(array)
            if id(root) not in self._memory:
                content = root.ravel(order="K").tobytes()
                self._memory[id(root)] = (self._buffer(content), root)
            buffer = self._memory[id(root)][0]
            offset = _address(array) - _address(root) if array.size else 0
        return [buffer, dtype, list(array.shape), list(array.strides), offset, writeable]

    def _tensor(self, tensor: Any) -> list:
        import torch

        plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
        name = str(plain.dtype).removeprefix("torch.")
        if name not in _TENSORS or plain.layout is not torch.strided:
            raise TypeError(f"a tensor of {name} cannot cross to or from a sandbox")
        bits = plain.view(torch.int16) if name == "bfloat16" else plain
        return [self._buffer(bits.numpy().tobytes()), name, list(plain.shape)]


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def _with_root(array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return an array and the one whose memory it shares, in one piece and forwards."""
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    if not root.flags.forc or any(stride < 0 for stride in array.strides):
        array = root = np.array(array, order="C")
    return array, root


class Decoder:
    """Reads nodes, and believes nothing. One decoder a message.

    Args:
        buffers: the bytes that nodes refer to.
        dense: whether each array must have bytes of its own, and references are refused.

    Attributes:
        elements: how many numbers the arrays so far hold.
    """

    def __init__(self, buffers: list[bytes], *, dense: bool = False):
        self._buffers, self._dense = buffers, dense
        self.elements = self._nodes = 0
        self._taken: set[int] = set()
        self._seen: list[Any] = []
        self._layouts: list[tuple] = []
        self._memory: dict[int, np.ndarray] = {}

    def value(self, node: Any, depth: int = 0) -> Any:
        """Return the value of a node.

        Raises:
            WireError: it is no node.
        """
        self._nodes += 1
        if depth > _MAX_DEPTH or self._nodes > _MAX_NODES:
            raise WireError("values are nested too deeply, or too many")
        if isinstance(node, str):
            return clean(node, _MAX_TEXT) if self._dense else node
        if node is None or isinstance(node, (bool, int, float)):
            return node
        if isinstance(node, list):
            items: list[Any] = []
            self._seen.append(items)
            items.extend(self.value(item, depth + 1) for item in node)
            return items
        if not isinstance(node, dict) or len(node) != 1:
            raise WireError("a value is of no known form")
        ((tag, content),) = node.items()
        try:
            return self._tagged(tag, content, depth)
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            raise WireError(f"a value of kind {tag[:8]!r} is none: {error}") from None

    def is_untouched(self) -> bool:
        """Say for sure that nobody has changed the values; False where it is not sure."""
        return (
            all(isinstance(value, np.ndarray) for value in self._seen)
            and [_layout(array) for array in self._seen] == self._layouts
            and all(
                memory.tobytes() == self._buffers[index] for index, memory in self._memory.items()
            )
        )

    def _tagged(self, tag: str, content: Any, depth: int) -> Any:
        if tag == "t":
            return tuple(self.value(item, depth + 1) for item in content)
        if tag == "d":
            return {self._key(key): self.value(item, depth + 1) for key, item in content}
        if tag == "i":
            return _huge(content)
        if tag == "n":
            index, dtype = content
            return np.frombuffer(self._bytes(index), _dtype(dtype), count=1)[0]
        if tag == "o":
            return Opaque.of(known_type(content, "value of another type"))
        if tag == "r" and not self._dense:
            return self._seen[content]
        return self._new(tag, content)

    def _new(self, tag: str, content: Any) -> Any:
        if tag == "a":
            value = self._array(*content)
        elif tag == "T":
            value = self._tensor(*content)
        elif tag == "g":
            value = generator(content)
        else:
            raise WireError(f"a value is of no known kind: {tag[:8]!r}")
        self._seen.append(value)
        return value

    def _key(self, node: Any) -> Any:
        # Numbers can be chosen so that all fall into one slot of a dict.
        allowed = str if self._dense else (bool, int, float, str, type(None))
        if not isinstance(node, allowed):
            raise WireError("a key of a dict is no plain value")
        return node

    def _bytes(self, index: Any) -> bytes:
        if self._dense and (type(index) is not int or index < 0 or index in self._taken):
            raise WireError("two values share their bytes")
        self._taken.add(index)
        return self._buffers[index]

    def _array(self, index, dtype, shape, strides, offset, writeable) -> np.ndarray:
        if index not in self._memory:
            # A copy that can be written to, and that owns its memory.
            self._memory[index] = np.frombuffer(self._bytes(index), np.uint8).copy()
        elif self._dense:
            raise WireError("two values share their bytes")
        shape, dtype = self._shape(shape), _dtype(dtype)
        if self._dense and len(self._buffers[index]) != math.prod(shape) * dtype.itemsize:
            raise WireError("an array's bytes are not as many as its shape says")
        # NumPy itself refuses strides and offsets that leave the buffer.
        array = np.ndarray(shape, dtype, self._memory[index], offset, strides)
        array.flags.writeable = bool(writeable)
        self._layouts.append(_layout(array))
        return array

    def _tensor(self, index, name, shape) -> Any:
        shape = self._shape(shape)
        bits = np.frombuffer(self._bytes(index), _TENSORS[name]).reshape(shape).copy()
        if self._dense and "torch" not in sys.modules:
            # A judge whose tests know no tensors is spared the seconds that torch takes.
            return _widened(bits) if name == "bfloat16" else bits
        import torch

        tensor = torch.from_numpy(bits)
        return tensor.view(torch.bfloat16) if name == "bfloat16" else tensor

    def _shape(self, shape: Any) -> tuple[int, ...]:
        if not all(type(size) is int and size >= 0 for size in shape) or len(shape) > 32:
            raise WireError("an array has no proper shape")
        self.elements += math.prod(shape)
        if self._dense and self.elements > _MAX_ELEMENTS:
            raise WireError("arrays are too large")
        return tuple(shape)


def _widened(bits: np.ndarray) -> np.ndarray:
    """Return bfloat16 as float32, which has the same bits before more of them."""
    return (bits.astype(np.uint16).astype(np.uint32) << 16).view(np.float32)


def _layout(array: np.ndarray) -> tuple:
    return array.shape, array.strides, array.dtype


@cache
def _dtype_name(dtype: np.dtype) -> str:
    name = dtype.newbyteorder("=").newbyteorder("<").str if dtype.isnative else dtype.str
    if dtype.names or name not in _DTYPES:
        raise TypeError(f"an array of {dtype} cannot cross to or from a sandbox")
    return name


def _dtype(name: Any) -> np.dtype:
    if name not in _DTYPES:
        raise WireError("an array is of a type that is not allowed")
    return np.dtype(name)


def _huge(text: str) -> int:
    if len(text) > _MAX_BITS // 4:
        raise WireError("an int is too large")
    return int(text, 16)


def _state(generator: np.random.Generator) -> dict:
    state = generator.bit_generator.state
    if state["bit_generator"] != "PCG64":
        raise TypeError(f"a generator of {state['bit_generator']} cannot cross, only PCG64")
    return state


def generator(state: Any) -> np.random.Generator:
    """Return a PCG64 generator in a state.

    Raises:
        WireError: it is no state of PCG64.
    """
    bits = np.random.PCG64(0)
    try:
        bits.state = state
    except (ValueError, TypeError, LookupError, OverflowError):
        raise WireError("the state of a generator is none of PCG64") from None
    return np.random.Generator(bits)
