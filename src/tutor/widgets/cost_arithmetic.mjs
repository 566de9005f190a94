// What attention costs, in exact integers (BigInt); as sdpa.costs has.

export function attentionFlops(batch, seq, dModel) {
  return 4n * batch * seq ** 2n * dModel;
}

export function projectionFlops(batch, seq, dModel, dKv) {
  return 4n * batch * seq * dModel * (dModel + dKv);
}

export function crossoverLength(dModel, dKv) {
  return dModel + dKv;
}

export function scoreBytes(batch, heads, seq, bytesPerElement) {
  return batch * heads * seq ** 2n * bytesPerElement;
}

export function kvCacheBytes(layers, kvHeads, headDim, seq, batch, bytesPerElement) {
  return 2n * layers * kvHeads * headDim * seq * batch * bytesPerElement;
}
