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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** What may stand before a text, and at the end of one. */
const OPENERS: ReadonlySet<number> = new Set([..."\\,:[{"].map((character) => character.charCodeAt(0)));

/**
 * In valid JSON every key has a colon that is in no text. Most colons tell where they are by what is before them: a letter is inside a text, a
 * closing quote after a letter ends a key. The others are looked for in the texts since the last key: half of the time of reading all texts.
 */
function keysIn(text: string): number {
  let count = 0;
  // A place outside of all texts.
  let outside = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before > SPACE && before !== QUOTE) continue;
    const last = text.charCodeAt(at - 2);
    const isKey = before === QUOTE && last > SPACE && !OPENERS.has(last);
    const end = isKey ? -1 : endOfTextAround(text, outside, at);
    if (end < 0) {
      count++;
      outside = at;
    } else {
      at = end;
      outside = end + 1;
    }
  }
  return count;
}

/** Where the text ends that this place is in; -1: it is in none. */
function endOfTextAround(text: string, outside: number, at: number): number {
  let start = text.indexOf('"', outside);
  while (start >= 0 && start < at) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (end > at) return end;
    start = text.indexOf('"', end + 1);
  }
  return -1;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

function members(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const values: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (let i = 0; i < values.length; i++) {
    if (typeof values[i] === "object" && values[i] !== null) count += members(values[i]);
  }
  return count;
}
