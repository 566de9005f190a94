"""Decoding token by token: keys and values are kept, not computed again."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Real

from sdpa import _arguments
from sdpa.reference import attention


class KVCache:
    """The keys and values of all tokens so far.

    Causal attention never lets a token see a later one, so what an earlier token gave
    stays right when new ones arrive: only the new rows are computed.

    A cache starts empty and takes chunks of any length; its memory doubles as it fills,
    so that appending one token costs its own size on average.

    Example:
        >>> import numpy as np
        >>> cache, token = KVCache(), np.ones((1, 4))
        >>> cache.step(token, token, token).shape, len(cache)
        ((1, 4), 1)

    Source: Shazeer 2019 (arXiv:1911.02150), section 2.4, incremental multi-head attention.
    """

    def __init__(self) -> None:
        self._keys: np.ndarray | None = None
        self._values: np.ndarray | None = None
        self._length = 0

    def __len__(self) -> int:
        """Return the number of tokens in the cache."""
        return self._length

    @property
    def keys(self) -> Real[np.ndarray, "*batch n d_k"] | None:
        """The keys so far; None before the first chunk. A view: do not write into it."""
        return None if self._keys is None else self._keys[..., : self._length, :]

    @property
    def values(self) -> Real[np.ndarray, "*batch n d_v"] | None:
        """The values so far; None before the first chunk. A view: do not write into it."""
        return None if self._values is None else self._values[..., : self._length, :]

    def append(
        self, key: Real[np.ndarray, "*batch m d_k"], value: Real[np.ndarray, "*batch m d_v"]
    ) -> None:
        """Add a chunk of m tokens behind those that are there.

        Args:
            key: (..., m, d_k).
            value: (..., m, d_v), with the same batch axes. The first chunk settles batch
                axes, feature sizes and dtypes; later ones follow it.

        Raises:
            TypeError: an argument is no real array, or of another dtype than before.
            ValueError: shapes do not fit each other or the cache. It is then unchanged.
        """
        _arguments.floating_dtype(key=key, value=value)
        _arguments.check_chunk_shapes(key.shape, value.shape)
        if self._keys is None:
            self._keys, self._values = _room_for(key, 0), _room_for(value, 0)
        _check_follows("key", key, self._keys)
        _check_follows("value", value, self._values)
        end = self._length + key.shape[-2]
        if end > self._keys.shape[-2]:
            self._keys, self._values = (
                self._grown(array, max(end, 2 * array.shape[-2]))
                for array in (self._keys, self._values)
            )
        self._keys[..., self._length : end, :] = key
        self._values[..., self._length : end, :] = value
        self._length = end

    def step(
        self,
        query: Real[np.ndarray, "*batch m d_k"],
        key: Real[np.ndarray, "*batch m d_k"],
        value: Real[np.ndarray, "*batch m d_v"],
        scale: float | None = None,
    ) -> Float[np.ndarray, "*batch m d_v"]:
        """Append m tokens and return their outputs: rows of causal attention over all.

        The last query sits on the last key, so the causal mask is aligned bottom-right.
        One token at a time, or a whole prompt at once: the outputs are the same, up to
        rounding.

        Args:
            query, key, value: the new tokens, (..., m, .), m the same for all.
            scale: as in :func:`sdpa.attention`.

        Raises:
            TypeError, ValueError: as :meth:`append` and :func:`sdpa.attention`; ValueError
                also where there are not as many queries as keys.
        """
        _arguments.check_step_shapes(np.shape(query), np.shape(key))
        self.append(key, value)
        output, _ = attention(query, self.keys, self.values, is_causal=True, scale=scale)
        return output

    def _grown(self, array: np.ndarray, capacity: int) -> np.ndarray:
        grown = _room_for(array, capacity)
        grown[..., : self._length, :] = array[..., : self._length, :]
        return grown


def _room_for(array: np.ndarray, capacity: int) -> np.ndarray:
    return np.empty((*array.shape[:-2], capacity, array.shape[-1]), dtype=array.dtype)


def _check_follows(name: str, chunk: np.ndarray, cached: np.ndarray) -> None:
    if chunk.dtype != cached.dtype:
        raise TypeError(f"{name} has dtype {chunk.dtype}; wanted {cached.dtype}, as cached")
    if chunk.shape[:-2] != cached.shape[:-2] or chunk.shape[-1] != cached.shape[-1]:
        wanted = (*cached.shape[:-2], "m", cached.shape[-1])
        raise ValueError(f"{name} has shape {chunk.shape}; wanted {wanted}, as cached")
