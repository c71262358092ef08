import { type Form, form } from "./form.js";
import { braceBreakouts, commaBreakouts, recordObjects } from "./json.js";
import { hiddenMarkup } from "./markup.js";
import { forgedTraces } from "./trace.js";
import { roleLines, roleTags, turnTokens } from "./turns.js";

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
