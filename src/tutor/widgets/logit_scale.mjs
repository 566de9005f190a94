// A row of scores times a number; see logit_scale.py and logit_figure.py.
import { entropy, frobenius, softmax, softmaxJacobian } from "./attention.mjs";
import { drawBars, outline, shade, short } from "./cells.mjs";
import { connectControls, drawControls } from "./controls.mjs";
import { announcer, interactive, tell } from "./live.mjs";
import { significant } from "./numbers.mjs";

const LARGEST = 0.25;

export default interactive((model, root) => {
  const all = (name) => [...root.querySelectorAll(`[data-part=${name}]`)];
  const [bars, cells] = [all("bar"), all("cell")];
  const speak = announcer(...all("announcement"), ...all("says"));
  connectControls(model, root, speak, ["scale"]);
  return () => {
    const scale = model.get("scale");
    const weights = softmax(model.get("scores").map((score) => score * scale));
    const jacobian = softmaxJacobian(weights);
    drawBars(bars, weights);
    jacobian.flat().forEach((entry, i) => drawCell(cells[i], entry));
    drawControls(model, root, { scale: significant(scale, 3) });
    tell(root, fitting(weights), texts(scale, weights, jacobian));
  };
});

function drawCell(cell, entry) {
  const look = entry < 0 ? outline : shade;
  look(cell, Math.abs(entry) / LARGEST);
  cell.textContent = short(entry);
}

function fitting(weights) {
  if (entropy(weights) >= 0.98 * Math.log(weights.length)) return "flat";
  return Math.max(...weights) >= 0.95 ? "saturated" : "responsive";
}

function texts(scale, weights, jacobian) {
  const largest = Math.max(...weights);
  return {
    scale: significant(scale, 3),
    norm: frobenius(jacobian).toFixed(3),
    entropy: entropy(weights).toFixed(2),
    largest: largest.toFixed(2),
    best: weights.indexOf(largest) + 1,
  };
}
