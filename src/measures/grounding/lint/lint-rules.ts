import { detectLanguage } from "../../../core/language.js";
import type { RuleSet } from "../../../core/records/rule-set.js";
import { groupDuplicates } from "./duplicates.js";
import { emptyTiers } from "./empty-tiers.js";
import { finding, LINT_CHECKS, type PlacedRule, partsOf, type RuleFinding, referenceTo } from "./finding.js";
import { pairFindings } from "./pairs.js";
import { danglingReferences } from "./references.js";
import { undefinedTerms } from "./undefined-terms.js";
import { type RuleUse, useFindings } from "./use.js";
import { catchAll, elsewhere, hedges } from "./wording.js";

export interface LintOptions {
  /** How a run used each rule, by {@link ruleKey}; absent: no run was given. */
  use?: ReadonlyMap<string, RuleUse>;
  /** Share of open decisions that a rule may have. */
  greatestOpen?: number;
}

export function ruleKey(placed: PlacedRule): string {
  const { scope, community, rule_id } = referenceTo(placed);
  return JSON.stringify([scope, community, rule_id]);
}

/**
 * What can be said of rules without a model: empty tiers, catch-all discretion, undefined terms, hedges, duplicates, contradictions,
 * references to nowhere; with a run also rules that are never cited or leave decisions open. Wordings are looked for in English only;
 * a rule in another language gets a note. It finds forms of words, not meanings: a finding is a question to the author.
 *
 * The sets are taken to hold at once: one version of each.
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

/** Ids that a rule may refer to: its own set's and the platform's. */
function knownIds(sets: readonly RuleSet[]): (set: RuleSet) => ReadonlySet<string> {
  const idsOf = (set: RuleSet) =>
    set.rules.flatMap(({ id, title }) => {
      // "Rule 0 – Be kind": what others call it by.
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
