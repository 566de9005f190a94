// Brings every interactive of a static page to life. Each stands in the page as
// <div data-module="name" data-state="{...}">its drawing</div>; its module lies beside
// this file. See src/tutor/widgets/base.py.
import { Model } from "./model.mjs";

for (const el of document.querySelectorAll("[data-module]")) mount(el);

/** Start one; where that fails, say so above the drawing and leave the others alone. */
async function mount(el) {
  const drawing = el.innerHTML;
  try {
    const address = new URL(`./${el.dataset.module}.mjs`, import.meta.url);
    const { default: widget } = await import(address);
    const model = new Model(JSON.parse(el.dataset.state));
    await widget.initialize?.({ model });
    await widget.render({ model, el });
  } catch (error) {
    el.innerHTML = drawing;
    el.prepend(apology(error));
    console.error(`${el.dataset.module}:`, error);
  }
}

function apology(error) {
  const text = document.createElement("p");
  text.className = "tutor-widget-error";
  text.setAttribute("role", "alert");
  text.textContent =
    `This interactive did not start, so what you see stands still (${error.message}). ` +
    "Reloading the page may help.";
  return text;
}
