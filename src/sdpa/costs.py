"""What attention costs, counted exactly: FLOPs and bytes as Python integers.

A multiply-add counts as 2 FLOPs. What is small beside the products (softmax, scaling,
masking, biases) is left out where the docstring says so.
"""

from __future__ import annotations

from sdpa import _arguments


def attention_flops(batch: int, seq: int, d_model: int) -> int:
    """Count the FLOPs of the two products, query @ key^T and weights @ value.

    4 batch seq^2 d_model,   2 products of batch seq^2 d_model multiply-adds

    The number of heads does not matter: h heads of d_model / h features cost as much as
    one of d_model. Softmax, scaling and the projections are not counted.

    Args:
        batch: sequences, >= 0.
        seq: tokens in each, >= 0; as many queries as keys, and no key is skipped.
        d_model: features of a token over all heads, >= 0.

    Raises:
        TypeError, ValueError: a size is no integer, or negative.

    Source: Hoffmann et al. 2022 (arXiv:2203.15556), appendix F.
    """
    batch, seq, d_model = _sizes(batch=batch, seq=seq, d_model=d_model)
    return 4 * batch * seq**2 * d_model


def projection_flops(batch: int, seq: int, d_model: int, d_kv: int | None = None) -> int:
    """Count the FLOPs of the four projections: query, key, value and output.

    4 batch seq d_model^2 for query and output, 4 batch seq d_model d_kv for key and value;
    8 batch seq d_model^2 together where d_kv = d_model.

    Args:
        batch, seq, d_model: as in :func:`attention_flops`; the projections have no biases.
        d_kv: features of keys, and of values, over all their heads; d_model where None,
            less where query heads share keys and values.

    Raises:
        TypeError, ValueError: a size is no integer, or negative.

    Source: Hoffmann et al. 2022 (arXiv:2203.15556), appendix F.
    """
    d_kv = d_model if d_kv is None else d_kv
    batch, seq, d_model, d_kv = _sizes(batch=batch, seq=seq, d_model=d_model, d_kv=d_kv)
    return 4 * batch * seq * d_model * (d_model + d_kv)


def score_bytes(batch: int, heads: int, seq: int, bytes_per_element: int) -> int:
    """Count the bytes of one layer's score matrices, where they are kept in memory.

    batch heads seq^2 bytes_per_element; the weights take as much again if both are kept.

    Args:
        batch: sequences, >= 0.
        heads: query heads, >= 0; each has a matrix of its own.
        seq: tokens, >= 0.
        bytes_per_element: 2 for float16 and bfloat16, 4 for float32; >= 1.

    Raises:
        TypeError, ValueError: a size is no integer, or out of range.

    Source: Dao et al. 2022 (arXiv:2205.14135), section 2.2, for what is kept and why not.
    """
    size = _arguments.count("bytes_per_element", bytes_per_element, minimum=1)
    batch, heads, seq = _sizes(batch=batch, heads=heads, seq=seq)
    return batch * heads * seq**2 * size


def kv_cache_bytes(
    layers: int, kv_heads: int, head_dim: int, seq: int, batch: int, bytes_per_element: int
) -> int:
    """Count the bytes of a cache that holds all keys and values.

    2 layers kv_heads head_dim seq batch bytes_per_element
    (2: keys and values)

    Args:
        layers: layers of the model, >= 0; each has a cache.
        kv_heads: heads of keys and values, >= 0: fewer than query heads where these share.
        head_dim: features of one head, >= 0.
        seq: tokens in the cache, >= 0.
        batch: sequences, >= 0.
        bytes_per_element: 2 for float16 and bfloat16, 4 for float32; >= 1.

    Raises:
        TypeError, ValueError: a size is no integer, or out of range.

    Source: Shazeer 2019 (arXiv:1911.02150), section 2.4, for what is kept and why.
    """
    size = _arguments.count("bytes_per_element", bytes_per_element, minimum=1)
    layers, kv_heads, head_dim, seq, batch = _sizes(
        layers=layers, kv_heads=kv_heads, head_dim=head_dim, seq=seq, batch=batch
    )
    return 2 * layers * kv_heads * head_dim * seq * batch * size


def crossover_length(d_model: int, d_kv: int | None = None) -> int:
    """Return the length at which the core costs as much as the four projections.

    4 b s^2 d = 4 b s d (d + d_kv)   where   s = d + d_kv,   2 d if d_kv = d

    Args:
        d_model: features of a token over all heads, >= 0.
        d_kv: as in :func:`projection_flops`.

    Returns:
        d_model + d_kv tokens: below it the projections cost more, above it the core.

    Raises:
        TypeError, ValueError: a size is no integer, or negative.

    Source: :func:`attention_flops` and :func:`projection_flops`, set equal.
    """
    d_kv = d_model if d_kv is None else d_kv
    return sum(_sizes(d_model=d_model, d_kv=d_kv))


def _sizes(**sizes: int) -> tuple[int, ...]:
    return tuple(_arguments.count(name, size) for name, size in sizes.items())
