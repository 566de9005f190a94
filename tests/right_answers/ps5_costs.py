"""Right answers to problem set 5, written differently: FUNCTION__style."""

import math

import numpy as np
import scipy.special
import torch


def attention_flops__products(batch, seq, d_model):
    scores = 2 * batch * seq * seq * d_model
    mixing = 2 * batch * seq * seq * d_model
    return scores + mixing


def attention_flops__float(batch, seq, d_model):
    return 4.0 * batch * seq**2 * d_model


def attention_flops__numpy(batch, seq, d_model):
    return np.prod(np.array([4, batch, seq, seq, d_model], dtype=np.int64))


def attention_flops__math(batch, seq, d_model):
    return math.prod((2, 2, batch, seq, seq, d_model))


def attention_flops__sum(batch, seq, d_model):
    return sum(2 * seq * d_model * seq + 2 * seq * seq * d_model for _ in range(batch))


def attention_flops__array(batch, seq, d_model):
    return np.array(4 * batch * d_model * seq**2)


def attention_flops__heads(batch, seq, d_model, heads=1):
    return heads * batch * 2 * (2 * seq * seq * (d_model // heads))


def attention_flops__torch(batch, seq, d_model):
    return torch.tensor([batch, seq, seq, d_model]).prod() * 4


def kv_cache_bytes__per_token(layers, kv_heads, head_dim, seq, batch, bytes_per_element):
    per_token = 2 * layers * kv_heads * head_dim * bytes_per_element
    return per_token * seq * batch


def kv_cache_bytes__sum(layers, kv_heads, head_dim, seq, batch, bytes_per_element):
    keys = layers * kv_heads * head_dim * seq * batch
    return (keys + keys) * bytes_per_element


def kv_cache_bytes__float(layers, kv_heads, head_dim, seq, batch, bytes_per_element):
    return float(layers) * kv_heads * head_dim * seq * batch * bytes_per_element * 2


def kv_cache_bytes__numpy(layers, kv_heads, head_dim, seq, batch, bytes_per_element):
    sizes = [2, layers, kv_heads, head_dim, seq, batch, bytes_per_element]
    return np.multiply.reduce(np.array(sizes, dtype=np.int64))


def kv_cache_bytes__math(layers, kv_heads, head_dim, seq, batch, bytes_per_element):
    return math.prod([layers, 2, kv_heads, head_dim, seq, batch, bytes_per_element])


def kv_cache_bytes__bits(layers, kv_heads, head_dim, seq, batch, bytes_per_element):
    bits = 16 * layers * kv_heads * head_dim * seq * batch * bytes_per_element
    return bits / 8


def kv_cache_bytes__loop(layers, kv_heads, head_dim, seq, batch, bytes_per_element):
    return sum(2 * kv_heads * head_dim * bytes_per_element for _ in range(layers)) * seq * batch


def crossover_length__algebra(d_model):
    return 8 * d_model**2 / (4 * d_model)


def crossover_length__whole(d_model):
    return (8 * d_model**2) // (4 * d_model)


def crossover_length__added(d_model):
    return d_model + d_model


def crossover_length__numpy(d_model):
    return np.int64(2) * d_model


def crossover_length__search(d_model):
    s = 1
    while 4 * s**2 * d_model < 8 * s * d_model**2:
        s += 1
    return s


def crossover_length__shift(d_model):
    return d_model << 1


def crossover_length__array(d_model):
    return np.array(2.0 * d_model)


def cached_decode__lists(queries, keys, values, prefill=1):
    queries, keys, values = (np.asarray(a, dtype=float) for a in (queries, keys, values))
    cache_k, cache_v, rows = list(keys[:prefill]), list(values[:prefill]), []
    scale = math.sqrt(queries.shape[1])
    for i in range(prefill):
        weights = scipy.special.softmax(keys[: i + 1] @ queries[i] / scale)
        rows.append(weights @ values[: i + 1])
    for i in range(prefill, len(queries)):
        cache_k.append(keys[i])
        cache_v.append(values[i])
        weights = scipy.special.softmax(np.stack(cache_k) @ queries[i] / scale)
        rows.append(weights @ np.stack(cache_v))
    return rows


def cached_decode__preallocated(queries, keys, values, prefill=1):
    queries, keys, values = (np.asarray(a, dtype=float) for a in (queries, keys, values))
    cache_k, cache_v = np.empty_like(keys), np.empty_like(values)
    output, length = np.empty(values.shape), 0
    chunks = [slice(0, prefill)] + [slice(i, i + 1) for i in range(prefill, len(queries))]
    for chunk in chunks:
        cache_k[chunk], cache_v[chunk] = keys[chunk], values[chunk]
        length = chunk.stop
        scores = queries[chunk] @ cache_k[:length].T / np.sqrt(keys.shape[-1])
        n_q = chunk.stop - chunk.start
        scores = np.where(np.tri(n_q, length, length - n_q, dtype=bool), scores, -np.inf)
        output[chunk] = scipy.special.softmax(scores, axis=-1) @ cache_v[:length]
    return output


def cached_decode__full(queries, keys, values, prefill=1):
    q, k, v = (np.asarray(a, dtype=float) for a in (queries, keys, values))
    scores = np.where(np.tri(len(q), dtype=bool), q @ k.T / q.shape[1] ** 0.5, -np.inf)
    e = np.exp(scores - scores.max(1)[:, None])
    return (e / e.sum(1)[:, None]) @ v


def cached_decode__torch(queries, keys, values, prefill=1):
    q, k, v = (torch.tensor(np.array(a, dtype=float)) for a in (queries, keys, values))
    sdpa = torch.nn.functional.scaled_dot_product_attention
    first = slice(0, int(prefill))
    outputs = [sdpa(q[None, first], k[None, first], v[None, first], is_causal=True)[0]]
    cache_k, cache_v = k[first], v[first]
    for i in range(int(prefill), len(q)):
        cache_k = torch.cat([cache_k, k[i : i + 1]])
        cache_v = torch.cat([cache_v, v[i : i + 1]])
        outputs.append(sdpa(q[None, i : i + 1], cache_k[None], cache_v[None])[0])
    return torch.cat(outputs)


def cached_decode__float32(queries, keys, values, prefill=1):
    q, k, v = (np.array(a, dtype=np.float32) for a in (queries, keys, values))
    q = q / np.sqrt(np.float32(q.shape[-1]))
    rows = []
    for i in range(len(q)):
        scores = k[: i + 1] @ q[i]
        e = np.exp(scores - scores.max())
        rows.append(e @ v[: i + 1] / e.sum())
    return np.array(rows)


def cached_decode__online(queries, keys, values, prefill=1):
    q, k, v = (np.asarray(a, dtype=float) for a in (queries, keys, values))
    result = []
    for i, query in enumerate(q):
        top, total, blend = -math.inf, 0.0, np.zeros(v.shape[1])
        for key, value in zip(k[: i + 1], v[: i + 1], strict=True):
            score = query @ key / math.sqrt(len(query))
            new = max(top, score)
            total = total * math.exp(top - new) + math.exp(score - new)
            blend = blend * math.exp(top - new) + math.exp(score - new) * value
            top = new
        result.append(blend / total)
    return np.vstack(result)


def cached_decode__einsum(queries, keys, values, prefill=1):
    q, k, v = (np.asarray(a, dtype=float) for a in (queries, keys, values))
    scores = np.einsum("qd,kd->qk", q * q.shape[1] ** -0.25, k * k.shape[1] ** -0.25)
    scores[np.triu_indices(len(q), 1)] = -np.inf
    weights = np.exp(scores - scipy.special.logsumexp(scores, axis=1, keepdims=True))
    return np.einsum("qk,kv->qv", weights, v)
