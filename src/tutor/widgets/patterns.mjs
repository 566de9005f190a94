// The masks that come up again and again, and the weights under a mask.
import { softmax } from "./attention.mjs";

const WINDOW = 3; // keys that a query sees in the sliding window, its own included
const PADDED = 2; // keys at the end that are padding

/** A named mask of nQ rows and nK columns, aligned bottom-right: true = may attend. */
export function pattern(name, nQ, nK) {
  const rules = {
    all: () => true,
    causal: (distance) => distance >= 0,
    window: (distance) => distance >= 0 && distance < WINDOW,
    padding: (_distance, key) => key < Math.max(1, nK - PADDED),
  };
  const row = (i) => Array.from({ length: nK }, (_, j) => rules[name](i + nK - nQ - j, j));
  return Array.from({ length: nQ }, (_, i) => row(i));
}

/** The weights of each row of scores; exactly 0 where a key is not allowed. */
export function maskedWeights(scores, allowed) {
  return scores.map((row, i) =>
    softmax(row.map((score, j) => (allowed[i][j] ? score : -Infinity))));
}

export function isSame(mask, other) {
  return mask.every((row, i) => row.every((entry, j) => entry === other[i][j]));
}
