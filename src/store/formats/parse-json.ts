/** Enough digits that a double may not hold them; a snowflake id has 17 to 19. */
const LONG_DIGITS = /\d{16}/;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g;

/**
 * JSON.parse that keeps whole numbers too long for a double, as text: two ids that differ in their last digit would otherwise become one.
 * Throws SyntaxError as JSON.parse does.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(LONG_DIGITS.test(text) ? text.replace(TOKENS, quoted) : text);
}

/** JSON as DuckDB writes it: NaN and infinities, which JSON does not have, are null. */
export function parseDuckJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return JSON.parse(text.replace(TOKENS, (token) => (/^(NaN|-?Infinity)$/.test(token) ? "null" : quoted(token))));
  }
}

function quoted(token: string): string {
  return isLongNumber(token) ? `"${token}"` : token;
}

/** Whether text is a whole number that a double does not hold for sure. */
export function isLongNumber(text: string): boolean {
  return /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text));
}
