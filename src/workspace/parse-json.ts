/** Enough digits that a double may not hold them; a snowflake id has 17 to 19. */
const LONG_DIGITS = /\d{16}/;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])|NaN|-?Infinity/g;

/**
 * JSON.parse that keeps whole numbers too long for a double, as text: two ids that differ in their last digit would otherwise become one.
 * Throws SyntaxError as JSON.parse does.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(LONG_DIGITS.test(text) ? quoteLongNumbers(text) : text);
}

/** JSON as DuckDB writes it: NaN and infinities, which JSON does not have, are null. */
export function parseDuckJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return JSON.parse(text.replace(TOKENS, (token) => (/^(NaN|-?Infinity)$/.test(token) ? "null" : quoted(token))));
  }
}

function quoteLongNumbers(text: string): string {
  return text.replace(TOKENS, quoted);
}

function quoted(token: string): string {
  const isNumber = token[0] !== '"' && token[0] !== "N" && !token.endsWith("y");
  return isNumber && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}
