const MINUS = 45;
const POINT = 46;
const POWERS = Array.from({ length: 23 }, (_, i) => 10 ** i);

/**
 * The number that bytes [start, end) spell, where it is plain and short (`-0.0123`); NaN where it has to be read otherwise. An integer below
 * 2^53 and a power of ten up to 10^22 are exact, so their quotient is what `Number` gives.
 */
export function shortDecimal(bytes: Buffer, start: number, end: number): number {
  const negative = bytes[start] === MINUS;
  let value = 0;
  let digits = 0;
  let point = -1;
  for (let at = negative ? start + 1 : start; at < end; at++) {
    const digit = bytes[at]! - 48;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits++;
    } else if (bytes[at] === POINT && point < 0) point = at;
    else return NaN;
  }
  const decimals = point < 0 ? 0 : end - point - 1;
  if (digits === 0 || value > Number.MAX_SAFE_INTEGER || decimals >= POWERS.length) return NaN;
  const size = value / POWERS[decimals]!;
  return negative ? -size : size;
}
