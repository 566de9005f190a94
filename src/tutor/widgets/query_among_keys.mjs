// A query to move among keys in the plane; see query_among_keys.py.
import { blend, lookupWeights } from "./attention.mjs";
import { drawBars, setWeight } from "./cells.mjs";
import { announcer, interactive, store, tell } from "./live.mjs";

const STEP = 0.05;
const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export default interactive((model, root) => {
  const parts = findParts(root);
  const speak = announcer(parts.announcement, parts.says);
  const moveTo = (place) => store(model, { query: clamp(place, parts.limit) });
  connectPointer(parts.plane, moveTo, speak);
  connectKeys(parts.places, moveTo, () => model.get("query"));
  connectTemperature(model, parts.temperature, speak);
  connectReset(model, parts.reset, speak);
  return () => draw(model, parts);
});

function findParts(root) {
  const one = (name) => root.querySelector(`[data-part=${name}]`);
  const all = (name) => [...root.querySelectorAll(`[data-part=${name}]`)];
  const places = all("place");
  for (const input of places) input.hidden = false;
  return {
    ...{ plane: one("plane"), query: one("query"), arm: one("arm"), links: all("link") },
    ...{ bars: all("bar"), curves: all("curve"), says: one("says"), reset: one("reset") },
    ...{ outputs: all("output"), end: one("end"), curvePlot: one("curves") },
    ...{ temperature: one("temperature"), degree: one("degree"), places },
    ...{ limit: Number(places[0].max), announcement: one("announcement") },
  };
}

/** Keep a place inside the picture, at the two digits that the reader is told. */
function clamp(place, limit) {
  const inside = (entry) => Math.min(limit, Math.max(-limit, entry));
  return place.map((entry) => Math.round(inside(entry) * 100) / 100);
}

function connectPointer(plane, moveTo, speak) {
  const svg = plane.querySelector("svg");
  const follow = (event) => moveTo(placeUnder(event, svg));
  svg.addEventListener("pointerdown", (event) => {
    // Elsewhere than on the query a finger scrolls the page.
    if (event.pointerType !== "mouse" && !event.target.closest("[data-drag]")) return;
    svg.setPointerCapture(event.pointerId);
    plane.querySelector("input").focus({ preventScroll: true });
    event.preventDefault();
    follow(event);
  });
  svg.addEventListener("pointermove", (event) => {
    if (svg.hasPointerCapture(event.pointerId)) follow(event);
  });
  svg.addEventListener("click", (event) => {
    if (event.pointerType !== "mouse") follow(event); // a tap
  });
  svg.addEventListener("pointerup", speak);
}

/** Where in the plane the pointer is, in the keys' unit. */
function placeUnder(event, svg) {
  const toDrawing = svg.querySelector("g").getScreenCTM().inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toDrawing);
  const scale = Number(svg.dataset.scale);
  return [x / scale, -y / scale];
}

function connectKeys(places, moveTo, query) {
  for (const input of places) {
    input.addEventListener("input", () => moveTo(places.map((place) => Number(place.value))));
    input.addEventListener("keydown", (event) => {
      const arrow = ARROWS[event.key];
      if (!arrow) return;
      event.preventDefault();
      moveTo(query().map((entry, axis) => entry + STEP * arrow[axis]));
    });
  }
}

function connectTemperature(model, input, speak) {
  const stops = JSON.parse(input.dataset.stops);
  input.addEventListener("input", () => store(model, { temperature: stops[input.value] }));
  input.addEventListener("change", speak);
}

function connectReset(model, button, speak) {
  const first = { query: model.get("query"), temperature: model.get("temperature") };
  button.addEventListener("click", () => {
    store(model, first);
    speak();
  });
}

function draw(model, parts) {
  const [query, temperature] = [model.get("query"), model.get("temperature")];
  const weights = lookupWeights(query, model.get("key"), temperature);
  drawPlane(parts, query, weights);
  drawBars(parts.bars, weights);
  drawCurves(parts, weights, blend(weights, model.get("value")));
  drawTemperature(parts, temperature);
  const best = weights.indexOf(Math.max(...weights));
  const label = model.get("labels")[best];
  tell(parts.says, fitting(weights), { label, percent: percent(weights[best]) });
  const [x, y] = parts.places;
  x.setAttribute("aria-valuetext", placeText(query[0], weights[best], label));
  y.setAttribute("aria-valuetext", placeText(query[1], weights[best], label));
}

/** Which of the three sentences fits the weights. */
function fitting(weights) {
  const [largest, smallest] = [Math.max(...weights), Math.min(...weights)];
  if (largest - smallest < 0.02) return "even";
  return largest >= 0.995 ? "alone" : "most";
}

function placeText(entry, weight, label) {
  return `${entry.toFixed(2)}; most weight, ${percent(weight)}, on ${label}`;
}

function percent(weight) {
  return `${(100 * weight).toFixed(weight >= 0.995 ? 1 : 0)}%`;
}

function drawPlane({ plane, query: mark, arm, links, places }, query, weights) {
  const svg = plane.querySelector("svg");
  const [x, y] = [query[0] * svg.dataset.scale, -query[1] * svg.dataset.scale];
  const { width, height } = svg.viewBox.baseVal;
  plane.style.setProperty("--x", `${(50 + (100 * x) / width).toFixed(1)}%`);
  plane.style.setProperty("--y", `${(50 + (100 * y) / height).toFixed(1)}%`);
  mark.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  arm.setAttribute("d", `M0 0L${x.toFixed(1)} ${y.toFixed(1)}`);
  links.forEach((link, i) => {
    link.setAttribute("d", `M${x.toFixed(1)} ${y.toFixed(1)}L${link.dataset.key}`);
    setWeight(link, weights[i]);
  });
  places.forEach((input, axis) => (input.value = query[axis]));
}

function drawCurves({ curves, outputs, end, curvePlot }, weights, output) {
  curves.forEach((curve, i) => setWeight(curve, weights[i]));
  const points = curvePoints(output, curvePlot.dataset);
  for (const path of outputs) path.setAttribute("d", smooth(points));
  const [x, y] = points.at(-1);
  end.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}

/** Pixels of a value's entries; one entry is drawn as a level line. */
function curvePoints(value, { left, step, middle, scale }) {
  const entries = value.length === 1 ? [value[0], value[0]] : value;
  return entries.map((entry, i) => [Number(left) + i * step, middle - entry * scale]);
}

/** A Catmull-Rom curve through the points, as Bezier pieces. */
function smooth(points) {
  const at = (i) => points[Math.min(Math.max(i, 0), points.length - 1)];
  const pair = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const handle = (i, j, sign) => pair(
    at(i)[0] + (sign * (at(j + 1)[0] - at(j - 1)[0])) / 6,
    at(i)[1] + (sign * (at(j + 1)[1] - at(j - 1)[1])) / 6,
  );
  const pieces = points.slice(1).map((point, i) =>
    `C${handle(i, i, 1)} ${handle(i + 1, i + 1, -1)} ${pair(...point)}`);
  return `M${pair(...points[0])}${pieces.join("")}`;
}

function drawTemperature({ temperature: input, degree }, temperature) {
  const stops = JSON.parse(input.dataset.stops);
  const distance = (stop) => Math.abs(Math.log(stop / temperature));
  const text = String(Number(temperature.toPrecision(3)));
  input.value = stops.findIndex((stop) => distance(stop) === Math.min(...stops.map(distance)));
  input.setAttribute("aria-valuetext", text);
  degree.textContent = text;
}
