// Numbers as people write them.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number that a text says, with a decimal point or comma; NaN where it says none. */
export function readNumber(text) {
  const plain = text.trim().replace("−", "-").replace(",", ".");
  const number = NUMBER.test(plain) ? Number(plain) : NaN;
  return Number.isFinite(number) ? number : NaN;
}

/** Whether a comma could part thousands as well as decimals, as in 1,024. */
export function isAmbiguous(text) {
  return /^[+−-]?[1-9]\d{0,2}(,\d{3})+$/.test(text.trim());
}

/** A number from 0 on with so many figures, but no more than 6 decimals. */
export function significant(number, figures) {
  let [decimals, rest] = [figures - 1, number];
  for (; rest >= 10 && decimals > 0; decimals--) rest /= 10;
  for (; rest > 0 && rest < 1 && decimals < 6; decimals++) rest *= 10;
  return number.toFixed(decimals);
}
