/** The values of some rows. A loop: `from` with a function takes ten times as long for a million rows. */
export function gather<T extends Float64Array | Uint8Array>(values: T, rows: Uint32Array, out: T): T {
  for (let i = 0; i < rows.length; i += 1) out[i] = values[rows[i]!]!;
  return out;
}
