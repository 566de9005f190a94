"""The markup of :class:`tutor.widgets.CostCalculator`; cost_calculator.mjs updates it."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping

from tutor.widgets import controls
from tutor.widgets.cost_chart import CONTEXTS, chart
from tutor.widgets.cost_data import HARDWARE, MODELS
from tutor.widgets.cost_numbers import CUSTOM, costs_of, model_name, texts
from tutor.widgets.frame import Slots, cases, facts, frame

D_MODELS = (
    *(64, 128, 256, 512, 768, 1024, 1536, 2048),
    *(3072, 4096, 5120, 6144, 8192, 12288, 16384),
)
LAYERS = (1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 128)
BATCHES = tuple(2**i for i in range(9))
MOST_HEADS = 128
WIDTHS = {2: "2: bf16, fp16", 4: "4: fp32", 1: "1: fp8, int8"}


def markup(**state) -> str:
    """Return the widget's HTML for this state; arguments as the widget's traits."""
    slots = Slots(texts(state))
    content = f"""\
<div class="tw-columns" data-part="known" data-models="{_json(MODELS)}" \
data-hardware="{_json(HARDWARE)}">
<div class="tw-controls tw-settings">{_controls(state)}</div>
<div>{_setting(slots)}
{_facts(slots)}
{chart(state)}</div></div>
<div class="tw-counts">{_table(slots)}{_formulas(slots)}</div>"""
    found = costs_of(state, state["context"])
    return frame(
        "tw-costs",
        label="What attention costs",
        title="What does attention cost?",
        hint="move one thing at a time",
        content=content,
        says=_sentences(slots, "core" if found.core > found.projections else "projections"),
    )


def divisors(whole: int) -> list[int]:
    """Return the counts of heads that a slider offers: those that divide the whole."""
    return [part for part in range(1, min(whole, MOST_HEADS) + 1) if whole % part == 0]


def _json(known: Mapping) -> str:
    return html.escape(json.dumps(known))


def _controls(state: Mapping) -> str:
    counts = {
        "context": ("Context, tokens", CONTEXTS),
        "d_model": ("<i>d</i>, over all heads", D_MODELS),
        "layers": ("Layers", LAYERS),
        "heads": ("Query heads", divisors(state["d_model"])),
        "kv_heads": ("Key-value heads", divisors(state["heads"])),
        "batch": ("Sequences", BATCHES),
    }
    sliders = "".join(
        controls.slider(name, label, stops, state[name], f"{state[name]:,}")
        for name, (label, stops) in counts.items()
    )
    choices = {
        "bytes_per_element": ("Bytes an element", WIDTHS),
        "hardware": ("Hardware", {name: name for name in HARDWARE}),
    }
    selects = "".join(
        controls.select(name, label, options, state[name])
        for name, (label, options) in choices.items()
    )
    return f"{_models(model_name(state))}{sliders}{selects}{controls.RESET}"


def _models(chosen: str) -> str:
    """Return the choice of a model, which sets several traits; its own no one can choose."""
    options = "".join(
        f"<option{' selected' if name == chosen else ''}"
        f"{' disabled' if name == CUSTOM else ''}>{name}</option>"
        for name in (*MODELS, CUSTOM)
    )
    return (
        '<label class="tw-setting"><span>Model</span>'
        f'<select data-part="model">{options}</select></label>'
    )


def _setting(slots: Slots) -> str:
    return (
        f'<p class="tw-caption">{slots("model")}: <i>d</i> = {slots("d_model")},'
        f" {slots('layers')} layers, {slots('heads')} heads of {slots('head_dim')},"
        f" {slots('kv_heads')} with keys and values of their own. {slots('batch')} × "
        f"{slots('context')} tokens, {slots('bytes_per_element')} bytes an element."
        f" {slots('hardware')}: {slots('peak')} TFLOP/s in dense bf16, {slots('bandwidth')} TB/s,"
        f" ridge at {slots('ridge')} FLOP/byte.</p>"
    )


def _facts(slots: Slots) -> str:
    return facts(
        {
            "KV cache": slots("cache_all"),
            "Cache a token": slots("token"),
            "Prefill, all layers": slots("together_all"),
            "Prefill takes at least": slots("prefill"),
            "A new token at least": slots("decode"),
        }
    )


def _table(slots: Slots) -> str:
    rows = {
        "Core: scores and blend": ("core", "core_all"),
        "Projections: Q, K, V, O": ("projections", "projections_all"),
        "Both": ("together", "together_all"),
        "Scores, if stored": ("scores", None),
        "KV cache": ("cache", "cache_all"),
    }
    lines = "".join(
        f'<tr><th scope="row">{name}</th><td>{slots(one)}</td>'
        f"<td>{slots(all_) if all_ else 'one at a time'}</td></tr>"
        for name, (one, all_) in rows.items()
    )
    return (
        '<table class="tw-table"><thead><tr><th scope="col">Prefill</th>'
        f'<th scope="col">one layer</th><th scope="col">all layers</th></tr></thead>'
        f"<tbody>{lines}</tbody></table>"
    )


def _formulas(slots: Slots) -> str:
    """Return the two counts in full, factor by factor."""
    return f"""
<div class="tw-formulas"><p>Core: 4 × {slots("batch")} × {slots("context")}² × \
{slots("d_model")} × {slots("layers")} layers = {slots("exact_core")} FLOP</p>
<p>Cache: (<b class="ik">● 1 key</b> + <b class="iv">■ 1 value</b>) × {slots("layers")} layers × \
{slots("kv_heads")} heads × {slots("head_dim")} × {slots("context")} tokens × {slots("batch")} × \
{slots("bytes_per_element")} bytes = {slots("exact_cache")} bytes</p>
<p>1 GFLOP = 10⁹ FLOP, a multiply-add is 2; 1 GiB = 2³⁰ bytes. Softmax, weights and the rest of \
the model are not counted.</p></div>"""


def _sentences(slots: Slots, case: str) -> str:
    start = f"At {slots('context')} tokens the core takes {slots('share')} of attention’s FLOPs"
    read = (
        f'and each new token has to read {slots("cache_all")} of <b class="ik">keys</b> and'
        f' <b class="iv">values</b>: at least {slots("decode")}.'
    )
    sentences = {
        "projections": f"{start} (it overtakes the projections at {slots('crossover')}), {read}",
        "core": f"{start} (it overtook the projections at {slots('crossover')}), {read}",
    }
    return cases(sentences, case)
