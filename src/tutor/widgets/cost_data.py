"""Models and hardware that the calculator knows by name."""

from __future__ import annotations

# Llama 3: arXiv:2407.21783, table 3. Llama 2: arXiv:2307.09288, section 2.2 and the
# released params.json. GPT-2 small: Radford et al. 2019, table 2, and the released
# hparams.json. The toy is the one layer that lesson 5 counts by hand.
MODELS = {
    "Llama 3 8B": {"d_model": 4096, "layers": 32, "heads": 32, "kv_heads": 8},
    "Llama 2 7B": {"d_model": 4096, "layers": 32, "heads": 32, "kv_heads": 32},
    "GPT-2 small": {"d_model": 768, "layers": 12, "heads": 12, "kv_heads": 12},
    "Toy: one layer, one head": {"d_model": 4096, "layers": 1, "heads": 1, "kv_heads": 1},
}

# FLOP/s at the peak of dense bfloat16 products, and bytes/s of memory, as the vendor's
# data sheets give them: H100 Tensor Core GPU (SXM: 1,979 TFLOP/s are with sparsity, half
# without), A100 80GB (SXM), and the Ada GPU Architecture white paper for the RTX 4090.
HARDWARE = {
    "H100 SXM": {"flops": 989e12, "bandwidth": 3.35e12},
    "A100 80GB": {"flops": 312e12, "bandwidth": 2.04e12},
    "RTX 4090": {"flops": 165e12, "bandwidth": 1.01e12},
}
