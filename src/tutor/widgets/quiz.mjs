// Answers the questions that tutor/quiz.py makes.
import { isAmbiguous, readNumber } from "./numbers.mjs";
import { interactive } from "./live.mjs";

const RIGHT = "<b>✓ Right.</b>";
const WRONG = "<b>✗ Not quite.</b>";

export default interactive((_model, form) => {
  const judge = { one: judgeOne, several: judgeSeveral, number: judgeNumber }[form.dataset.kind];
  form.querySelector("details").hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clear(form);
    judge(form);
  });
  form.addEventListener("input", () => clear(form));
  if (form.dataset.kind === "one") form.addEventListener("change", () => judgeOne(form));
  return () => {};
});

function clear(form) {
  for (const marked of form.querySelectorAll("[data-state]")) delete marked.dataset.state;
  for (const region of form.querySelectorAll("[aria-live]")) region.replaceChildren();
}

/** Say how the answer as a whole is: "right", "wrong", or "none" where there is none. */
function verdict(form, state, content) {
  const region = form.querySelector(".tw-verdict");
  region.dataset.state = state;
  region.innerHTML = content;
}

/** Show the reason of each of these options below it. */
function explain(form, inputs) {
  for (const { value } of inputs) {
    const reason = form.querySelector(`li[data-option="${value}"]`);
    const option = form.querySelectorAll(".tw-option")[value];
    option.dataset.state = "right" in reason.dataset ? "right" : "wrong";
    option.querySelector("[aria-live]").innerHTML = reason.querySelector("[data-reason]").innerHTML;
  }
}

function judgeOne(form) {
  const chosen = [...form.querySelectorAll(":checked")];
  if (chosen.length) explain(form, chosen);
  else verdict(form, "none", "Choose an answer first.");
}

function judgeSeveral(form) {
  const inputs = [...form.querySelectorAll("input")];
  const chosen = inputs.filter((input) => input.checked);
  if (!chosen.length) return verdict(form, "none", "Choose at least one answer first.");
  const isRight = ({ value }) => form.querySelector(`li[data-option="${value}"][data-right]`);
  const wrong = chosen.filter((input) => !isRight(input)).length;
  const missing = inputs.filter((input) => isRight(input) && !input.checked).length;
  if (wrong + missing) {
    explain(form, chosen);
    return verdict(form, "wrong", `${WRONG} ${remarks(wrong, missing)}`);
  }
  explain(form, inputs);
  return verdict(form, "right", `${RIGHT} These are all.`);
}

/** Say how much is wrong, without saying which of the others is missing. */
function remarks(wrong, missing) {
  const said = [];
  if (wrong) said.push(`${wrong} of your choices ${wrong === 1 ? "is" : "are"} wrong.`);
  if (missing) said.push(`${missing} right ${missing === 1 ? "answer is" : "answers are"} missing.`);
  return said.join(" ");
}

function judgeNumber(form) {
  const field = form.querySelector("input");
  const text = field.value.replace(form.querySelector(".tw-unit").textContent, "");
  if (!text.trim()) return verdict(form, "none", "Write a number first.");
  if (isAmbiguous(text)) return verdict(form, "none", "Write it without a comma: it could mean two numbers.");
  const number = readNumber(text);
  if (Number.isNaN(number)) return verdict(form, "none", "Write one number, such as 0.25 or 1e-3.");
  const state = (item) => ("right" in item.dataset ? "right" : "wrong");
  const items = [...form.querySelectorAll("li[data-number]")];
  const known = items.find((item) => isNear(number, item, form));
  if (known) return verdict(form, state(known), known.querySelector("[data-reason]").innerHTML);
  const answer = Number(form.querySelector("li[data-right]").dataset.number);
  const side = number > answer ? "high" : "low";
  return verdict(form, "wrong", `${WRONG} Your number is too ${side}.`);
}

function isNear(number, item, form) {
  const wanted = Number(item.dataset.number);
  // 0.275 - 0.274 is a little more than 0.001 in floating point.
  const rounding = 1e-12 * Math.max(Math.abs(wanted), Math.abs(number));
  return Math.abs(number - wanted) <= Number(form.dataset.tolerance) + rounding;
}
