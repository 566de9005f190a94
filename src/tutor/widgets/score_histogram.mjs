// Scores that spread with d_k; see score_histogram.py and score_figure.py.
import { entropy, softmax } from "./attention.mjs";
import { connectControls, drawControls } from "./controls.mjs";
import { announcer, interactive, tell } from "./live.mjs";
import { significant } from "./numbers.mjs";
import { rawScores } from "./sample.mjs";

const TRAITS = ["d_k", "sigma", "divide_by"];
const [LIMIT, BIN, LEFT, TOP, BASE] = [24, 7.5, 20, 12, 120];
const [STEP, COLUMN, ROW] = [15, 11, 16];
const NAMES = { nothing: "nothing", log: "log d_k", root: "√d_k", d_k: "d_k" };

export default interactive((model, root) => {
  const one = (name) => root.querySelector(`[data-part=${name}]`);
  const speak = announcer(one("announcement"), one("says"));
  connectControls(model, root, speak, TRAITS);
  return () => {
    const [dK, sigma, divideBy] = TRAITS.map((name) => model.get(name));
    const found = measure(dK, sigma, divideBy);
    one("bars").setAttribute("d", bars(found.counts));
    one("beyond").setAttribute("d", beyond(found.counts));
    one("curve").setAttribute("d", curve(found));
    one("weights").setAttribute("d", columns(found.weights));
    const settings = { d_k: dK.toLocaleString("en"), sigma: sigma.toFixed(2) };
    drawControls(model, root, settings);
    const texts = { ...settings, divisor: NAMES[divideBy], ...ends(found), ...numbers(found) };
    tell(root, fitting(found), texts);
  };
});

/** What the scores of the sample do; no theory where there is nothing to divide by. */
function measure(dK, sigma, divideBy) {
  const divisor = { nothing: 1, log: Math.log(dK), root: Math.sqrt(dK), d_k: dK }[divideBy];
  if (divisor === 0) return { counts: count([]), theory: null, weights: Array(ROW).fill(0) };
  const scores = rawScores(dK).map((score) => score * (sigma ** 2 / divisor));
  return {
    counts: count(scores),
    theory: (Math.sqrt(dK) * sigma ** 2) / divisor,
    measured: spread(scores),
    weights: softmax(scores.slice(0, ROW)),
  };
}

/** How many scores there are in each bin of width 1; the first and last are beyond. */
function count(scores) {
  const counts = Array(2 * LIMIT + 2).fill(0);
  for (const score of scores) {
    counts[Math.min(2 * LIMIT + 1, Math.max(0, Math.floor(score) + LIMIT + 1))]++;
  }
  return counts;
}

function spread(scores) {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
}

function total(counts) {
  return counts.reduce((sum, n) => sum + n, 0);
}

function height(n, counts) {
  const tallest = Math.max(1, ...counts.slice(1, -1));
  return (BASE - TOP) * Math.min(1, n / tallest);
}

function column(x, width, tall) {
  const [left, right, top] = [x, x + width, BASE - tall].map((pixels) => pixels.toFixed(1));
  return `M${left} ${BASE.toFixed(1)}V${top}H${right}V${BASE}Z`;
}

function bars(counts) {
  const inner = counts.slice(1, -1);
  const draw = (n, i) => (n ? column(LEFT + i * BIN, BIN - 1, height(n, counts)) : "");
  return inner.map(draw).join("");
}

function beyond(counts) {
  const ends = [[2, counts[0]], [LEFT + 2 * LIMIT * BIN + 6, counts.at(-1)]];
  return ends.map(([x, n]) => (n ? column(x, 12, height(n, counts)) : "")).join("");
}

function curve({ counts, theory }) {
  if (theory === null) return "";
  const peak = total(counts) / (theory * Math.sqrt(2 * Math.PI));
  const points = Array.from({ length: 4 * LIMIT + 1 }, (_, i) => {
    const score = i / 2 - LIMIT;
    const tall = height(peak * Math.exp(-((score / theory) ** 2) / 2), counts);
    return `${(LEFT + (score + LIMIT) * BIN).toFixed(1)} ${(BASE - tall).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

function columns(weights) {
  return weights.map((weight, i) => column(i * STEP + 2, COLUMN, (BASE - TOP) * weight)).join("");
}

function ends({ counts }) {
  const share = (n) => `${((100 * n) / Math.max(total(counts), 1)).toFixed(0)}%`;
  return { lower: share(counts[0]), upper: share(counts.at(-1)) };
}

function numbers({ theory, measured, weights }) {
  if (theory === null) {
    return { spread: "–", theory: "–", measured: "–", entropy: "–", largest: "–" };
  }
  return {
    spread: significant(theory, 2),
    theory: significant(theory, 3),
    measured: significant(measured, 3),
    entropy: entropy(weights).toFixed(2),
    largest: Math.max(...weights).toFixed(2),
  };
}

function fitting({ theory, weights }) {
  if (theory === null) return "undefined";
  const largest = Math.max(...weights);
  return largest >= 0.9 ? "alone" : largest < 0.1 ? "even" : "shared";
}
