"""Time our attention against torch's, side by side.

Usage: python benchmarks/attention.py [--device cuda] [--rounds 15]. For each size all
contenders run in turn, round after round; the table gives the median time of torch's
function in milliseconds, and the median of each other one's ratio to it in the same
round.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import torch

import sdpa
import sdpa.pytorch

SIZES = [(1, 8, 128, 64), (1, 8, 512, 64), (1, 8, 1024, 64)]  # batch, heads, tokens, head_dim


def contenders(size: tuple[int, ...], device: str) -> dict[str, Callable]:
    """Return functions of no arguments that all compute the same attention."""
    generator = torch.Generator().manual_seed(0)
    tensors = [torch.randn(size, generator=generator).to(device) for _ in range(3)]
    arrays = [tensor.cpu().numpy() for tensor in tensors]
    return {
        "torch": lambda: torch.nn.functional.scaled_dot_product_attention(*tensors),
        "sdpa.pytorch": lambda: sdpa.pytorch.attention(*tensors),
        "sdpa": lambda: sdpa.attention(*arrays),
    }


def seconds(function: Callable, device: str) -> float:
    """Return how long one call takes, the device's work included."""
    if device == "cuda":
        torch.cuda.synchronize()
    started = time.perf_counter()
    function()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - started


def compare(size: tuple[int, ...], device: str, rounds: int) -> tuple[float, dict[str, float]]:
    """Return torch's median time and the others' median ratios to it."""
    functions = contenders(size, device)
    for function in functions.values():
        function()  # the first call allocates and compiles
    times = [{name: seconds(f, device) for name, f in functions.items()} for _ in range(rounds)]
    ratios = {
        name: statistics.median(round_[name] / round_["torch"] for round_ in times)
        for name in functions
    }
    return statistics.median(round_["torch"] for round_ in times), ratios


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    print(f"float32 on {options.device}; times as multiples of torch's")
    print(f"{'batch, heads, tokens, head_dim':32}{'torch, ms':>12}{'sdpa.pytorch':>14}{'sdpa':>8}")
    for size in SIZES:
        base, ratios = compare(size, options.device, options.rounds)
        row = f"{ratios['sdpa.pytorch']:14.2f}{ratios['sdpa']:8.2f}"
        print(f"{size!s:32}{1e3 * base:12.2f}{row}", flush=True)


if __name__ == "__main__":
    main()
