import { type Form, form } from "./clause.js";

const TURN_TOKEN =
  /<\|[\s_\u2581]?[a-z0-9_\u2581 ]{1,40}\|>|<(?:start|end)_of_turn>|\[\/?inst\]|<<\/?sys>>|\[\/?(?:tool_results|tool_calls|available_tools|system_prompt)\]|<\/?s>/g;
const ROLE_AFTER = /[^\S\n]{0,2}(?:system|assistant|user|model|tool|developer|ipython)\b/y;
/** Characters between two marks that still belong to one forged conversation. */
const TURN_GAP = 400;

interface Mark {
  start: number;
  end: number;
  strong: boolean;
}

/** Special tokens of chat formats: ChatML, Llama, Gemma, Mistral and others. One that is merely named in running text says little. */
export function turnTokens(text: string): Form[] {
  const marks: Mark[] = [];
  for (const { 0: token, index } of text.matchAll(TURN_TOKEN)) {
    if (text[index - 1] === "`") continue;
    let end = index + token.length;
    ROLE_AFTER.lastIndex = end;
    const role = ROLE_AFTER.exec(text);
    if (role) end += role[0].length;
    const beginsLine = index === 0 || text[index - 1] === "\n";
    marks.push({ start: index, end, strong: token.length > 4 && (role !== null || beginsLine) });
  }
  return groups(marks, TURN_GAP)
    .filter((group) => group.some(({ start, end }) => end - start > 4))
    .map((group) => {
      const points = group.length > 1 || group[0]!.strong ? 4 : 2;
      return form("chat_turn", group[0]!.start, group.at(-1)!.end, points);
    });
}

const ROLE_TAG =
  /<\/?(system|assistant|developer|instructions?|function_results|function_calls|tool_results?|tool_response|tool_call|tool_use|tool_output|system[-_](?:prompt|message|note|reminder))(?:\s[^<>]{0,80})?>/g;

export function roleTags(text: string): Form[] {
  const marks = Array.from(text.matchAll(ROLE_TAG), ({ 0: tag, 1: name, index }) => ({
    start: index,
    end: index + tag.length,
    strong: /^(?:tool|function)/.test(name!),
  })).filter(({ start }) => text[start - 1] !== "`");
  return groups(marks, TURN_GAP).map((group) =>
    form("chat_turn", group[0]!.start, group.at(-1)!.end, group.some(({ strong }) => strong) ? 4 : 3),
  );
}

const ROLE_LINE =
  /^[\s>*#"'`[(_-]{0,8}(system|assistant|human|user|developer|tool|model|ai)(?: (?:message|prompt|note|turn|notice|override|instruction)s?)?[\])*_]{0,3}\s?[:>]/gm;
/** Who speaks in a chat with a model. */
const SPEAKERS = /^(?:system|assistant|human|user|model|ai)$/;

/** Heads of lines such as "System: …". One alone is as good as nothing, a conversation is more. */
export function roleLines(text: string): Form[] {
  const found = [...text.matchAll(ROLE_LINE)];
  return found.map(({ 0: head, 1: role, index }, k) => {
    const isTurn = [found[k - 1], found[k + 1]].some(
      (other) =>
        other !== undefined &&
        Math.abs(other.index - index) < TURN_GAP &&
        other[1] !== role &&
        SPEAKERS.test(other[1]!) &&
        SPEAKERS.test(role!),
    );
    const start = index + head.length - head.trimStart().length;
    return { ...form("chat_turn", start, index + head.length, isTurn ? 2 : 1), isHead: true };
  });
}

function groups(marks: readonly Mark[], gap: number): Mark[][] {
  const result: Mark[][] = [];
  for (const mark of marks) {
    const last = result.at(-1);
    if (last && mark.start - last.at(-1)!.end <= gap) last.push(mark);
    else result.push([mark]);
  }
  return result;
}

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
