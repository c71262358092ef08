import { emptyTrace, type PartialTrace } from "../../core/records/audit.js";
import { isAscii, utf8Length, wellFormed } from "../../text/printable.js";
import {
  isSpace,
  levelDigit,
  type Member,
  parseInverse,
  parseLevel,
  parseLevel3Reason,
  parsePrecedentWeight,
  type ScannedObject,
  scanObject,
  skipSpace,
  stringEnd,
  unescapeString,
} from "./scan-object.js";

const NEEDLE = '"policy_citation"';

/**
 * The paper's method of finding the citation: the *last* `"policy_citation"` in the text, then the opening quote of its value, then the unescaped
 * closing quote. It can mistake a later echo of the key for the field, so it is used only if the JSON had no such field.
 * @see paper Appendix B, "Citation span detection"
 */
function findCitationByName(text: string): { start: number; end: number } | null {
  const at = text.lastIndexOf(NEEDLE);
  if (at < 0) return null;
  const colon = skipSpace(text, at + NEEDLE.length);
  if (text[colon] !== ":") return null;
  const quote = skipSpace(text, colon + 1);
  if (text[quote] !== '"') return null;
  const end = stringEnd(text, quote + 1);
  return end < 0 ? null : { start: quote + 1, end };
}

export type TraceField = keyof PartialTrace;

/** Position of a value's inner text (without quotes): UTF-8 bytes for tokens, UTF-16 units for slicing. */
export interface FieldSpan {
  start: number;
  end: number;
  charStart: number;
  charEnd: number;
}

export interface TraceReading {
  trace: PartialTrace;
  /** What was wrong or missing, in words. */
  problems: string[];
  /** Labels without surrounding space; the level starts at its digit (`Level 2` -> `2`). A cut-off value has no span. */
  fields: Partial<Record<TraceField, FieldSpan>>;
  /** Whether the citation was found by name in the text rather than as a field of the object. */
  fallback: boolean;
  /** How the object ended; `none`: there is no object. */
  object: ScannedObject["state"] | "none";
  /** Whether every byte is a character, so that offsets in bytes and in units are equal. */
  ascii: boolean;
  /** What exceeds the length limits, in words; null: nothing. */
  tooLong: string | null;
}

/** Most characters read of an answer and of a field as written. The rest is ignored: a hostile server could send anything. */
const MOST_CHARACTERS = 512 * 1024;
const MOST_OF_FIELD: Partial<Record<TraceField, number>> = {
  logic_chain: 64 * 1024,
  policy_citation: 4 * 1024,
  inverse_citation: 4 * 1024,
};

const READERS: Record<TraceField, "text" | ((value: string) => unknown)> = {
  logic_chain: "text",
  policy_citation: "text",
  precedent_weight: parsePrecedentWeight,
  inverse_check: parseInverse,
  inverse_citation: "text",
  defensibility_level: parseLevel,
  level3_reason: parseLevel3Reason,
};
const FIELDS = Object.keys(READERS) as TraceField[];
const FIELD_NAMES = new Set<string>(FIELDS);
const OPTIONAL = new Set<TraceField>(["inverse_citation", "level3_reason"]);
const EXPECTED: Partial<Record<TraceField, string>> = {
  precedent_weight: "High, Medium or Low",
  inverse_check: "Yes or No",
  defensibility_level: "1, 2 or 3",
  level3_reason: "no_rule, complies_with_cited_rule or concept_absent",
};

/**
 * Reads what a model wrote as a reasoning trace, whatever surrounds it: code fences, prose, other fields, another order, an answer that was cut
 * off. Only keys of the outermost object count. Of several objects the one with most trace fields is used, then the last; of a repeated key its
 * last complete value. Never throws.
 * @see paper §3.3, Appendix B
 */
export function readTrace(whole: string): TraceReading {
  const text = whole.length > MOST_CHARACTERS ? "" : whole;
  const ascii = isAscii(text);
  const reading: TraceReading = {
    trace: emptyTrace(),
    problems: [],
    fields: {},
    fallback: false,
    object: "none",
    ascii,
    tooLong: text === whole ? null : excess("answer", whole.length, MOST_CHARACTERS),
  };
  const object = findObject(text);
  if (object === null) reading.problems.push("answer: holds no JSON object");
  else {
    reading.object = object.state;
    if (object.state === "open") reading.problems.push("answer: ends inside its JSON object");
    if (object.state === "broken") reading.problems.push(`answer: its JSON breaks at character ${object.end}`);
    readMembers(text, object.members, reading);
  }
  for (const name of FIELDS) {
    if (reading.fields[name] === undefined && !OPTIONAL.has(name)) reading.problems.push(`${name}: missing`);
  }
  if (reading.fields.policy_citation === undefined) {
    const found = findCitationByName(text);
    if (found) {
      reading.fallback = true;
      const start = ascii ? found.start : utf8Length(text, 0, found.start);
      const end = ascii ? found.end : start + utf8Length(text, found.start, found.end);
      reading.fields.policy_citation = { start, end, charStart: found.start, charEnd: found.end };
    }
  }
  return reading;
}

