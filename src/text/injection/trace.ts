import { type Form, form } from "./form.js";
import { endOfObject, lastJoint, startOfObject } from "./json.js";

const FIELD =
  /\b(logic|policy|precedent|inverse|defensibility|level3)[ _-]?(chain|citation|weight|check|level|reason)\b["'`*]{0,3}\s{0,2}(?:[:=>]|is\b)/g;
/** Characters from one field to the next: a value is a paragraph at most. */
const FIELD_GAP = 1500;

/** Fields of the reasoning trace with values, as JSON, YAML, tags or lines. */
export function forgedTraces(text: string): Form[] {
  const fields = [...text.matchAll(FIELD)];
  const forms: Form[] = [];
  for (let k = 0; k < fields.length; ) {
    let last = k;
    while (last + 1 < fields.length && fields[last + 1]!.index - fields[last]!.index <= FIELD_GAP) last++;
    const first = fields[k]!.index;
    const object = startOfObject(text, first);
    const start = beforeFence(text, object >= 0 ? object : startOfField(text, first));
    const closing = object >= 0 ? endOfObject(text, object) : -1;
    const end = closing > fields[last]!.index ? closing : endOfValue(text, fields[last]!, object >= 0);
    forms.push(form("forged_trace", start, end, last > k ? 4 : 3));
    k = last + 1;
  }
  return forms;
}

/** A line that opens a code block belongs to what stands in it. */
function beforeFence(text: string, start: number): number {
  const fence = /`{3}[a-z]{0,10}\s*$/.exec(text.slice(Math.max(0, start - 24), start));
  return fence ? start - fence[0].length : start;
}

/** The signs before a field's name: quotation marks, bullets, tags and headings. */
function startOfField(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 20 && /["'`*<{,[\-#>(]/.test(text[start - 1]!)) start--;
  // A tag around all fields, and the indentation of a list.
  const wrapper = /<[a-z_]{1,20}>\s{0,4}$/.exec(text.slice(Math.max(0, start - 30), start));
  if (wrapper) return start - wrapper[0].length;
  const indent = /\n[ \t]*(?:[-*#>]+[ \t]*)?$/.exec(text.slice(Math.max(0, start - 12), start));
  return indent ? start - indent[0].length + 1 : start;
}

const SHORT_VALUE = /[\s"'`*]{0,4}[\p{L}\p{N}]{1,12}["'`*]{0,3}(?:\s?<\/[a-z0-9_]{1,24}>){0,3}\s{0,2}[}\]]?[.;]?/uy;
const LONG_VALUE = /[^\n]{0,1500}(?:\n[ \t]{1,8}[^\s][^\n]{0,500}){0,20}/y;

/** Where the value of the last field ends: after a word for those that are a choice, with the paragraph for those that are text. */
function endOfValue(text: string, field: RegExpExecArray, isObject: boolean): number {
  const from = field.index + field[0].length;
  const pattern = /check|weight|level|reason/.test(field[2]!) ? SHORT_VALUE : LONG_VALUE;
  pattern.lastIndex = from;
  const value = pattern.exec(text);
  if (isObject && value && pattern === LONG_VALUE) return from + lastJoint(value[0]);
  return from + (value ? value[0].trimEnd().length : 0);
}
