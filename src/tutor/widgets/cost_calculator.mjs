// What attention costs; see cost_calculator.py and cost_figure.py.
import { connectControls, drawControls } from "./controls.mjs";
import { drawChart } from "./cost_chart.mjs";
import { costs, modelName, texts } from "./cost_numbers.mjs";
import { announcer, interactive, store, tell } from "./live.mjs";

const SIZES = ["d_model", "layers", "heads", "kv_heads"];
const TRAITS = [...SIZES, "batch", "context", "bytes_per_element", "hardware"];
const MOST_HEADS = 128;

export default interactive((model, root) => {
  const one = (name) => root.querySelector(`[data-part=${name}]`);
  const models = JSON.parse(one("known").dataset.models);
  const hardware = JSON.parse(one("known").dataset.hardware);
  const speak = announcer(one("announcement"), one("says"));
  const stateOf = () => Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]));
  connectControls(model, root, speak, TRAITS, (change) => fitHeads(stateOf(), change));
  one("model").addEventListener("input", () => store(model, models[one("model").value]));
  one("model").addEventListener("change", speak);
  return () => {
    const state = stateOf();
    const written = texts(state, models, hardware[state.hardware]);
    one("model").value = modelName(state, models);
    offer(root, "heads", divisors(state.d_model));
    offer(root, "kv_heads", divisors(state.heads));
    drawControls(model, root, written);
    drawChart(root, state);
    const { core, projections } = costs(state, state.context);
    tell(root, core > projections ? "core" : "projections", written);
  };
});

/** Along with a change, lower the heads to what divides what they are parts of. */
function fitHeads(state, change) {
  const { d_model, heads, kv_heads } = { ...state, ...change };
  const fitting = largestDivisor(d_model, heads);
  return { ...change, heads: fitting, kv_heads: largestDivisor(fitting, kv_heads) };
}

function largestDivisor(whole, most) {
  let part = Math.min(whole, most);
  while (whole % part) part--;
  return part;
}

function divisors(whole) {
  const parts = Array.from({ length: Math.min(whole, MOST_HEADS) }, (_, i) => i + 1);
  return parts.filter((part) => whole % part === 0);
}

function offer(root, name, stops) {
  const input = root.querySelector(`[data-trait=${name}]`);
  input.max = stops.length - 1;
  input.dataset.stops = JSON.stringify(stops);
}
