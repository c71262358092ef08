/**
 * Whether an object in a JSON text has a key twice. `JSON.parse` keeps the last one, other readers the first: what was checked by one
 * could then be another than what is routed by the next.
 * @param text valid JSON
 * @param value what `JSON.parse` made of it
 *
 * Formula: (keys in the text) > (members of the value); a doubled key is lost in the value with everything under its first value
 * @example hasDoubledKeys('{"level":3,"level":1}', { level: 1 }) // => true
 */
export function hasDoubledKeys(text: string, value: unknown): boolean {
  return keysIn(text) !== members(value);
}

const QUOTE = '"';
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

/** In valid JSON a string is a key where a colon follows it. */
function keysIn(text: string): number {
  let count = 0;
  let start = text.indexOf(QUOTE);
  while (start >= 0) {
    let end = text.indexOf(QUOTE, start + 1);
    while (isEscaped(text, end)) end = text.indexOf(QUOTE, end + 1);
    let next = text.charCodeAt(++end);
    while (next <= SPACE) next = text.charCodeAt(++end);
    if (next === COLON) count++;
    start = text.indexOf(QUOTE, end);
  }
  return count;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

function members(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) count += members(value[i]);
    return count;
  }
  for (const key in value) {
    count++;
    const member = (value as Record<string, unknown>)[key];
    if (typeof member === "object" && member !== null) count += members(member);
  }
  return count;
}
