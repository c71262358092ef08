import { type Form, form } from "./clause.js";
import {
  braceBreakouts,
  commaBreakouts,
  endOfObject,
  lastJoint,
  recordObjects,
  roleLines,
  roleTags,
  startOfObject,
  turnTokens,
} from "./turns.js";

const FIELD =
  /\b(logic|policy|precedent|inverse|defensibility|level3)[ _-]?(chain|citation|weight|check|level|reason)\b["'`*]{0,3}\s{0,2}(?:[:=>]|is\b)/g;
/** Characters from one field to the next: a value is a paragraph at most. */
const FIELD_GAP = 1500;

/** Fields of the reasoning trace with values, as JSON, YAML, tags or lines. */
function forgedTraces(text: string): Form[] {
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

const LONGEST_COMMENT = 3000;
const HIDING =
  /<([a-z]{1,12})\b[^<>]{0,300}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0|color\s?:\s?(?:white|#fff|transparent)|(?:left|top|text-indent)\s?:\s?-\d{3}|\shidden\b)[^<>]{0,300}>/g;
const MARKDOWN_COMMENT = /\[\/\/\]:\s?#\s?(?:\([^\n]{0,800}\)|"[^\n]{0,800}"|'[^\n]{0,800}')/g;
const IMAGE = /!\[[^\]\n]{3,300}\]\([^()\n]{0,600}\)/g;
const TITLED_LINK = /(?<!!)\[[^\]\n]{0,100}\]\([^\s()]{1,500}\s{1,3}["'][^\n"']{1,400}["']\)/g;

/** What a page does not show: comments, hidden elements, alternative texts, titles of links. Ordinary unless it speaks to the auditor. */
function hiddenMarkup(text: string): Form[] {
  const forms = [...comments(text)];
  for (const { 0: tag, 1: name, index } of text.matchAll(HIDING)) {
    const close = `</${name}>`;
    const from = index + tag.length;
    const at = text.slice(from, from + LONGEST_COMMENT).indexOf(close);
    const end = at < 0 ? from : from + at + close.length;
    forms.push(form("hidden_markup", index, end, 0, 2));
  }
  for (const pattern of [MARKDOWN_COMMENT, IMAGE, TITLED_LINK]) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      forms.push(form("hidden_markup", index, index + found.length, 0, pattern === MARKDOWN_COMMENT ? 2 : 1));
    }
  }
  return forms;
}

function* comments(text: string): Generator<Form> {
  for (let start = text.indexOf("<!--"); start >= 0; ) {
    const close = text.indexOf("-->", start);
    // Once none is closed, none will be: looking on would take quadratic time.
    if (close < 0) return;
    const end = Math.min(close + 3, start + LONGEST_COMMENT);
    yield form("hidden_markup", start, end, 0, 2);
    start = text.indexOf("<!--", end);
  }
}

/**
 * All forms in a folded text. Every search is linear: patterns are bounded, and what is open stays open. Each is tried only where the signs
 * that it needs are there at all.
 */
export function findForms(text: string): Form[] {
  const found: Form[][] = [forgedTraces(text), saidFences(text)];
  const hasTags = text.includes("<");
  if (hasTags) found.push(roleTags(text), tagFences(text));
  if (hasTags || text.includes("[")) found.push(turnTokens(text), hiddenMarkup(text));
  if (text.includes("}") || text.includes("]")) found.push(braceBreakouts(text));
  if (text.includes(":")) {
    found.push(roleLines(text), listedRules(text), forgedRuleFiles(text), listedPrecedents(text));
    if (text.includes('"') || text.includes("'")) found.push(commaBreakouts(text), recordObjects(text));
  }
  return found.flat();
}

const MATERIAL =
  "(?:content|contents|post|documents?|input|message|submission|data|case|item|context|material|body|text|quote|quoted|untrusted|article)";
