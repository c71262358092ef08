import { LEVEL3_REASONS, PRECEDENT_WEIGHTS, type Trace } from "../../core/records/audit.js";
import type { Level } from "../../core/records/level.js";

/** One `"key": value` of the outermost object. Offsets are UTF-16; for a string they cover its inner text, without quotes. */
export interface Member {
  key: string;
  kind: "string" | "bare" | "nested";
  start: number;
  end: number;
  /** False if the text ended inside the value. */
  complete: boolean;
}

/**
 * `closed`: the object reaches its closing brace. `open`: the text ended first. `broken`: there was something that JSON does not allow there. The
 * members before it count; those after it do not, because guessing on would let quoted content inject its own fields.
 */
export interface ScannedObject {
  members: Member[];
  state: "closed" | "open" | "broken";
  end: number;
}

/** Reads the object whose brace is at `at`; null if that brace opens no object (`{about this}`). */
export function scanObject(text: string, at: number): ScannedObject | null {
  const members: Member[] = [];
  let pos = skipSpace(text, at + 1);
  if (text[pos] === "}") return { members, state: "closed", end: pos + 1 };
  for (;;) {
    if (pos >= text.length) return { members, state: "open", end: pos };
    if (text[pos] !== '"') return members.length === 0 ? null : { members, state: "broken", end: pos };
    const keyEnd = stringEnd(text, pos + 1);
    if (keyEnd < 0) return members.length === 0 ? null : { members, state: "open", end: text.length };
    const colon = skipSpace(text, keyEnd + 1);
    if (colon >= text.length) return { members, state: "open", end: colon };
    if (text[colon] !== ":") return members.length === 0 ? null : { members, state: "broken", end: colon };
    const rawKey = text.slice(pos + 1, keyEnd);
    const value = skipSpace(text, colon + 1);
    if (value >= text.length) return { members, state: "open", end: value };
    const member = scanValue(text, value);
    member.key = rawKey.includes("\\") ? unescapeString(rawKey) : rawKey;
    members.push(member);
    if (!member.complete) return { members, state: "open", end: text.length };
    pos = skipSpace(text, member.kind === "string" ? member.end + 1 : member.end);
    if (text[pos] === "}") return { members, state: "closed", end: pos + 1 };
    if (pos < text.length && text[pos] !== ",") return { members, state: "broken", end: pos };
    pos = skipSpace(text, pos + 1);
    if (text[pos] === "}") return { members, state: "closed", end: pos + 1 };
  }
}

function scanValue(text: string, at: number): Member {
  const first = text[at];
  if (first === '"') {
    const end = stringEnd(text, at + 1);
    const complete = end >= 0;
    return { key: "", kind: "string", start: at + 1, end: complete ? end : text.length, complete };
  }
  if (first === "{" || first === "[") {
    const end = nestedEnd(text, at);
    const complete = end >= 0;
    return { key: "", kind: "nested", start: at, end: complete ? end : text.length, complete };
  }
  let end = at;
  while (end < text.length && !endsBareValue(text.charCodeAt(end))) end++;
  const complete = end < text.length;
  while (end > at && isSpace(text.charCodeAt(end - 1))) end--;
  return { key: "", kind: "bare", start: at, end, complete };
}

/** Index of the quote that ends a string that began before `from`, or -1. Raw line breaks inside are accepted. */
export function stringEnd(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0) {
    let slash = quote;
    while (slash > from && text.charCodeAt(slash - 1) === 0x5c) slash--;
    if ((quote - slash) % 2 === 0) return quote;
    quote = text.indexOf('"', quote + 1);
  }
  return -1;
}

/** Index after the bracket that closes the one at `at`, or -1. */
function nestedEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) {
      const end = stringEnd(text, i + 1);
      if (end < 0) return -1;
      i = end;
    } else if (unit === 0x7b || unit === 0x5b) depth++;
    else if (unit === 0x7d || unit === 0x5d) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** The text of a JSON string. An unknown escape keeps its character, so this never throws. */
export function unescapeString(raw: string): string {
  let out = "";
  let from = 0;
  for (let slash = raw.indexOf("\\"); slash >= 0; slash = raw.indexOf("\\", from)) {
    out += raw.slice(from, slash);
    const letter = raw[slash + 1] ?? "";
    const hex = letter === "u" ? raw.slice(slash + 2, slash + 6) : "";
    if (hex.length === 4 && isHex(hex)) {
      out += String.fromCharCode(Number.parseInt(hex, 16));
      from = slash + 6;
    } else {
      out += ESCAPES[letter] ?? letter;
      from = slash + 2;
    }
  }
  return out + raw.slice(from);
}

function isHex(digits: string): boolean {
  return /^[0-9a-f]+$/i.test(digits);
}

export function skipSpace(text: string, from: number): number {
  let pos = from;
  while (pos < text.length && isSpace(text.charCodeAt(pos))) pos++;
  return pos;
}

export function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09 || unit === 0xa0;
}

/** A comma, a closing bracket or a line break: what may follow a number or a bare word. */
function endsBareValue(unit: number): boolean {
  return unit === 0x2c || unit === 0x7d || unit === 0x5d || unit === 0x0a;
}

/** A level as models write it, trimmed: `2`, `2.0`, `"2"`, `"L2"`, `"Level 2"`; null for anything else. */
export function parseLevel(value: string): Level | null {
  const digit = levelDigit(value);
  return digit < 0 ? null : (Number(value[digit]) as Level);
}

/** Index of the digit of a level in its text, or -1. The label softmax is read there, not at the `L` of `Level 2`. */
export function levelDigit(value: string): number {
  if (value.length === 1) return value >= "1" && value <= "3" ? 0 : -1;
  const match = /^((?:L(?:evel)?[\s_-]*)?)[123](?:\.0*)?$/i.exec(value);
  return match ? match[1]!.length : -1;
}

// Maps rather than objects, because a model may answer "constructor".
const WEIGHTS = new Map(PRECEDENT_WEIGHTS.map((weight) => [weight.toLowerCase(), weight]));
const REASONS = new Map(LEVEL3_REASONS.map((reason) => [reason as string, reason]));
const INVERSES = new Map<string, Trace["inverse_check"]>([
  ["yes", "Yes"],
  ["true", "Yes"],
  ["no", "No"],
  ["false", "No"],
]);

export function parsePrecedentWeight(value: string): Trace["precedent_weight"] | null {
  return WEIGHTS.get(value.toLowerCase()) ?? null;
}

/** An inverse check as models write it: `"Yes"`, `"YES"`, `true`. */
export function parseInverse(value: string): Trace["inverse_check"] | null {
  return INVERSES.get(value.toLowerCase()) ?? null;
}

export function parseLevel3Reason(value: string): NonNullable<Trace["level3_reason"]> | null {
  return REASONS.get(value.toLowerCase()) ?? null;
}
