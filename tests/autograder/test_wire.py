"""What crosses between judge and sandbox arrives as it was, or not at all."""

import json
import math
import socket
import struct
import sys
import threading

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from autograder.wire import Frame, WireError, changes, receive, send
from autograder.wire.values import Decoder, Encoder, Opaque


def crossed(value, dense=False):
    """Return what arrives on the other side, through JSON as in a frame."""
    buffers = []
    node = json.loads(json.dumps(Encoder(buffers, dense=dense).node(value)))
    return Decoder(buffers, dense=dense).value(node)


def same(left, right):
    if isinstance(left, float):
        return isinstance(right, float) and (left == right or math.isnan(left + right))
    if isinstance(left, (list, tuple)):
        return type(left) is type(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=3).map(tuple),
    max_leaves=12,
)


@given(plain_values)
def test_plain_values_arrive_as_they_were(value):
    assert same(value, crossed(value))


@given(
    arrays.arrays(
        st.sampled_from(["?", "i1", "u2", "i4", "i8", "f2", "f4", "f8", "c16", ">f8"]),
        arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
    )
)
def test_arrays_arrive_bit_by_bit(array):
    for dense in (False, True):
        got = crossed(array, dense)
        assert got.dtype == array.dtype
        assert got.shape == array.shape
        assert got.tobytes() == array.tobytes()


def test_an_int_of_thousands_of_digits_arrives():
    assert crossed([10**5000, -(2**4000)]) == [10**5000, -(2**4000)]


def test_scalars_keep_their_type():
    for scalar in (np.float32(1.5), np.int8(-3), np.bool_(True), np.float64("nan")):
        got = crossed(scalar)
        assert type(got) is type(scalar)
        assert got.tobytes() == scalar.tobytes()


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int64", "float16", "bfloat16", "float32", "float64", "complex64"]
)
def test_tensors_arrive(dtype):
    tensor = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
    for dense in (False, True):
        got = crossed(tensor.T, dense)
        assert got.dtype == tensor.dtype
        assert torch.equal(got, tensor.T)


def test_a_judge_without_torch_gets_arrays(monkeypatch):
    buffers = []
    tensors = [torch.tensor([1.5, -2.0]).to(kind) for kind in (torch.float32, torch.bfloat16)]
    nodes = Encoder(buffers, dense=True).node([*tensors, torch.tensor(True)])
    monkeypatch.delitem(sys.modules, "torch")
    got = Decoder(buffers, dense=True).value(nodes)
    assert "torch" not in sys.modules
    assert [value.dtype for value in got] == [np.float32, np.float32, np.bool_]
    assert [value.tolist() for value in got] == [[1.5, -2.0], [1.5, -2.0], True]


def test_a_generator_goes_on_where_it_was():
    generator = np.random.default_rng(5)
    generator.random(3)
    assert crossed(generator).random() == generator.random()


@pytest.mark.parametrize("bits", [np.random.MT19937(0), np.random.Philox(0)])
def test_another_kind_of_generator_does_not_cross(bits):
    with pytest.raises(TypeError, match=type(bits).__name__):
        crossed(np.random.Generator(bits))


def test_arguments_arrive_as_they_lie_in_memory():
    base = np.arange(24.0).reshape(4, 6)
    locked = base[1:]
    locked.flags.writeable = False
    every_second, column, again, read_only = crossed((base[::2, 1:], base[:, 2], base, locked))
    assert every_second.strides == base[::2, 1:].strides
    assert np.shares_memory(every_second, column)
    assert not read_only.flags.writeable
    assert again.flags.writeable
    column[0] = 99.0
    assert again[0, 2] == 99.0
    assert every_second[0, 1] == 99.0


def test_one_object_given_twice_is_one_object_there():
    array, items = np.ones(3), [1, 2]
    first, second, third, fourth = crossed((array, array, items, items))
    assert first is second
    assert third is fourth


