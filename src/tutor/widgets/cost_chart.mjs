// The calculator's chart; see cost_chart.py.
import { costs } from "./cost_numbers.mjs";

const CONTEXTS = Array.from({ length: 14 }, (_, i) => 2 ** (i + 7));
const [LEFT, RIGHT] = [66, 394];
const FLOPS = { top: 30, bottom: 166, highest: 1e20, lowest: 1e8 };
const BYTES = { top: 206, bottom: 330, highest: 2 ** 55, lowest: 2 ** 15 };

/** Move lines, dots and the marker to where the calculator's state has them. */
export function drawChart(root, state) {
  const one = (name) => root.querySelector(`[data-part=${name}]`);
  const layers = BigInt(state.layers);
  const amounts = {
    together: [FLOPS, ({ core, projections }) => layers * (core + projections)],
    projections: [FLOPS, ({ projections }) => layers * projections],
    core: [FLOPS, ({ core }) => layers * core],
    scores: [BYTES, ({ scores }) => scores],
    cache: [BYTES, ({ cache }) => cache],
  };
  const found = CONTEXTS.map((context) => costs(state, context));
  for (const [name, [panel, amount]] of Object.entries(amounts)) {
    one(name).setAttribute("d", line(found.map(amount), panel));
  }
  const here = costs(state, state.context);
  for (const name of ["together", "cache"]) {
    const [panel, amount] = amounts[name];
    one(`dot-${name}`).setAttribute("cx", xOf(state.context).toFixed(1));
    one(`dot-${name}`).setAttribute("cy", yOf(amount(here), panel).toFixed(1));
  }
  one("here").setAttribute("d", marker(xOf(state.context).toFixed(1)));
}

function xOf(context) {
  return LEFT + ((RIGHT - LEFT) * (Math.log2(context) - 7)) / 13;
}

function yOf(amount, { top, bottom, highest, lowest }) {
  const part = Math.log(highest / Number(amount)) / Math.log(highest / lowest);
  return top + (bottom - top) * Math.min(1, Math.max(0, part));
}

function line(amounts, panel) {
  const points = amounts.map((amount, i) =>
    `${xOf(CONTEXTS[i]).toFixed(1)} ${yOf(amount, panel).toFixed(1)}`);
  return `M${points.join("L")}`;
}

function marker(x) {
  return `M${x} ${FLOPS.top}V${FLOPS.bottom}M${x} ${BYTES.top}V${BYTES.bottom}`;
}
