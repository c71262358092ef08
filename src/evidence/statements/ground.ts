import words from "../../../data/statement-words.json" with { type: "json" };
import type { Rule } from "../../core/records/rule-set.js";
import { DEFAULT_CATEGORY } from "../../core/records/statement.js";
import { citedPassages, type TextRange } from "../../measures/grounding/cited-passages.js";
import { rulesInText } from "../../measures/grounding/rules-in-text.js";
import { sentenceRanges } from "../../text/split-clauses.js";
import type { StatementBasis } from "./draft.js";
import { type DsaFields, dsaFieldsSchema } from "./dsa-schema.js";
import { isLater } from "./facts.js";
import type { Hider } from "./hide.js";
import { cutTo, filled } from "./words.js";

/** A rule that a decision rests on, and the cited part. */
export interface StatedRule {
  scope: "platform" | "community";
  id: string;
  version: string;
  title: string;
  words: string[];
  rule: Rule;
}

interface Ground {
  fields: DsaFields;
  rules: StatedRule[];
  missing: { field: string; reason: "no_rule_cited" | "withheld" | "personal_data" }[];
  notes: ("default_category" | "text_removed" | "text_cut")[];
  /** The reasoning contains something unrecognised that may identify a person. */
  isDoubtful: boolean;
}

const MOST_GROUND = 500;
const MOST_EXPLANATION = 2000;
/** Characters read of a longer reasoning. */
const MOST_READ = 8000;
/** Characters shown of a rule whose words the audit does not repeat. */
const MOST_WORDS = 600;

/** The ground of a restriction: the rules of the audit's citation, their words, and why. A level-3 decision has none. */
export function groundOf(basis: StatementBasis, hider: Hider): Ground {
  const rules = basis.audit.level === 3 ? [] : citedRules(basis);
  const [first] = rules;
  if (!first) {
    const fields = ["decision_ground", "incompatible_content_ground", "incompatible_content_explanation", "category"];
    const missing = fields.map((field) => ({ field, reason: "no_rule_cited" as const }));
    return { fields: {}, rules, missing, notes: [], isDoubtful: false };
  }
  const notes = new Set<Ground["notes"][number]>();
  const law = first.rule.statement?.law;
  const category = first.rule.statement?.category ?? DEFAULT_CATEGORY;
  if (!first.rule.statement?.category) notes.add("default_category");
  const others = [...new Set(rules.slice(1).flatMap(({ rule }) => rule.statement?.category ?? []))];
  const keywords = [...new Set(rules.flatMap(({ rule }) => rule.statement?.keywords ?? []))];
  const explained = explanationOf(basis, rules, hider);
  const missing: Ground["missing"] = explained.reason ? [{ field: "reasoning", reason: explained.reason }] : [];
  if (explained.changed) notes.add("text_removed");
  const cut = (text: string, most: number) => {
    if (text.length > most) notes.add("text_cut");
    return cutTo(text, most);
  };
  const ground = cut(hider.public(law ?? rules.map((rule) => groundText(rule)).join("; ")), MOST_GROUND);
  const explanation = cut(explained.text, MOST_EXPLANATION);
  const addition = others.filter((other) => other !== category);
  return {
    fields: {
      ...(law
        ? {
            decision_ground: "DECISION_GROUND_ILLEGAL_CONTENT",
            illegal_content_legal_ground: ground,
            illegal_content_explanation: explanation,
          }
        : {
            decision_ground: "DECISION_GROUND_INCOMPATIBLE_CONTENT",
            incompatible_content_ground: ground,
            incompatible_content_explanation: explanation,
          }),
      ...urlOf(first.rule),
      category,
      ...(addition.length > 0 && { category_addition: addition }),
      ...(keywords.length > 0 && { category_specification: keywords }),
    },
    rules,
    missing,
    notes: [...notes],
    isDoubtful: explained.isDoubtful,
  };
}