def test_fortran_order_and_backward_arrays_keep_their_numbers():
    base = np.arange(6.0).reshape(2, 3)
    for array in (np.asfortranarray(base), base[::-1], base.T, base[:, ::-1], base[:0]):
        assert np.array_equal(crossed(array), array)
    assert crossed(np.asfortranarray(base)).flags.f_contiguous


def test_what_cannot_cross_is_an_opaque_of_its_name_where_that_is_known():
    got = crossed([1, Opaque.of("function"), Opaque.of("Input was 3")], dense=True)
    assert got[0] == 1
    assert type(got[1]).__name__ == "function"
    assert type(got[2]).__name__ == "value of another type"


@pytest.mark.parametrize("value", [object(), {1, 2}, np.array([None]), np.array(["a"])])
def test_other_types_do_not_cross(value):
    with pytest.raises(TypeError, match="cannot cross"):
        crossed(value)


FORGED = {
    "no known kind": {"x": 1},
    "two kinds": {"a": 1, "t": []},
    "object array": {"a": [0, "|O", [1], [8], 0, True]},
    "void array": {"a": [0, "|V8", [1], [8], 0, True]},
    "text array": {"a": [0, "<U2", [1], [8], 0, True]},
    "no such buffer": {"a": [7, "<f8", [1], [8], 0, True]},
    "shape beyond its bytes": {"a": [0, "<f8", [2], [8], 0, True]},
    "shape of less than its bytes": {"a": [0, "|u1", [3], [1], 0, True]},
    "stride that repeats": {"a": [0, "<f8", [1000000], [0], 0, True]},
    "negative size": {"a": [0, "<f8", [-1], [8], 0, True]},
    "float size": {"a": [0, "<f8", [1.0], [8], 0, True]},
    "huge size": {"a": [0, "<f8", [2**40, 2**40], [0, 0], 0, True]},
    "offset": {"a": [0, "|u1", [8], [1], 8, True]},
    "offset before": {"a": [0, "|u1", [8], [1], -8, True]},
    "strides of a text": {"a": [0, "<f8", [1], "8", 0, True]},
    "too few parts": {"a": [0, "<f8"]},
    "parts that are none": {"a": None},
    "reference": [[1], {"r": 0}],
    "reference to nothing": {"r": 5},
    "scalar of no bytes": {"n": [1, "<f8"]},
    "int that is none": {"i": "0xzz"},
    "int too long": {"i": "0x" + "f" * 10**6},
    "key that is a list": {"d": [[[1], 2]]},
    "generator": {"g": {"bit_generator": "PCG64"}},
    "generator of a list": {"g": []},
    "tensor of another size": {"T": [0, "float32", [3]]},
    "tensor of no kind": {"T": [0, "float4", [3]]},
    "name with NUL": {"o": ["\0"] * 3},
    "bytes taken twice": [{"a": [0, "<f8", [1], [8], 0, True]}] * 2,
    "bytes of an array and a tensor": [
        {"a": [0, "<f8", [1], [8], 0, True]},
        {"T": [0, "float64", [1]]},
    ],
    "bytes counted from the end": {"a": [-2, "<f8", [1], [8], 0, True]},
    "key that is a number": {"d": [[1, 2]]},
}


@pytest.mark.parametrize("node", FORGED.values(), ids=FORGED)
def test_forged_values_are_refused(node):
    buffers = [b"12345678", b""]
    try:
        value = Decoder(buffers, dense=True).value(node)
    except WireError:
        return
    # What is taken has to be harmless: no larger than it was, and of a plain type.
    assert isinstance(value, Opaque)


def test_nesting_and_numbers_of_values_are_bounded():
    deep = 1
    for _ in range(50):
        deep = [deep]
    with pytest.raises(WireError, match="nested"):
        Decoder([], dense=True).value(deep)
    with pytest.raises(WireError, match="many"):
        Decoder([], dense=True).value([0] * (2**20 + 1))


