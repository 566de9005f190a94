// Amounts with prefixes; see units.py.
import { significant } from "./numbers.mjs";

const SI = ["", "k", "M", "G", "T", "P", "E", "Z"];
const IEC = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** A BigInt of operations, as 8.59 GFLOP: G is 10^9. */
export function flops(count) {
  return prefixed(count, 1000n, SI, "FLOP");
}

/** A BigInt of bytes, as 4.00 GiB: Gi is 2^30. */
export function bytes(count) {
  return prefixed(count, 1024n, IEC, count < 1024n ? "bytes" : "B");
}

/** A time in µs, ms or s. */
export function seconds(time) {
  for (const [unit, length] of [["s", 1], ["ms", 1e-3]]) {
    if (time >= length) return `${significant(time / length, 3)} ${unit}`;
  }
  return `${significant(time * 1e6, 3)} µs`;
}

function prefixed(count, base, prefixes, unit) {
  let power = 0;
  while (count >= base ** BigInt(power + 1) && power < prefixes.length - 1) power++;
  const amount = Number(count) / Number(base ** BigInt(power));
  return `${significant(amount, power ? 3 : 1)} ${prefixes[power]}${unit}`;
}
