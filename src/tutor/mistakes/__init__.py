"""Every known mistake, as code: a sentence, a hint, and the wrong numbers it gives.

A mistake is called like the function it gets wrong::

    mistakes.ATTENTION["scale-forgotten"](query, key, value)
"""

from tutor.mistakes.attention import FAMILY as ATTENTION
from tutor.mistakes.bank import Family, Mistake
from tutor.mistakes.costs import ATTENTION_FLOPS, CROSSOVER_LENGTH, KV_CACHE_BYTES
from tutor.mistakes.decoding import FAMILY as CACHED_DECODE
from tutor.mistakes.experiments import SATURATION_CURVE, VARIANCE_EXPERIMENT
from tutor.mistakes.lookup import FAMILY as SOFT_LOOKUP
from tutor.mistakes.masked_attention import FAMILY as MASKED_ATTENTION
from tutor.mistakes.masks import CAUSAL_MASK, PADDING_MASK
from tutor.mistakes.saturation import ATTENTION_ENTROPY, JACOBIAN_NORM, SOFTMAX_JACOBIAN
from tutor.mistakes.softmax import FAMILY as SOFTMAX
from tutor.mistakes.variance import SCORE_VARIANCE, THEORETICAL_VARIANCE

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