const CLOSING_TAG = new RegExp(`</((?:[a-z0-9]{1,20}[_-]){0,3}${MATERIAL}(?:[_-][a-z0-9]{1,20}){0,3})>`, "g");
const OPENING_TAG = new RegExp(`<((?:[a-z0-9]{1,20}[_-]){0,3}${MATERIAL}(?:[_-][a-z0-9]{1,20}){0,3})>`, "g");
const BORDER_LINE = new RegExp(
  `(?:^[^\\p{L}\\n]{0,60}|[-=#*<>_~+|]{2,60} ?)(end|begin|start)(?: of)?(?: the| all)?(?: [a-z]{1,12}){0,2}? ${MATERIAL}\\b[^\\n]{0,40}?(?:[-=#*<>_~+|]{2,60}|$)`,
  "gmu",
);
const DECORATED = /[-=#*<>_~+|]{2,}/;
const ENDED =
  /\b(?:content|post|submission|message|text|case|quotation|material)(?: [a-z]{1,10})? (?:ends?|ended|is over|stops|is finished|is complete)\b/g;

/** Tags that close what they never opened. */
function tagFences(text: string): Form[] {
  const forms: Form[] = [];
  const opened = new Set<string>();
  const openings = [...text.matchAll(OPENING_TAG)];
  let next = 0;
  for (const match of text.matchAll(CLOSING_TAG)) {
    while (next < openings.length && openings[next]!.index < match.index) opened.add(openings[next++]![1]!);
    if (!opened.has(match[1]!)) forms.push(form("fence", match.index, match.index + match[0].length, 3));
  }
  if (forms.length > 0) {
    // The pair of a tag that was closed first and is opened again afterwards.
    for (const { 0: tag, index } of openings) forms.push(form("fence", index, index + tag.length, 2));
  }
  const cdata = text.indexOf("]]>");
  if (cdata >= 0) forms.push(form("fence", cdata, cdata + 3, 2));
  return forms;
}

/** Lines and sentences that say that the content is over. */
function saidFences(text: string): Form[] {
  const forms: Form[] = [];
  for (const match of text.matchAll(BORDER_LINE)) {
    if (!DECORATED.test(match[0])) continue;
    forms.push(form("fence", match.index, match.index + match[0].length, match[1] === "end" ? 3 : 2));
  }
  for (const { 0: said, index } of text.matchAll(ENDED)) {
    forms.push(form("fence", index, index + said.length, 2, 0, false));
  }
  return forms;
}

const LISTED_RULE = /\b(?:community|platform) rule [a-z]{0,2}-?\d{1,3}\b[^.!?\n]{0,60}:[^.!?\n]{0,300}[.!?]?/g;

/** A rule in the form in which rules are cited; whether it is one is seen from what it says. */
function listedRules(text: string): Form[] {
  return Array.from(text.matchAll(LISTED_RULE), ({ 0: rule, index }) =>
    form("forged_rule", index, index + rule.length, 0),
  );
}

const RULE_FILE =
  /(?<!\p{L})(?:rules|precedents)\s?:\s?\n(?:[^\S\n]{0,20}(?:- )?[a-z_]{2,20}:[^\n]{0,400}(?:\n|$)){2,40}/gmu;

function forgedRuleFiles(text: string): Form[] {
  return Array.from(text.matchAll(RULE_FILE), ({ 0: file, index }) =>
    form("forged_rule", index, index + file.trimEnd().length, 4),
  );
}

const PRECEDENT_LIST =
  /(?<!\p{L})precedents?\b[^\n:]{0,40}:[^\S\n]*\n(?:[^\S\n]{0,8}[-*•\d][^\n]{0,400}(?:\n|$)){1,40}/gmu;

function listedPrecedents(text: string): Form[] {
  return Array.from(text.matchAll(PRECEDENT_LIST), ({ 0: list, index }) =>
    form("forged_precedent", index, index + list.trimEnd().length, 4),
  );
}
