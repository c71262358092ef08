/** A stretch of a folded text whose form gives it away, as far as it does. */
export interface Form {
  start: number;
  end: number;
  /** Counts like points of a segment. */
  points: number;
  /** Counts only if something inside has points of its own. */
  bonus: number;
  /** It is a unit: sentences end at its borders, and what is in it is left unread with it. A head has all its points itself. */
  as: "unit" | "head" | "remark";
}

const TURN_TOKEN =
  /(?<!`)(?:<\|[\s_\u2581]?[a-z0-9_\u2581 ]{1,40}\|>|<(?:start|end)_of_turn>|\[\/?inst\]|<<\/?sys>>|\[\/?(?:tool_results|tool_calls|available_tools|system_prompt)\]|<\/?s>)([^\S\n]{0,2}(?:system|assistant|user|model|tool|developer|ipython)\b)?/g;
const ROLE_TAG =
  /(?<!`)<\/?(system|assistant|developer|instructions?|(?:function|tool)_(?:results?|calls?|response|use|output)|system[-_](?:prompt|message|note|reminder))(?:\s[^<>]{0,80})?>/g;
const ROLE_LINE =
  /^[\s>*#"'`[(_-]{0,8}(system|assistant|human|user|developer|tool|model|ai)(?: (?:message|prompt|note|turn|notice|override|instruction)s?)?[\])*_]{0,3}\s?[:>]/gm;
const FIELD =
  /(?:`{3}[a-z]{0,10}\s{0,4})?(?:<[a-z_]{1,20}>\s{0,4})?\{?[\s"'`*<,[#>(-]{0,8}\b(logic|policy|precedent|inverse|defensibility|level3)[ _-]?(chain|citation|weight|check|level|reason)\b["'`*]{0,3}\s{0,2}(?:[:=>]|is\b)/g;
const SHORT_VALUE = /[\s"'`*]{0,4}[\p{L}\p{N}]{1,12}["'`*]{0,3}(?:\s?<\/[a-z0-9_]{1,24}>){0,3}\s{0,2}[}\]]?[.;]?/uy;
const LONG_VALUE = /[^\n]{0,1500}(?:\n[ \t]{1,8}[^\s][^\n]{0,500}){0,20}/y;
const KEY =
  /\{[^{}]{0,600}?["'](?:(?:decision|rationale|rule_id|ruleset_version|human_label|precedents?|precedent_id|verdict|is_defensible)["']\s{0,2}:[^{}]{0,600}?["'](?:decision|rationale|rule_id|ruleset_version|human_label|precedents?|precedent_id|verdict|is_defensible)["']\s{0,2}:|(role)["']\s{0,2}:\s{0,2}["'](?:system|assistant|tool|developer)["'])/g;
const BREAKOUT =
  /["'`]\s{0,3}[}\]](?=\s{0,3}(?:[,\]{};\n]|["'`]\s?,|<|\/\/|$))|(?:^|(?<=\s))["'],\s?["'][a-z_ ]{1,40}["']\s?:/gm;
const CODE_LINES = /[^\n]{0,1000}(?:\s{0,20}\n\s{0,20}(?=[{}[\]"'`/<])[^\n]{0,1000}){0,20}/y;
const JOINT = /["'`]\s?[:,]\s?["'`{[]|["'`]\s?[:,}\]]|[:,{[(]\s?["'`{[]|[}\]>]\s?["'`]?/g;
const MATERIAL =
  "(?:content|contents|post|documents?|input|message|submission|data|case|item|context|material|body|text|quote|quoted|untrusted|article)";
const TAG = new RegExp(`<(/?)((?:[a-z0-9]{1,20}[_-]){0,3}${MATERIAL}(?:[_-][a-z0-9]{1,20}){0,3})>`, "g");
const BORDER_LINE = new RegExp(
  `(?:^[^\\p{L}\\n]{0,60}|[-=#*<>_~+|]{2,60} ?)(end|begin|start)(?: of)?(?: the| all)?(?: [a-z]{1,12}){0,2}? ${MATERIAL}\\b[^\\n]{0,40}?(?:[-=#*<>_~+|]{2,60}|$)`,
  "gmu",
);
const HIDING =
  /<([a-z]{1,12})\b[^<>]{0,300}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0|color\s?:\s?(?:white|#fff|transparent)|(?:left|top|text-indent)\s?:\s?-\d{3}|\shidden\b)[^<>]{0,300}>(?:[\s\S]{0,3000}?<\/\1>)?/g;

/** Patterns whose matches are forms as they are: the sign they need, pattern, points, bonus. */
const PLAIN: readonly [sign: string, pattern: RegExp, points: number, bonus: number, as?: "remark"][] = [
  ["]]>", /\]\]>/g, 2, 0],
  // What a page does not show: comments, hidden elements, alternative texts, titles of links. Ordinary unless it speaks to the auditor.
  ["-->", /<!--[\s\S]{0,3000}?-->/g, 0, 2],
  ["<", HIDING, 0, 2],
  ["[//]", /\[\/\/\]:\s?#\s?(?:\([^\n]{0,800}\)|"[^\n]{0,800}"|'[^\n]{0,800}')/g, 0, 2],
  ["](", /!\[[^\]\n]{3,300}\]\([^()\n]{0,600}\)/g, 0, 1],
  ["](", /(?<!!)\[[^\]\n]{0,100}\]\([^\s()]{1,500}\s{1,3}["'][^\n"']{1,400}["']\)/g, 0, 1],
  // A rule in the form in which rules are cited, rules as in a file, precedents as in a list.
  ["rule ", /\b(?:community|platform) rule [a-z]{0,2}-?\d{1,3}\b[^.!?\n]{0,60}:[^.!?\n]{0,300}[.!?]?/g, 0, 0],
  [
    ":",
    /(?<!\p{L})(?:rules|precedents)\s?:\s?\n(?:[^\S\n]{0,20}(?:- )?[a-z_]{2,20}:[^\n]{0,400}(?:\n|$)){2,40}/gmu,
    4,
    0,
  ],
  [":", /(?<!\p{L})precedents?\b[^\n:]{0,40}:[^\S\n]*\n(?:[^\S\n]{0,8}[-*•\d][^\n]{0,400}(?:\n|$)){1,40}/gmu, 4, 0],
  [
    " ",
    /\b(?:content|post|submission|message|text|case|quotation|material)(?: [a-z]{1,10})? (?:ends?|ended|is over|stops|is finished|is complete)\b/g,
    2,
    0,
    "remark",
  ],
];

/** All forms in a folded text. Every search is linear: patterns are bounded. */
export function findForms(text: string): Form[] {
  const forms: Form[] = [];
  const add = (start: number, end: number, points: number, bonus = 0, as: Form["as"] = "unit") =>
    forms.push({ start, end, points, bonus, as });
  for (const [sign, pattern, points, bonus, as] of PLAIN) {
    if (!text.includes(sign)) continue;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      add(index, index + found.trimEnd().length, points, bonus, as);
    }
  }
  for (const group of groups(text, TURN_TOKEN, 400)) {
    const [{ 0: token, 1: role, index }] = group as [RegExpExecArray];
    const beginsLine = index === 0 || text[index - 1] === "\n";
    if (group.every((one) => one[0].length <= 4)) continue;
    add(index, endOf(group), group.length > 1 || (token.length > 4 && (role || beginsLine)) ? 4 : 2);
  }
  for (const group of groups(text, ROLE_TAG, 400)) {
    add(group[0]!.index, endOf(group), group.some((one) => /^(?:tool|function)/.test(one[1]!)) ? 4 : 3);
  }
  addRoleLines(text, add);
  addTraces(text, add);
  addObjects(text, add);
  addFences(text, add);
  return forms;
}

type Add = (start: number, end: number, points: number, bonus?: number, as?: Form["as"]) => void;

/** Matches that follow each other closely. */
function groups(text: string, pattern: RegExp, gap: number): RegExpExecArray[][] {
  const result: RegExpExecArray[][] = [];
  for (const match of text.matchAll(pattern)) {
    const last = result.at(-1);
    if (last && match.index - endOf(last) <= gap) last.push(match);
    else result.push([match]);
  }
  return result;
}

function endOf(group: readonly RegExpExecArray[]): number {
  const last = group.at(-1)!;
  return last.index + last[0].length;
}

/** Heads of lines such as "System: …". One alone is as good as nothing, a conversation is more. */
function addRoleLines(text: string, add: Add): void {
  for (const group of groups(text, ROLE_LINE, 400)) {
    const speakers = new Set(group.map((one) => one[1]!).filter((role) => role !== "tool" && role !== "developer"));
    for (const { 0: head, index } of group) {
      const end = index + head.length;
      add(end - head.trimStart().length, end, speakers.size > 1 ? 2 : 1, 0, "head");
    }
  }
}

/** Fields of the reasoning trace with values, as JSON, YAML, tags or lines. */
function addTraces(text: string, add: Add): void {
  for (const group of groups(text, FIELD, 1500)) {
    const first = group[0]!;
    const start = first.index + (/^\s*/.exec(first[0])?.[0].length ?? 0);
    const brace = first[0].indexOf("{");
    const closing = brace < 0 ? -1 : endOfObject(text, first.index + brace);
    const pattern = /check|weight|level|reason/.test(group.at(-1)![2]!) ? SHORT_VALUE : LONG_VALUE;
    pattern.lastIndex = endOf(group);
    const value = pattern.exec(text)?.[0] ?? "";
    const length = brace >= 0 && pattern === LONG_VALUE ? lastJoint(value) : value.trimEnd().length;
    add(start, closing > endOf(group) ? closing : endOf(group) + length, group.length > 1 ? 4 : 3);
  }
}

/** After the brace that closes the object at `start`; -1 if it is not closed soon. Braces in strings do not count. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isString = false;
  for (let i = start; i < Math.min(text.length, start + 2500); i++) {
    if (text[i] === '"') isString = !isString;
    else if (isString) continue;
    else if (text[i] === "{") depth++;
    else if (text[i] === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

/** After the last quotation mark next to a sign of JSON, with the word that it opens. */
function lastJoint(code: string): number {
  let end = 0;
  for (const { 0: joint, index } of code.matchAll(JOINT)) end = index + joint.length;
  return end + (/^[\w-]*/.exec(code.slice(end, end + 40))?.[0].length ?? 0);
}

/** Objects with the keys of precedents or of a chat's messages, and quotation marks with a bracket or comma that leave the object around the content. */
function addObjects(text: string, add: Add): void {
  if (!text.includes('"') && !text.includes("'") && !text.includes("`")) return;
  for (const { 0: found, 1: role, index } of text.matchAll(KEY)) {
    add(index, Math.max(index + found.length, endOfObject(text, index)), role ? 2 : 4);
  }
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
    CODE_LINES.lastIndex = counted;
    counted += lastJoint(CODE_LINES.exec(text)?.[0] ?? "");
    add(index, counted, 3);
  }
}

/** Tags that close what they never opened, and lines that say that the content is over. */
function addFences(text: string, add: Add): void {
  const tags = text.includes("<") ? [...text.matchAll(TAG)] : [];
  const opened = new Set<string>();
  const closing = new Set(
    tags.filter(({ 1: slash, 2: name }) => {
      if (!slash) opened.add(name!);
      return slash && !opened.has(name!);
    }),
  );
  if (closing.size > 0) for (const tag of tags) add(tag.index, tag.index + tag[0].length, closing.has(tag) ? 3 : 2);
  for (const { 0: line, 1: word, index } of text.matchAll(BORDER_LINE)) {
    if (/[-=#*<>_~+|]{2,}/.test(line)) add(index, index + line.length, word === "end" ? 3 : 2);
  }
}
