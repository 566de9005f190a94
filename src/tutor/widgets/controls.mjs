// Connects the inputs that controls.py makes.
import { store } from "./live.mjs";

/**
 * Let every input set its trait to the stop it stands at. `fit` takes the change and
 * returns it with what must change along with it. The Reset button sets all of
 * `names` back to what they are now.
 */
export function connectControls(model, root, speak, names, fit = (change) => change) {
  for (const input of root.querySelectorAll("[data-trait]")) {
    input.addEventListener("input", () => {
      store(model, fit({ [input.dataset.trait]: stopsOf(input)[input.value] }));
    });
    input.addEventListener("change", speak);
  }
  const first = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  root.querySelector("[data-part=reset]").addEventListener("click", () => {
    store(model, first);
    speak();
  });
}

/** Show where every input stands, and the value of each slider as `texts` writes it. */
export function drawControls(model, root, texts) {
  for (const input of root.querySelectorAll("[data-trait]")) {
    const name = input.dataset.trait;
    input.value = place(stopsOf(input), model.get(name));
    if (input.type !== "range") continue;
    input.setAttribute("aria-valuetext", texts[name]);
    input.previousElementSibling.textContent = texts[name];
  }
}

function stopsOf(input) {
  return JSON.parse(input.dataset.stops);
}

/** Where a text stands among the stops, or the stop nearest to a number, by ratio. */
export function place(stops, value) {
  if (typeof value === "string") return stops.indexOf(value);
  const distances = stops.map((stop) => Math.abs(Math.log(stop / value)));
  return distances.indexOf(Math.min(...distances));
}
