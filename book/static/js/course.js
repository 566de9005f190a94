// What pages do beyond HTML and CSS: the theme switch, copy buttons, keyboard access
// to what scrolls sideways, the current section, and "/" for search. A page without
// this script shows the same text.

const root = document.documentElement;

// --- Theme: the system's, until the reader chooses the other ---

function currentTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return { system, shown: root.dataset.theme ?? system };
}

function chooseTheme(theme) {
  const isSystems = theme === currentTheme().system;
  if (isSystems) delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (isSystems) localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch { /* storage is off: the choice holds for this page */ }
}

function setUpThemeSwitch(button) {
  const show = () => button.setAttribute("aria-pressed", currentTheme().shown === "dark");
  button.hidden = false;
  button.addEventListener("click", () => {
    chooseTheme(currentTheme().shown === "dark" ? "light" : "dark");
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}

// --- Code: a button that copies it ---

function addCopyButton(block) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "copy", textContent: "Copy" });
  button.setAttribute("aria-label", "Copy this code");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("pre").textContent.trimEnd());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}

// --- Whatever scrolls sideways must be reachable without a mouse ---

const SCROLLERS = {
  pre: "Code",
  ".katex-display": "Formula",
  ".table-frame, .output.text_html": "Table",
  "figure.figure": "Figure",
};

function setReachable(element, label) {
  const overflows = element.scrollWidth > element.clientWidth + 1;
  element.classList.toggle("overflows", overflows);
  if (overflows) {
    element.tabIndex = 0;
    element.setAttribute("role", "group");
    element.setAttribute("aria-label", `${label}, scrolls sideways`);
  } else if (element.hasAttribute("tabindex")) {
    for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
  }
}

function watchScrollers() {
  const labels = new Map();
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) setReachable(target, labels.get(target));
  });
  for (const [selector, label] of Object.entries(SCROLLERS)) {
    for (const element of document.querySelectorAll(`article :is(${selector})`)) {
      labels.set(element, label);
      observer.observe(element);
    }
  }
}

// --- "On this page" marks the section that is being read ---

function watchSections(links) {
  const observer = new IntersectionObserver((entries) => {
    const seen = entries.find((entry) => entry.isIntersecting);
    if (!seen) return;
    for (const link of links) {
      if (link.hash === `#${seen.target.id}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-10% 0px -70%" });
  for (const link of links) {
    const section = document.getElementById(link.hash.slice(1));
    if (section) observer.observe(section);
  }
}

// --- "/" goes to the search field ---

function focusSearch(event) {
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  const field = [...document.querySelectorAll("input[name=q]")].find((input) => input.offsetParent);
  if (!field) return;
  event.preventDefault();
  field.focus();
}

document.querySelectorAll("button.theme").forEach(setUpThemeSwitch);
if (navigator.clipboard) {
  document.querySelectorAll("article div.highlight:not(.cell_output *)").forEach(addCopyButton);
}
watchScrollers();
watchSections([...document.querySelectorAll(".sections a")]);
document.addEventListener("keydown", focusSearch);
