// A mask to paint; see mask_painter.py and mask_figure.py.
import { shade, short, setWeight } from "./cells.mjs";
import { announcer, interactive, store, tell } from "./live.mjs";
import { isSame, maskedWeights, pattern } from "./patterns.mjs";

const ARROWS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

export default interactive((model, root) => {
  const board = findBoard(root);
  const one = (name) => root.querySelector(`[data-part=${name}]`);
  const speak = announcer(one("announcement"), one("says"));
  const draw = () => drawAll(model, root, board);
  const paint = (places, value) => {
    const allowed = model.get("allowed").map((row) => [...row]);
    for (const [i, j] of places) allowed[i][j] = value;
    board.current = places.at(-1);
    store(model, { allowed });
    draw(); // a place painted as it was is current now
  };
  connectPointer(board, () => model.get("allowed"), paint, speak);
  connectKeys(board, draw);
  connectPatterns(model, root, board, speak);
  return draw;
});

/** The cells as rows of buttons, and which of them is current: the one that Tab finds. */
function findBoard(root) {
  const grid = root.querySelector("[data-part=grid]");
  const rows = [...grid.querySelectorAll("[role=row]")].slice(1);
  const cells = rows.map((row) => [...row.querySelectorAll("button")]);
  const placeOf = (button) => {
    const i = cells.findIndex((row) => row.includes(button));
    return i < 0 ? null : [i, cells[i].indexOf(button)];
  };
  const sums = [...grid.querySelectorAll("[data-part=sum]")];
  return { grid, cells, sums, placeOf, current: placeOf(grid.querySelector("[tabindex='0']")) };
}

/** A stroke paints every cell it enters as it paints its first; a click is a short one. */
function connectPointer(board, allowed, paint, speak) {
  let stroke = null;
  const placeUnder = ({ clientX, clientY }) =>
    board.placeOf(document.elementFromPoint(clientX, clientY)?.closest("button"));
  board.grid.addEventListener("pointerdown", (event) => {
    const place = placeUnder(event);
    stroke = place && { last: place, value: !allowed()[place[0]][place[1]], hasLeft: false };
  });
  board.grid.addEventListener("pointermove", (event) => {
    if (!stroke || !event.buttons) return;
    const place = placeUnder(event);
    if (!place || isSame([place], [stroke.last])) return;
    paint(stroke.hasLeft ? [place] : [stroke.last, place], stroke.value);
    Object.assign(stroke, { last: place, hasLeft: true });
  });
  board.grid.addEventListener("pointerup", () => stroke?.hasLeft && speak());
  board.grid.addEventListener("click", (event) => {
    const place = board.placeOf(event.target);
    const ended = stroke;
    stroke = null;
    if (!place || ended?.hasLeft) return; // the click that ends a stroke
    paint([place], !allowed()[place[0]][place[1]]);
    speak();
  });
}

function connectKeys(board, draw) {
  board.grid.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow) return;
    event.preventDefault();
    const within = (entry, length) => Math.min(length - 1, Math.max(0, entry));
    const [i, j] = board.current.map((entry, axis) => entry + arrow[axis]);
    const row = board.cells[within(i, board.cells.length)];
    row[within(j, row.length)].focus();
  });
  board.grid.addEventListener("focusin", (event) => {
    board.current = board.placeOf(event.target);
    draw();
  });
}

function connectPatterns(model, root, board, speak) {
  const first = { allowed: model.get("allowed"), current: board.current };
  const show = (allowed) => {
    store(model, { allowed });
    speak();
  };
  for (const button of root.querySelectorAll("[data-pattern]")) {
    const { length: nQ, 0: { length: nK } } = board.cells;
    button.addEventListener("click", () => show(pattern(button.dataset.pattern, nQ, nK)));
  }
  root.querySelector("[data-part=reset]").addEventListener("click", () => {
    board.current = first.current;
    // Only a change of the model draws, and the mask may be the first one still.
    show(first.allowed.map((row) => [...row]));
  });
}

function drawAll(model, root, board) {
  const allowed = model.get("allowed");
  const weights = maskedWeights(model.get("scores"), allowed);
  board.cells.forEach((row, i) => {
    row.forEach((cell, j) => drawCell(cell, [i, j], allowed[i], weights[i][j], board.current));
    board.sums[i].textContent = weights[i].reduce((sum, weight) => sum + weight, 0).toFixed(2);
  });
  const [nQ, nK] = [allowed.length, allowed[0].length];
  for (const button of root.querySelectorAll("[data-pattern]")) {
    const isShown = isSame(allowed, pattern(button.dataset.pattern, nQ, nK));
    button.setAttribute("aria-pressed", isShown);
  }
  drawSentence(root, allowed, board.current[0]);
}

function drawCell(cell, [i, j], row, weight, current) {
  const isAllowed = row[j];
  if (isAllowed) shade(cell, weight);
  else {
    cell.className = "tw-cell tw-blocked";
    setWeight(cell, 0);
  }
  const said = isAllowed ? `weight ${weight.toFixed(2)}` : "blocked, weight 0";
  cell.setAttribute("aria-label", `query ${i + 1}, key ${j + 1}: ${said}`);
  cell.setAttribute("aria-pressed", isAllowed);
  cell.tabIndex = isSame([[i, j]], [current]) ? 0 : -1;
  cell.textContent = isAllowed ? short(weight) : row.includes(true) ? "" : "0";
}

/** Speak of a row that sees nothing, if there is one, else of the current one. */
function drawSentence(root, allowed, current) {
  const empty = allowed.findIndex((row) => !row.includes(true));
  const row = allowed[current].includes(true) && empty >= 0 ? empty : current;
  const count = allowed[row].filter(Boolean).length;
  const fitting = count === 0 ? "none" : count === allowed[row].length ? "all" : "some";
  tell(root, fitting, { row: row + 1, count });
}
