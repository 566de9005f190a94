"""Every known mistake, as code: a sentence, a hint, and the wrong numbers it gives.

A mistake is called like the function it gets wrong::

    mistakes.ATTENTION["scale-forgotten"](query, key, value)
"""

from tutor.mistakes.attention import FAMILY as ATTENTION
from tutor.mistakes.attention_entropy import FAMILY as ATTENTION_ENTROPY
from tutor.mistakes.attention_flops import FAMILY as ATTENTION_FLOPS
from tutor.mistakes.bank import Family, Mistake
from tutor.mistakes.cached_decode import FAMILY as CACHED_DECODE
from tutor.mistakes.causal_mask import FAMILY as CAUSAL_MASK
from tutor.mistakes.crossover_length import FAMILY as CROSSOVER_LENGTH
from tutor.mistakes.jacobian_norm import FAMILY as JACOBIAN_NORM
from tutor.mistakes.kv_cache_bytes import FAMILY as KV_CACHE_BYTES
from tutor.mistakes.masked_attention import FAMILY as MASKED_ATTENTION
from tutor.mistakes.padding_mask import FAMILY as PADDING_MASK
from tutor.mistakes.saturation_curve import FAMILY as SATURATION_CURVE
from tutor.mistakes.score_variance import FAMILY as SCORE_VARIANCE
from tutor.mistakes.soft_lookup import FAMILY as SOFT_LOOKUP
from tutor.mistakes.softmax import FAMILY as SOFTMAX
from tutor.mistakes.softmax_jacobian import FAMILY as SOFTMAX_JACOBIAN
from tutor.mistakes.theoretical_variance import FAMILY as THEORETICAL_VARIANCE
from tutor.mistakes.variance_experiment import FAMILY as VARIANCE_EXPERIMENT

__all__ = [
    "ATTENTION",
    "ATTENTION_ENTROPY",
    "ATTENTION_FLOPS",
    "CACHED_DECODE",
    "CAUSAL_MASK",
    "CROSSOVER_LENGTH",
    "JACOBIAN_NORM",
    "KV_CACHE_BYTES",
    "MASKED_ATTENTION",
    "PADDING_MASK",
    "SATURATION_CURVE",
    "SCORE_VARIANCE",
    "SOFTMAX",
    "SOFTMAX_JACOBIAN",
    "SOFT_LOOKUP",
    "THEORETICAL_VARIANCE",
    "VARIANCE_EXPERIMENT",
    "Family",
    "Mistake",
]