/** Rules named in the audit's citation, else the one that it was found to rest on. */
function citedRules({ audit, frame, rules }: StatementBasis): StatedRule[] {
  const citation = audit.trace?.policy_citation ?? "";
  const named = citation ? rulesInText(citation, frame).named : [];
  const rested = audit.citation?.grounded && audit.citation.rule_id !== null ? [audit.citation] : [];
  // Words that merely resemble a rule do not outweigh the result of grounding.
  const own = rested.filter(
    ({ scope, rule_id }) => !named.some((one) => one.rule_id === rule_id && (scope === "mixed" || one.scope === scope)),
  );
  const list = own.length > 0 ? own : named;
  return list.flatMap(({ scope, rule_id }) => {
    const sides = scope === "platform" || scope === "community" ? [scope] : scope === "mixed" ? BOTH : [];
    for (const side of sides) {
      const rule = rules[side]?.rules.find(({ id }) => id === rule_id);
      const shown = frame.rules.find((one) => one.scope === side && one.id === rule_id);
      if (!rule || !shown) continue;
      const [passages] = citedPassages(citation, [shown.text], frame).passages;
      // The title is given separately: a quotation of both would join words that are apart.
      const bodyFrom = shown.text.startsWith(rule.title) ? rule.title.length : 0;
      const beyondTitle = passages!.filter(
        ([start, end]) => !rule.title.includes(shown.text.slice(Math.max(start, bodyFrom), end).trim()),
      );
      const quoted = wholeSentences(shown.text, bodyFrom, beyondTitle);
      const all = quoted.length > 0 ? quoted : [firstSentences(shown.text.slice(bodyFrom).trim() || rule.title)];
      return [{ scope: side, id: rule.id, version: rules[side]!.version, title: rule.title, words: all, rule }];
    }
    return [];
  });
}

/** The sentences of a rule that have a cited passage; consecutive ones form one quotation. Half a sentence would be another rule. */
function wholeSentences(text: string, from: number, cited: readonly TextRange[]): string[] {
  const quoted: string[] = [];
  let before: number | null = null;
  for (const [start, end] of sentenceRanges(text.slice(from))) {
    const isCited = cited.some((one) => one[0] < from + end && one[1] > from + start);
    const sentence = text.slice(from + start, from + end);
    if (isCited && before !== null) quoted.push(`${quoted.pop()}${text.slice(before, from + start)}${sentence}`);
    else if (isCited) quoted.push(sentence);
    before = isCited ? from + end : null;
  }
  return quoted.map((words) => words.replace(/\s+/g, " "));
}

/** As many sentences as fit. */
function firstSentences(text: string): string {
  if (text.length <= MOST_WORDS) return text;
  const fits = sentenceRanges(text).findLast(([, end]) => end + 2 <= MOST_WORDS);
  return fits ? `${text.slice(0, fits[1])} …` : cutTo(text, MOST_WORDS);
}

const BOTH = ["community", "platform"] as const;

function groundText({ id, title, scope, version }: StatedRule): string {
  return filled(words.ground, { id, title, scope: words.scope[scope], version });
}

function explanationOf(
  { audit, decision, withReasoning }: StatementBasis,
  rules: readonly StatedRule[],
  hider: Hider,
): { text: string; changed: boolean; isDoubtful: boolean; reason: "withheld" | "personal_data" | null } {
  const { explanation } = words;
  const said = rules.map(({ id, words: cited }) =>
    hider.public(filled(explanation.words, { id, words: cited.join(" … ").replace(/[.。]+$/, "") })),
  );
  const name = isLater(audit.created_at, decision.decided_at) ? explanation.later_audit : explanation.audit;
  const level = audit.level ? filled(explanation.level[audit.level], { audit: name }) : "";
  const opposite = audit.inverse ? [explanation.opposite] : [];
  const chain = cutTo(audit.trace?.logic_chain?.trim() ?? "", MOST_READ);
  const reasoning = chain && withReasoning ? hider.clean(chain) : null;
  const text = [...said, level, ...opposite, ...(reasoning ? [filled(explanation.reasoning, { reasoning })] : [])];
  const reason = !chain || reasoning ? null : withReasoning ? "personal_data" : "withheld";
  const changed = reasoning !== null && reasoning !== chain.replace(/\s+/g, " ");
  const isDoubtful = reasoning !== null && hider.isDoubtful(reasoning);
  return { text: text.filter(Boolean).join(" "), changed, isDoubtful, reason };
}

function urlOf({ url }: Rule): DsaFields {
  const read = dsaFieldsSchema.shape.decision_ground_reference_url.safeParse(url ?? undefined);
  return read.success && read.data ? { decision_ground_reference_url: read.data } : {};
}