def test_arrays_of_few_bytes_do_not_become_many_numbers():
    flags = {"a": [0, "|b1", [9 * 2**20], [1], 0, True]}
    with pytest.raises(WireError, match="too large"):
        Decoder([bytes(9 * 2**20)], dense=True).value(flags)
    two = [{"T": [i, "uint8", [5 * 2**20]]} for i in range(2)]
    with pytest.raises(WireError, match="too large"):
        Decoder([bytes(5 * 2**20)] * 2, dense=True).value(two)


def test_one_long_text_does_not_make_others_long():
    texts = Decoder([], dense=True).value(["x" * 10**6] + ["y"] * 10)
    assert np.array(texts).nbytes < 10_000


def test_half_a_surrogate_becomes_something_that_can_be_written():
    assert crossed("a\ud800b", dense=True).encode() == b"a?b"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=6)
            | st.dictionaries(st.sampled_from(list("tdiangTro")), inner, max_size=1)
        ),
        max_leaves=15,
    )
)
def test_whatever_is_sent_is_a_value_or_a_wire_error(node):
    try:
        Decoder([b"12345678", b"", b"1234"], dense=True).value(node)
    except WireError as error:
        assert str(error)


@pytest.fixture
def pair():
    left, right = socket.socketpair()
    with left, right:
        yield left, right


def test_frames_arrive(pair):
    left, right = pair
    frame = Frame({"n": 1, "text": "ä\ud800"}, [b"", b"abc", bytes(10**6)])
    sender = threading.Thread(target=send, args=(left, frame))
    sender.start()
    got = receive(right)
    sender.join()
    assert got.header == frame.header
    assert got.buffers == frame.buffers


def test_the_end_of_a_stream_is_no_frame(pair):
    left, right = pair
    left.sendall(struct.pack("!III", 10, 0, 0) + b"{}")
    left.close()
    assert receive(right) is None


@pytest.mark.parametrize(
    "sent",
    [
        struct.pack("!III", 2**31, 0, 0),
        struct.pack("!III", 2, 2**31, 0),
        struct.pack("!III", 2, 0, 2**31),
        struct.pack("!III", 2, 5, 1) + struct.pack("!I", 4) + b"{}" + b"12345",
        struct.pack("!III", 2, 0, 0) + b"[]",
        struct.pack("!III", 2, 0, 0) + b"\xff\xff",
        struct.pack("!III", 5000, 0, 0) + b"1" * 5000,
        struct.pack("!III", 100_000, 0, 0) + b"[" * 100_000,
        b"HTTP/1.1 200 OK\r\n",
    ],
)
def test_bytes_that_are_no_frame_are_refused(pair, sent):
    left, right = pair
    threading.Thread(target=left.sendall, args=(sent,), daemon=True).start()
    with pytest.raises(WireError):
        receive(right)


def test_what_is_too_large_is_not_sent(pair):
    with pytest.raises(WireError, match="too large"):
        send(pair[0], Frame({}, [bytes(2**20)] * 81))


def test_changes_come_back_into_the_callers_own_objects():
    base = np.zeros((2, 3))
    inner = [1, 2]
    generator = np.random.default_rng(0)
    args = (base[:, 1], inner, [inner, 5], generator)
    there = crossed(args)
    there[0][0] = 7.0
    there[1].append(3)
    there[2][1] = 6
    there[3].random()
    changes.apply(args, crossed(there))
    assert base[0, 1] == 7.0
    assert inner == [1, 2, 3]
    assert args[2] == [inner, 6]
    expected = np.random.default_rng(0)
    expected.random()
    assert generator.random() == expected.random()


def test_an_array_reshaped_in_place_does_not_look_untouched():
    array = np.arange(6.0)
    changes.apply((array,), (np.arange(6.0).reshape(2, 3),))
    assert not np.array_equal(array, np.arange(6.0))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (np.ones(2), "x"),
        ([1], 1),
        (np.random.default_rng(0), None),
        ((1, 2), (1,)),
        ({"a": 1}, {}),
    ],
)
def test_arguments_that_come_back_as_something_else_are_refused(before, after):
    with pytest.raises(WireError):
        changes.apply((before,), (after,))
