import { auditSchema, citationSchema, partialTraceSchema } from "../../../core/records/audit.js";
import { decisionSchema } from "../../../core/records/decision.js";
import { doubleOf, foldCharacter } from "../../../text/injection/characters.js";

/** Keys that are read, and a cache of results for others. */
interface KnownKeys {
  names: ReadonlySet<string>;
  folded: ReadonlySet<string>;
  /** By unknown key: whether it looks like a known one. Cleared when it grows, since keys come from the input. */
  others: Map<string, boolean>;
}

const REMEMBERED = 1000;

const DECISION = knownKeys([...Object.keys(decisionSchema.shape), "audit"], ["appeals"]);
const CONTENT = knownKeys(["title", "body", "kind", "language", "context", "url", "media"]);
const AUDIT = knownKeys(Object.keys(auditSchema.shape));
const CITATION = knownKeys(Object.keys(citationSchema.shape));
const TRACE = knownKeys(Object.keys(partialTraceSchema.shape));

/**
 * Whether a decision or its audit has a key that differs from a known one only in case, punctuation or look-alike letters (`Appeal`, a Cyrillic
 * `а`), or hides members under `__proto__`. Such a key would be ignored although it was probably meant.
 */
export function hasLookAlikeKeys(decision: object, audit: object | null): boolean {
  const { content } = decision as { content?: unknown };
  if (hasAny(decision, DECISION) || hasAny(content, CONTENT)) return true;
  if (audit === null) return false;
  const { citation, inverse_citation, trace } = audit as Record<string, unknown>;
  return (
    hasAny(audit, AUDIT) || hasAny(citation, CITATION) || hasAny(inverse_citation, CITATION) || hasAny(trace, TRACE)
  );
}

function hasAny(value: unknown, known: KnownKeys): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (const key in value) if (!known.names.has(key) && looksKnown(key, known)) return true;
  return false;
}

function looksKnown(key: string, { folded, others }: KnownKeys): boolean {
  let looks = others.get(key);
  if (looks === undefined) {
    looks = folded.has(fold(key));
    if (others.size >= REMEMBERED) others.clear();
    others.set(key, looks);
  }
  return looks;
}

/** @param meant other spellings of a name, which are not read */
function knownKeys(names: readonly string[], meant: readonly string[] = []): KnownKeys {
  return { names: new Set(names), folded: new Set([...names, ...meant, "__proto__"].map(fold)), others: new Map() };
}

/** Folds compatible characters and look-alike letters, and keeps only letters and digits. */
function fold(key: string): string {
  return [...key]
    .map((character) => foldCharacter(character.codePointAt(0)!))
    .join("")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/\P{ASCII}/gu, (letter) => doubleOf(letter) ?? letter);
}

/**
 * Whether an object in a JSON text has a key twice. `JSON.parse` keeps the last one, other readers the first, so one program could check a value
 * and another route a different one.
 * @param text valid JSON
 * @param value what `JSON.parse` made of it
 *
 * Formula: (keys in the text) > (members of the value); a duplicate key is lost from the value with everything under its first occurrence
 * @example hasDoubledKeys('{"level":3,"level":1}', { level: 1 }) // => true
 */
export function hasDoubledKeys(text: string, value: unknown): boolean {
  return keysIn(text) !== members(value);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** Characters that may precede a string, and those that may end one. */
const OPENERS: ReadonlySet<number> = new Set([..."\\,:[{"].map((character) => character.charCodeAt(0)));

/**
 * In valid JSON every key has a colon outside all strings. The characters before a colon usually show where it is: after a letter it is inside a
 * string, and after a closing quote that follows a letter it ends a key. For the others, the strings since the last key are scanned, which takes
 * half the time of scanning all strings.
 */
function keysIn(text: string): number {
  let count = 0;
  // A position outside all strings.
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

/** Where the string around this position ends; -1: the position is in no string. */
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
