/** 0.1 -> "10 %", 0.125 -> "12.5 %": as many digits as the number has, four at most. */
export function share(value: number): string {
  return `${Number((100 * value).toFixed(4))} %`;
}

/** A probability for a table: "87.3 %", "< 0.1 %", "> 99.9 %". */
export function chance(value: number): string {
  if (value > 0 && value < 0.0005) return "< 0.1 %";
  if (value < 1 && value > 0.9995) return "> 99.9 %";
  return `${(100 * value).toFixed(1)} %`;
}