/** The object that is the answer. Braces in prose and objects without a trace field are skipped. */
function findObject(text: string): ScannedObject | null {
  let best: ScannedObject | null = null;
  let bestCount = -1;
  let at = text.indexOf("{");
  while (at >= 0) {
    const object = scanObject(text, at);
    if (object !== null) {
      const count = countFields(object.members);
      if (count >= bestCount) {
        best = object;
        bestCount = count;
      }
    }
    at = text.indexOf("{", object === null ? at + 1 : object.end);
  }
  return best;
}

function countFields(members: readonly Member[]): number {
  const names = new Set<string>();
  for (const member of members) if (member.complete && FIELD_NAMES.has(member.key)) names.add(member.key);
  return names.size;
}

function readMembers(text: string, members: readonly Member[], reading: TraceReading): void {
  let chars = 0;
  let bytes = 0;
  for (const member of members) {
    if (!FIELD_NAMES.has(member.key)) continue;
    const name = member.key as TraceField;
    // The last number of an answer needs no delimiter after it, since a level has only one digit.
    if (!member.complete && !(member.kind === "bare" && isWhole(text.slice(member.start, member.end)))) {
      reading.problems.push(`${name}: cut off`);
      continue;
    }
    if (reading.fields[name] !== undefined) reading.problems.push(`${name}: written twice; the last one counts`);
    const [start, end] = READERS[name] === "text" ? [member.start, member.end] : labelRange(text, member);
    const byteStart = reading.ascii ? start : bytes + utf8Length(text, chars, start);
    const byteEnd = reading.ascii ? end : byteStart + utf8Length(text, start, end);
    chars = end;
    bytes = byteEnd;
    reading.fields[name] = { start: byteStart, end: byteEnd, charStart: start, charEnd: end };
    readValue(name, member, text, reading);
    if (name === "defensibility_level" && reading.trace.defensibility_level !== null) {
      const digit = Math.max(0, levelDigit(text.slice(start, end)));
      const span = reading.fields.defensibility_level!;
      span.start += digit;
      span.charStart += digit;
    }
  }
}

function isWhole(bare: string): boolean {
  return bare === "true" || bare === "false" || parseLevel(bare) !== null;
}

function labelRange(text: string, member: Member): [number, number] {
  let { start, end } = member;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return [start, end];
}

function readValue(name: TraceField, member: Member, text: string, reading: TraceReading): void {
  const reader = READERS[name];
  const trace = reading.trace as Record<TraceField, unknown>;
  const most = MOST_OF_FIELD[name] ?? MOST_CHARACTERS;
  const length = member.end - member.start;
  if (length > most) reading.tooLong = excess(name, length, most);
  const raw = text.slice(member.start, Math.min(member.end, member.start + most));
  const isNull = member.kind === "bare" && raw === "null";
  if (isNull && OPTIONAL.has(name)) trace[name] = null;
  else if (reader === "text") {
    const isText = member.kind === "string";
    trace[name] = isText ? stringValue(raw, reading.ascii) : null;
    if (!isText) reading.problems.push(`${name}: not a text; got ${excerpt(raw)}, expected a string`);
  } else {
    const value = member.kind === "string" ? stringValue(raw, reading.ascii) : raw;
    trace[name] = reader(value.trim());
    if (trace[name] === null) {
      reading.problems.push(`${name}: not one of its values; got ${excerpt(raw)}, expected ${EXPECTED[name]}`);
    }
  }
}

function stringValue(raw: string, ascii: boolean): string {
  if (raw.includes("\\")) return wellFormed(unescapeString(raw));
  return ascii ? raw : wellFormed(raw);
}

function excess(name: string, length: number, most: number): string {
  return `${name}: too long; got ${length} characters, at most ${most} are read`;
}

function excerpt(raw: string): string {
  return wellFormed(raw.length > 40 ? `${raw.slice(0, 40)}…` : raw);
}
