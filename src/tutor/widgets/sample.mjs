// Scores of a fixed sample, the same as in sample.py, which says how they are drawn.

const [QUERIES, KEYS] = [64, 64];
const SEED = 14;
const known = new Map();

/** All scores query . key of vectors of dK standard normal entries, 64 queries by 64 keys. */
export function rawScores(dK) {
  if (!known.has(dK)) known.set(dK, drawScores(dK));
  return known.get(dK);
}

function drawScores(dK) {
  const scores = new Array(QUERIES * KEYS).fill(0);
  const vectors = QUERIES + KEYS;
  for (let dimension = 0; dimension < dK; dimension++) {
    const entries = normals(dimension * vectors, vectors);
    for (let i = 0; i < QUERIES; i++) {
      for (let j = 0; j < KEYS; j++) scores[i * KEYS + j] += entries[i] * entries[QUERIES + j];
    }
  }
  return scores;
}

/** `count` standard normal numbers from the given one on; both even. */
export function normals(from, count) {
  const drawn = [];
  for (let i = from; i < from + count; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(uniform(i)));
    const angle = 2 * Math.PI * uniform(i + 1);
    drawn.push(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  return drawn;
}

/** The i-th number of mulberry32, between 0 and 1. */
function uniform(i) {
  const state = (SEED + Math.imul(i + 1, 0x6d2b79f5)) | 0;
  let bits = Math.imul(state ^ (state >>> 15), state | 1);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits;
  return (((bits ^ (bits >>> 14)) >>> 0) + 0.5) / 2 ** 32;
}
