import { type Form, form } from "./form.js";

/** Characters that an object may have and still be looked at as one. */
const LONGEST_OBJECT = 2500;

/** Where the object that holds a place begins, if its brace stands before it with nothing but one more key in between; else -1. */
export function startOfObject(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 300), at);
  const brace = before.lastIndexOf("{");
  if (brace < 0) return -1;
  const between = before.slice(brace + 1);
  const isStart = /^[\s"'`*]*$/.test(between) || /^\s*["'][^{}\n]{0,250}["'`]$/.test(between);
  return isStart ? at - before.length + brace : -1;
}

/** After the brace that closes the object at `start`; -1 if it is not closed. Braces in strings do not count. */
export function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quote = "";
  const limit = Math.min(text.length, start + LONGEST_OBJECT);
  for (let i = start; i < limit; i++) {
    const sign = text[i]!;
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"') quote = sign;
    else if (sign === "{") depth++;
    else if (sign === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

const BRACKET = /[{}[\]]/g;

/** A quotation mark with a closing brace that nothing opened: the content tries to end the string and the object it stands in. */
export function braceBreakouts(text: string): Form[] {
  const forms: Form[] = [];
  let curly = 0;
  let square = 0;
  let covered = 0;
  for (const { 0: bracket, index } of text.matchAll(BRACKET)) {
    if (bracket === "{") curly++;
    else if (bracket === "[") square++;
    else {
      const isOpen = bracket === "}" ? curly > 0 : square > 0;
      if (bracket === "}") curly = Math.max(0, curly - 1);
      else square = Math.max(0, square - 1);
      if (isOpen || index < covered) continue;
      const quote = /["'`]\s{0,3}$/.exec(text.slice(Math.max(0, index - 4), index));
      // A brace that is merely named, as in '}', goes on differently.
      if (quote === null || !/^\s{0,3}(?:[,\]{};\n]|["'`]\s?,|<|\/\/|$)/.test(text.slice(index + 1, index + 8)))
        continue;
      const start = index - quote[0].length;
      covered = endOfBreakout(text, index + 1);
      forms.push(form("breakout", start, covered, 3));
    }
  }
  return forms;
}

const MORE_LINES = /[^\n]{0,1000}(?:\s{0,20}\n\s{0,20}(?=[{}[\]"'`/<])[^\n]{0,1000}){0,20}/y;

/** The rest of the line, and further lines that begin like code, up to the last sign that is code. */
function endOfBreakout(text: string, from: number): number {
  MORE_LINES.lastIndex = from;
  return from + lastJoint(MORE_LINES.exec(text)?.[0] ?? "");
}

const JOINT = /["'`]\s?[:,]\s?["'`{[]|["'`]\s?[:,}\]]|[:,{[(]\s?["'`{[]|[}\]>]\s?["'`]?/g;

/** After the last quotation mark beside a sign of JSON, with the word that it opens. */
export function lastJoint(code: string): number {
  let end = 0;
  for (const { 0: joint, index } of code.matchAll(JOINT)) end = index + joint.length;
  return end + (/^[\w-]*/.exec(code.slice(end, end + 40))?.[0].length ?? 0);
}

const COMMA = /(?:^|\s)["'],\s?["'][a-z_ ]{1,40}["']\s?:[^\n]{0,1000}/gm;

/** A quotation mark, a comma and a key: the content tries to add fields to the object it stands in. */
export function commaBreakouts(text: string): Form[] {
  return Array.from(text.matchAll(COMMA), ({ 0: found, index }) =>
    form("breakout", index + (/^\s/.test(found) ? 1 : 0), index + lastJoint(found), 3),
  );
}

const KEY =
  /["'](decision|rationale|rule_id|ruleset_version|human_label|precedents?|precedent_id|verdict|is_defensible|role)["']\s{0,2}:\s{0,2}(["'][^"'\n]{0,12})?/g;
const MODEL_ROLES = /^["'](?:system|assistant|tool|developer)$/;

/** Objects with the keys of decisions and precedents, or of a chat's messages. */
export function recordObjects(text: string): Form[] {
  const forms: Form[] = [];
  let start = -1;
  let end = -1;
  let keys = new Set<string>();
  const close = () => {
    if (start >= 0 && keys.size > 1) forms.push(form("forged_precedent", start, end, 4));
  };
  for (const match of text.matchAll(KEY)) {
    if (match.index >= end) {
      close();
      keys = new Set();
      const near = Math.max(0, match.index - 600);
      const brace = near + text.slice(near, match.index).lastIndexOf("{");
      // An object that is not closed is not looked through again for each of its keys.
      end = brace >= near && brace !== start ? endOfObject(text, brace) : -1;
      start = brace >= near ? brace : match.index;
      if (end < 0) end = match.index + match[0].length;
    }
    if (match[1] !== "role") keys.add(match[1]!);
    else if (MODEL_ROLES.test(match[2] ?? "")) forms.push(form("chat_turn", start, end, 2));
  }
  close();
  return forms;
}
