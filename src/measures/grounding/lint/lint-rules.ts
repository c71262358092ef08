import { detectLanguage } from "../../../core/language.js";
import type { RuleSet } from "../../../core/records/rule-set.js";
import { undefinedTerms } from "./conflicts.js";
import {
  finding,
  LINT_CHECKS,
  type PlacedRule,
  partsOf,
  type RuleFinding,
  referenceTo,
  sharedShare,
  topicStems,
} from "./finding.js";
import { pairFindings } from "./pairs.js";
import { catchAll, elsewhere, hedges, type RuleUse, useFindings } from "./wording.js";

/** References to rules that do not exist: `Rule 9`, or an id in the format of this set's ids. */
function danglingReferences(placed: PlacedRule, known: ReadonlySet<string>): RuleFinding[] {
  const found: RuleFinding[] = [];
  const form = idForm(placed.rule.id);
  for (const { part, text } of partsOf(placed.rule)) {
    /** For each id: whether the words around it mark it as a rule. */
    const seen = new Map<string, boolean>();
    for (const match of text.matchAll(/\brules?\s+(?:no\.?\s*|#)?(?<id>\d{1,3})\b/giu))
      seen.set(match.groups!.id!, true);
    if (form) {
      for (const match of text.matchAll(form))
        seen.set(match[0], seen.get(match[0]) || isNamedAsRule(text, match.index, match[0]));
    }
    for (const [id, sure] of seen) {
      if (PHRASES.has(id) && !isNumbered(known)) continue;
      if (known.has(id.toLowerCase()) || known.has(`r${id}`.toLowerCase())) continue;
      found.push(
        finding(placed, {
          check: "dangling_reference",
          severity: sure ? "error" : "note",
          part,
          quote: id,
          message: sure
            ? `refers to rule ${id}, which does not exist`
            : `names ${id}, which reads like one of its rules but is not`,
          remedy: sure ? "Fix the reference." : "If a rule is meant, fix the reference.",
        }),
      );
    }
  }
  return found;
}

/** Internet sayings ("Rule 34", "Rule 63") rather than references, in sets without such rules. */
const PHRASES = new Set(["34", "63"]);

/** Whether there are so many rules that 34 could be the number of a deleted one. */
function isNumbered(known: ReadonlySet<string>): boolean {
  return known.has("33");
}

/** R5 may be a resistor and R8 a car. An id is a rule if "rule", "see", "under", "per" or "section" precedes it, or "of the rules" follows it. */
function isNamedAsRule(text: string, index: number, id: string): boolean {
  const before =
    /\b(?:rules?|see|under|per|sections?)\s+(?:also\s+)?(?:[A-Z]{1,3}-?\d{1,3}\s*(?:,|&|and|or|,\s*and|,\s*or)\s+)*$/iu;
  const behind = /^\s+of (?:the|our|these) (?:\w+ )?rules\b/iu;
  return before.test(text.slice(Math.max(0, index - 100), index)) || behind.test(text.slice(index + id.length));
}

/** A letter and a number, like `R3`. Other ids look like ordinary words and are not searched for. */
function idForm(id: string): RegExp | null {
  const match = /^(?<letters>[A-Z]{1,3})-?\d{1,3}$/.exec(id);
  return match ? new RegExp(`\\b${match.groups!.letters}-?\\d{1,3}\\b`, "gu") : null;
}

/** Smallest share of common words at which a tier only repeats the previous one. */
const REPEATS = 0.9;

/** Tiers without text of their own: an audit at that tier reads no more than at the previous one. */
function emptyTiers(placed: PlacedRule): RuleFinding[] {
  const { rule } = placed;
  const texts = { title: rule.title, description: rule.description?.trim() ?? "", detail: rule.detail?.trim() ?? "" };
  const found: RuleFinding[] = [];
  if (texts.description === "" && texts.detail === "") {
    found.push(
      finding(placed, {
        check: "empty_tier",
        severity: "warning",
        message: "has a title and nothing else: what it covers can only be guessed",
        remedy: "Add a description that says what it covers, and a detail with exceptions and examples.",
      }),
    );
    return found;
  }
  for (const [part, before] of [
    ["description", "title"],
    ["detail", "description"],
  ] as const) {
    const empty = texts[part] === "";
    const repeats =
      !empty && texts[before] !== "" && sharedShare(topicStems(texts[part]), topicStems(texts[before])) >= REPEATS;
    if (!empty && !repeats) continue;
    found.push(
      finding(placed, {
        check: "empty_tier",
        severity: "note",
        part,
        message: empty ? `has no ${part}` : `its ${part} says what its ${before} said`,
        remedy:
          part === "detail"
            ? "Add exceptions, edge cases and worked examples."
            : "Add what it covers, and examples of it.",
      }),
    );
  }
  return found;
}

/** Most rules named in one finding. */
const NAMED = 8;

/**
 * Merges duplicates within one set into one finding per group: boilerplate that ten rules repeat is one remark, not forty-five pairs. Single pairs,
 * other findings and duplicates of the platform's rules are unchanged.
 */
function groupDuplicates(findings: readonly RuleFinding[]): RuleFinding[] {
  const groups = new Map<string, Set<string>>();
  const groupOf = (scope: string, community: string | null, id: string): Set<string> => {
    const key = JSON.stringify([scope, community, id]);
    const known = groups.get(key) ?? new Set([key]);
    groups.set(key, known);
    return known;
  };
  for (const one of findings) {
    if (!isWithinSet(one)) continue;
    const [a, b] = [one, one.other!].map(({ scope, community, rule_id }) => groupOf(scope, community, rule_id));
    if (a === b) continue;
    for (const key of b!) {
      a!.add(key);
      groups.set(key, a!);
    }
  }
  const seen = new Set<Set<string>>();
  return findings.flatMap((one) => {
    const group = isWithinSet(one) ? groupOf(one.scope, one.community, one.rule_id) : null;
    if (!group || group.size < 3) return [one];
    if (seen.has(group)) return [];
    seen.add(group);
    const ids = [...group].map((key) => (JSON.parse(key) as string[])[2]!).filter((id) => id !== one.rule_id);
    const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
    const message = `says what ${ids.length} other rules say (${ids.slice(0, NAMED).join(", ")}${more}): a decision can cite any of them`;
    return [{ ...one, message, remedy: "Keep one of them, or move what they have in common into a rule of its own." }];
  });
}

function isWithinSet({ check, scope, community, other }: RuleFinding): boolean {
  return check === "duplicate" && other?.scope === scope && other.community === community;
}

export interface LintOptions {
  /** How a run used each rule, by `ruleKey`; absent: no run was given. */
  use?: ReadonlyMap<string, RuleUse>;
  /** Largest acceptable share of open decisions under a rule. */
  greatestOpen?: number;
}

export function ruleKey(placed: PlacedRule): string {
  const { scope, community, rule_id } = referenceTo(placed);
  return JSON.stringify([scope, community, rule_id]);
}

/**
 * Findings about rules that need no model: empty tiers, catch-all discretion, undefined terms, hedges, duplicates, contradictions, dangling
 * references; with a run, also rules that are never cited or leave decisions open. Wordings are searched for only in English; a rule in another
 * language gets a note. It finds forms of words, not meanings: a finding is a question to the author.
 *
 * The sets are assumed to be in effect at the same time: one version of each.
 */
export function lintRules(sets: readonly RuleSet[], options: LintOptions = {}): RuleFinding[] {
  const rules = sets.flatMap((set) => set.rules.map((rule): PlacedRule => ({ set, rule })));
  const ids = knownIds(sets);
  const found = rules.flatMap((placed) => [
    ...emptyTiers(placed),
    ...danglingReferences(placed, ids(placed.set)),
    ...wordingFindings(placed),
    ...(options.use
      ? useFindings(placed, options.use.get(ruleKey(placed)) ?? NO_USE, options.greatestOpen ?? 0.15)
      : []),
  ]);
  return [...found, ...groupDuplicates(pairFindings(rules))].sort(inOrder);
}

const NO_USE: RuleUse = { cited: 0, verdicts: 0, open: { estimate: null, reason: "never cited", n: 0 } };

function wordingFindings(placed: PlacedRule): RuleFinding[] {
  const language = detectLanguage(
    partsOf(placed.rule)
      .map(({ text }) => text)
      .join("\n"),
  );
  if (language === null || language === "en") {
    return [...catchAll(placed), ...hedges(placed), ...elsewhere(placed), ...undefinedTerms(placed)];
  }
  return [
    finding(placed, {
      check: "language_not_read",
      severity: "note",
      message: `is written in a language (${language}) whose wordings are not looked at`,
      remedy: "Only its tiers, its references and its pairs were checked.",
    }),
  ];
}

/** Ids that a rule may refer to: those of its own set and the platform's. */
function knownIds(sets: readonly RuleSet[]): (set: RuleSet) => ReadonlySet<string> {
  const idsOf = (set: RuleSet) =>
    set.rules.flatMap(({ id, title }) => {
      // "Rule 0 – Be kind": the number that other rules use for it.
      const number = /^\s*(?:rule\s*)?#?(?<number>\d{1,3})\s*(?:[.:)\]–—-]|$)/iu.exec(title)?.groups?.number;
      return number === undefined ? [id.toLowerCase()] : [id.toLowerCase(), number];
    });
  const platform = sets.filter(({ scope }) => scope === "platform").flatMap(idsOf);
  const known = new Map<RuleSet, ReadonlySet<string>>();
  return (set) => {
    let ids = known.get(set);
    if (!ids) {
      const numbers = set.rules.map((_, i) => String(i + 1));
      ids = new Set([...platform, ...idsOf(set), ...numbers]);
      known.set(set, ids);
    }
    return ids;
  };
}

const SEVERITIES = ["error", "warning", "note"];

/** Errors first, then by check; rules in the order of their sets. */
function inOrder(a: RuleFinding, b: RuleFinding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    LINT_CHECKS.indexOf(a.check) - LINT_CHECKS.indexOf(b.check)
  );
}
