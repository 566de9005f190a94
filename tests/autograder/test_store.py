"""The store of finished verdicts."""

import pytest
from tests.autograder.samples import refused, verdict

from autograder import store as module
from autograder.files import write_atomically
from autograder.model import CellOutput
from autograder.store import Store

KEY = "0123456789abcdef"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / ".results")


def stored_file(store):
    return store._path(KEY)


@pytest.mark.parametrize(
    "kept",
    [
        verdict(),
        refused(),
        verdict("\ud800\0\n", flags=("one", "two"), mended=("three",), late_seconds=None),
        verdict(submitted_at=None, outputs={"a": CellOutput("\x1b[1m", (b"\0\xff",), True, "E")}),
    ],
)
def test_a_verdict_comes_back_as_it_was(store, kept):
    store.put(KEY, kept)
    assert store.get(KEY) == kept


def test_what_was_never_stored_is_absent(store):
    store.put(KEY, verdict())
    assert store.get("f" * 64) is None


def test_a_later_verdict_replaces_an_earlier_one(store):
    store.put(KEY, verdict("first"))
    store.put(KEY, verdict("second"))
    assert store.get(KEY).student_id == "second"


def test_our_own_failures_are_not_finished(store):
    store.put(KEY, verdict(status="infrastructure", reason="no sandbox"))
    assert store.get(KEY) is None
    assert not stored_file(store).exists()


@pytest.mark.parametrize("length", [0, 10, 64, 65, 1000])
def test_a_half_written_file_counts_as_absent(store, length):
    store.put(KEY, verdict())
    whole = stored_file(store).read_bytes()
    stored_file(store).write_bytes(whole[:length])
    assert store.get(KEY) is None
    store.put(KEY, verdict())
    assert store.get(KEY) == verdict()


def test_a_damaged_file_counts_as_absent(store):
    store.put(KEY, verdict())
    content = bytearray(stored_file(store).read_bytes())
    content[-20] ^= 1
    stored_file(store).write_bytes(content)
    assert store.get(KEY) is None


@pytest.mark.parametrize("content", [b"[]", b"{}", b"null", b'{"tests": 1}', b"\xff"])
def test_what_another_version_wrote_counts_as_absent(store, content):
    write_atomically(stored_file(store), module._digest(content) + content)
    assert store.get(KEY) is None


@pytest.mark.parametrize("key", ["", "abc", "../../x", "ABCDEF0123456789", "g" * 16, KEY + "\n"])
def test_a_key_is_hexadecimal(store, key):
    with pytest.raises(ValueError, match="hexadecimal"):
        store.put(key, verdict())
    with pytest.raises(ValueError, match="hexadecimal"):
        store.get(key)


def test_a_run_killed_while_writing_leaves_what_was_there(store, monkeypatch):
    class Killed(BaseException):
        pass

    def kill(descriptor):
        raise Killed

    store.put(KEY, verdict("before"))
    monkeypatch.setattr("autograder.files.os.fsync", kill)
    with pytest.raises(Killed):
        store.put(KEY, verdict("after"))
    monkeypatch.undo()
    assert store.get(KEY).student_id == "before"
    store.put(KEY, verdict("after"))
    assert [path.name for path in stored_file(store).parent.iterdir()] == [f"{KEY}.json"]
