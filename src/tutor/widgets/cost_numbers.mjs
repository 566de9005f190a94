// The calculator's numbers as text; see cost_numbers.py.
import { attentionFlops, crossoverLength, projectionFlops } from "./cost_arithmetic.mjs";
import { kvCacheBytes, scoreBytes } from "./cost_arithmetic.mjs";
import { bytes, flops, seconds } from "./units.mjs";

const CUSTOM = "Your own";
const COUNTS = [
  ...["d_model", "layers", "heads", "kv_heads"],
  ...["batch", "context", "bytes_per_element"],
];

/** Exact counts at this context, of one layer but for the cache, which is that of all. */
export function costs(state, context) {
  const [d, layers, heads, kvHeads, batch, , width] = COUNTS.map((name) => BigInt(state[name]));
  const [s, headDim] = [BigInt(context), d / heads];
  const dKv = kvHeads * headDim;
  return {
    core: attentionFlops(batch, s, d),
    projections: projectionFlops(batch, s, d, dKv),
    scores: scoreBytes(batch, heads, s, width),
    cache: kvCacheBytes(layers, kvHeads, headDim, s, batch, width),
    crossover: crossoverLength(d, dKv),
  };
}

/** The name of the known model with these sizes, if there is one. */
export function modelName(state, models) {
  const isIt = ([, sizes]) => Object.entries(sizes).every(([size, value]) => state[size] === value);
  return Object.entries(models).find(isIt)?.[0] ?? CUSTOM;
}

/** Everything that the calculator writes, by the name of its slot. */
export function texts(state, models, machine) {
  const found = costs(state, state.context);
  const layers = BigInt(state.layers);
  const together = found.core + found.projections;
  return {
    ...settings(state, models),
    ...limits(machine, layers * together, found.cache),
    core: flops(found.core),
    projections: flops(found.projections),
    together: flops(together),
    core_all: flops(layers * found.core),
    projections_all: flops(layers * found.projections),
    together_all: flops(layers * together),
    scores: bytes(found.scores),
    cache: bytes(found.cache / layers),
    cache_all: bytes(found.cache),
    token: bytes(found.cache / BigInt(state.context * state.batch)),
    share: `${((100 * Number(found.core)) / Number(together)).toFixed(0)}%`,
    crossover: found.crossover.toLocaleString("en"),
    exact_core: (layers * found.core).toLocaleString("en"),
    exact_cache: found.cache.toLocaleString("en"),
  };
}

function settings(state, models) {
  const counts = COUNTS.map((name) => [name, state[name].toLocaleString("en")]);
  return {
    ...Object.fromEntries(counts),
    head_dim: Math.floor(state.d_model / state.heads).toLocaleString("en"),
    model: modelName(state, models),
    hardware: state.hardware,
  };
}

function limits(machine, operations, cache) {
  return {
    peak: (machine.flops / 1e12).toFixed(0),
    bandwidth: (machine.bandwidth / 1e12).toFixed(2),
    ridge: (machine.flops / machine.bandwidth).toFixed(0),
    prefill: seconds(Number(operations) / machine.flops),
    decode: seconds(Number(cache) / machine.bandwidth),
  };
}
