// What every widget does to come alive, in a notebook and in the book alike.

/**
 * Make an anywidget module of `start(model, root)`, which connects the markup and
 * returns a function that draws the model's present state.
 *
 * The markup is Python's. In the book it is in the page already; in a notebook it
 * comes with the model, and comes anew when it no longer fits the traits.
 */
export function interactive(start) {
  return {
    render({ model, el }) {
      let shown, draw;
      const update = () => {
        if (draw && model.get("_markup") === shown) return draw();
        shown = model.get("_markup");
        draw = start(model, bringIn(el, shown));
        draw();
      };
      model.on("change", update);
      update();
      return () => model.off("change", update);
    },
  };
}

function bringIn(el, markup) {
  if (markup !== undefined) el.innerHTML = markup;
  const root = el.querySelector(".tutor-widget");
  root.dataset.live = "";
  return root;
}

/** Set traits and hand them to Python, where there is one. */
export function store(model, traits) {
  for (const [name, value] of Object.entries(traits)) model.set(name, value);
  model.save_changes();
}

/**
 * Return a function that, once the reader pauses, puts what `says` shows by then into a
 * live region. (Text that is hidden is left out.)
 */
export function announcer(region, says, pause = 400) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => (region.textContent = says.innerText), pause);
  };
}

/** Show the sentence of the case that holds, and put its text into every slot. */
export function tell(root, fitting, texts) {
  for (const sentence of root.querySelectorAll("[data-case]")) {
    sentence.hidden = sentence.dataset.case !== fitting;
  }
  for (const slot of root.querySelectorAll("[data-slot]")) {
    slot.textContent = texts[slot.dataset.slot];
  }
}
