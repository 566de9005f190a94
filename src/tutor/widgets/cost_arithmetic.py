"""What attention costs, in exact integers; cost_arithmetic.mjs has the same.

A multiply-add counts as 2 FLOPs; softmax, scaling and masking are left out. ``d_kv`` is
kv_heads * head_dim: d_model where every head has its own keys and values.
"""

from __future__ import annotations


def attention_flops(batch: int, seq: int, d_model: int) -> int:
    """Count the two products of one layer, scores and blend: 4 b s^2 d."""
    return 4 * batch * seq**2 * d_model


def projection_flops(batch: int, seq: int, d_model: int, d_kv: int) -> int:
    """Count the four projections of one layer: 4 b s d^2 + 4 b s d d_kv (8 b s d^2 in full)."""
    return 4 * batch * seq * d_model * (d_model + d_kv)


def crossover_length(d_model: int, d_kv: int) -> int:
    """Return the length at which the two cost the same: d + d_kv (2 d in full)."""
    return d_model + d_kv


def score_bytes(batch: int, heads: int, seq: int, bytes_per_element: int) -> int:
    """Count the bytes of one layer's scores, if they are kept: b h s^2 elements."""
    return batch * heads * seq**2 * bytes_per_element


def kv_cache_bytes(
    layers: int, kv_heads: int, head_dim: int, seq: int, batch: int, bytes_per_element: int
) -> int:
    """Count the bytes of all keys and values: 2 layers kv_heads head_dim s b elements."""
    return 2 * layers * kv_heads * head_dim * seq * batch * bytes_per_element
