// Weights as lengths and inks; see cells.py.

const STRONG = 0.55;

export function setWeight(element, weight) {
  element.style.setProperty("--w", weight.toFixed(3));
}

/** Draw bars of which each has a number, [data-part=weight]. */
export function drawBars(bars, weights) {
  bars.forEach((bar, i) => {
    setWeight(bar, weights[i]);
    bar.querySelector("[data-part=weight]").textContent = weights[i].toFixed(2);
  });
}

/** Fill a cell with ink of this level, 0 to 1. */
export function shade(cell, level) {
  cell.className = level >= STRONG ? "tw-cell tw-strong" : "tw-cell";
  setWeight(cell, level);
}

/** Give a cell a frame of this level, 0 to 1. */
export function outline(cell, level) {
  cell.className = "tw-cell tw-outlined";
  setWeight(cell, level);
}

/** A number of at most 1 with two decimals, as narrow as can be: .21, −.08. */
export function short(number) {
  const digits = Math.abs(number).toFixed(2);
  const sign = number < 0 && digits !== "0.00" ? "−" : "";
  return sign + digits.replace(/^0/, "");
}
