/** A character written by its number or name: what it means, and how long it is written. */
export interface Decoded {
  text: string;
  length: number;
}

const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp|nbsp));?/iy;
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", nbsp: " " };
const ESCAPE = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([nrt"'`\\/]))/iy;
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: " " };
const PERCENT = /(?:%[0-9a-f]{2}){3}|(?<=%[0-9a-f]{2})%[0-9a-f]{2}/iy;

/** The entity (`&#105;`), escape (`\u0069`) or run of bytes (`%69%67…`, at least three) at a place, or null. */
export function decodeAt(text: string, at: number): Decoded | null {
  const sign = text.charCodeAt(at);
  if (sign === 38) return decodeEntity(text, at);
  if (sign === 92) return decodeEscape(text, at);
  PERCENT.lastIndex = at;
  if (!PERCENT.test(text)) return null;
  const code = Number.parseInt(text.slice(at + 1, at + 3), 16);
  // Bytes beyond ASCII are parts of characters: what they spell is no order in letters that anyone would find.
  return { text: code < 128 ? String.fromCharCode(code) : "", length: 3 };
}

function decodeEntity(text: string, at: number): Decoded | null {
  ENTITY.lastIndex = at;
  const found = ENTITY.exec(text);
  if (!found) return null;
  const [written, hex, decimal, name] = found;
  if (name !== undefined) return { text: NAMED[name.toLowerCase()]!, length: written.length };
  return { text: character(hex ? Number.parseInt(hex, 16) : Number(decimal)), length: written.length };
}

function decodeEscape(text: string, at: number): Decoded | null {
  ESCAPE.lastIndex = at;
  const found = ESCAPE.exec(text);
  if (!found) return null;
  const [written, braced, four, two, control] = found;
  if (control !== undefined) return { text: CONTROLS[control.toLowerCase()] ?? control, length: written.length };
  return { text: character(Number.parseInt((braced ?? four ?? two)!, 16)), length: written.length };
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
