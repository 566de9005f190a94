// The mathematics of every widget; tests/interactives compares it with sdpa.

/** The dot product of two equally long arrays of numbers. */
export function dot(a, b) {
  return a.reduce((sum, entry, i) => sum + entry * b[i], 0);
}

/** Weights that are positive and sum to 1; all 0 where every score is -Infinity. */
export function softmax(scores) {
  const largest = Math.max(...scores);
  // -Infinity - (-Infinity) would be NaN.
  const shift = largest === -Infinity ? 0 : largest;
  const exponentials = scores.map((score) => Math.exp(score - shift));
  const total = exponentials.reduce((sum, entry) => sum + entry, 0);
  return exponentials.map((entry) => entry / (total === 0 ? 1 : total));
}

/** What one query (d) attends to among keys (n, d): n weights. */
export function lookupWeights(query, keys, temperature) {
  return softmax(keys.map((key) => dot(key, query) / temperature));
}

/** The rows of values (n, d_v), each times its weight, added up: d_v numbers. */
export function blend(weights, values) {
  return values[0].map((_, column) => dot(weights, values.map((row) => row[column])));
}

/** The entropy of weights in nats: 0 where one has all, log n where all are alike. */
export function entropy(weights) {
  return weights.reduce((sum, weight) => sum - (weight > 0 ? weight * Math.log(weight) : 0), 0);
}

/** How each weight changes with each score, diag(p) - p p^T: n rows of n numbers. */
export function softmaxJacobian(weights) {
  return weights.map((p, i) => weights.map((q, j) => p * ((i === j ? 1 : 0) - q)));
}

/** The Frobenius norm of a matrix: the root of the sum of all squares. */
export function frobenius(rows) {
  return Math.sqrt(rows.reduce((sum, row) => sum + dot(row, row), 0));
}
