import data from "../../../data/injection-forms.json" with { type: "json" };

/** A stretch of a folded text whose form gives it away, as far as it does. What is in it is left unread with it. */
export interface Form {
  start: number;
  end: number;
  /** Counts like points of a segment. */
  points: number;
  /** Counts only if something inside has points of its own. */
  bonus: number;
}

/** A line of `forms` in `data/injection-forms.json`. */
interface Row {
  /** Without it in the text there is no match. */
  sign: string;
  pattern: string;
  points?: number;
  bonus?: number;
  /** Matches that are at most this far apart are one form, of `several` points. */
  gap?: number;
  several?: number;
  /** It ends where the object closes that it begins. */
  object?: boolean;
}

const ROWS = (data.forms as readonly Row[]).map((row) => ({ ...row, pattern: new RegExp(row.pattern, "gmu") }));

/** All forms in a folded text. Every search is linear: patterns are bounded. */
export function findForms(text: string): Form[] {
  const forms: Form[] = [];
  for (const { sign, pattern, points = 0, several = points, bonus = 0, gap = -1, object = false } of ROWS) {
    if (!text.includes(sign)) continue;
    for (const { start, last, end, count } of groups(text, pattern, gap)) {
      const closing = object ? endOfObject(text, start, last) : -1;
      forms.push({ start, end: Math.max(end, closing), points: count > 1 ? several : points, bonus });
    }
  }
  return [...forms, ...breakouts(text)];
}

interface Group {
  start: number;
  end: number;
  /** Where its last match begins. */
  last: number;
  count: number;
}

/** Matches that follow each other closely, without the space around them. */
function groups(text: string, pattern: RegExp, gap: number): Group[] {
  const result: Group[] = [];
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const start = index + match.length - match.trimStart().length;
    const end = index + match.trimEnd().length;
    const group = result.at(-1);
    if (group && start - group.end <= gap) Object.assign(group, { end, last: start, count: group.count + 1 });
    else result.push({ start, end, last: start, count: 1 });
  }
  return result;
}

/** After the brace that closes the object that opens first in [start, last]; -1 if none does, or it is not closed soon. Braces in strings do not count. */
function endOfObject(text: string, start: number, last: number): number {
  const brace = text.indexOf("{", start);
  if (brace < 0 || brace > last + 30) return -1;
  let depth = 0;
  let isString = false;
  for (let i = brace; i < Math.min(text.length, brace + 2500); i++) {
    if (text[i] === '"') isString = !isString;
    else if (isString) continue;
    else if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

const BREAKOUT =
  /["'`]\s{0,3}[}\]](?=\s{0,3}(?:[,\]{};\n]|["'`]\s?,|<|\/\/|$))|(?:^|(?<=\s))["'],\s?["'][a-z_ ]{1,40}["']\s?:/gm;

/** Signs of JSON next to each other: as far as they go on, a line is code. */
const JOINT = /["'`]\s?[:,]\s?["'`{[]|["'`]\s?[:,}\]]|[:,{[(]\s?["'`{[]|[}\]>]\s?["'`]?/g;
const LONGEST_CODE = 1000;

/** Quotation marks with a bracket or comma that leave the object around the content. */
function breakouts(text: string): Form[] {
  const forms: Form[] = [];
  let open = 0;
  let counted = 0;
  for (const { 0: sign, index } of text.matchAll(BREAKOUT)) {
    if (index < counted) continue;
    for (; counted < index + sign.length; counted++) {
      if (/[{[]/.test(text[counted]!)) open++;
      else if (/[}\]]/.test(text[counted]!)) open--;
    }
    if (open >= 0 && /[}\]]$/.test(sign)) continue;
    open = 0;
    let end = counted;
    const line = /^.*/.exec(text.slice(counted, counted + LONGEST_CODE))![0];
    for (const { 0: joint, index: place } of line.matchAll(JOINT)) end = counted + place + joint.length;
    counted = end;
    forms.push({ start: index, end, points: 3, bonus: 0 });
  }
  return forms;
}
