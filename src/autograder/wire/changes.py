"""What a call did to its arguments, brought back to the caller's own objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.wire.errors import WireError


def apply(before: Any, after: Any) -> None:
    """Make an argument what it was left as in the sandbox.

    Args:
        before: the caller's object. Arrays, lists and generators in it are changed.
        after: what the sandbox says it became.

    Raises:
        WireError: the two are not of one form.
    """
    if isinstance(before, np.ndarray):
        _apply_array(before, after)
    elif isinstance(before, np.random.Generator):
        if not isinstance(after, np.random.Generator):
            raise WireError("a generator came back as something else")
        before.bit_generator.state = after.bit_generator.state
    elif isinstance(before, list):
        if not isinstance(after, list):
            raise WireError("a list came back as something else")
        _apply_list(before, after)
    elif isinstance(before, (tuple, dict)):
        if type(after) is not type(before) or len(after) != len(before):
            raise WireError("a container came back as something else")
        pairs = zip(before, after, strict=True)
        if isinstance(before, dict):
            pairs = ((before[key], after[key]) for key in before if key in after)
        for old, new in pairs:
            apply(old, new)


def _apply_array(before: np.ndarray, after: Any) -> None:
    if not isinstance(after, np.ndarray):
        raise WireError("an array came back as something else")
    if after.shape != before.shape or after.dtype != before.dtype:
        # Reshaped in place. The caller's array cannot follow without harm to its views,
        # but must not look untouched either.
        after = np.where(before == 0, 1, 0).astype(before.dtype)
    if after.tobytes() != before.tobytes():
        _write(before, after)


def _write(before: np.ndarray, after: np.ndarray) -> None:
    writeable = before.flags.writeable
    try:
        before.flags.writeable = True
    except ValueError:
        raise WireError("an array was changed that nobody can write to") from None
    before[...] = after
    before.flags.writeable = writeable


def _apply_list(before: list, after: list) -> None:
    kept = [_kept(old, new) for old, new in zip(before, after, strict=False)]
    before[:] = kept + after[len(kept) :]


def _kept(old: Any, new: Any) -> Any:
    """Return the caller's own item, changed, where it can follow; else the new one."""
    if isinstance(old, (list, np.ndarray, np.random.Generator)) and type(old) is type(new):
        apply(old, new)
        return old
    return new
