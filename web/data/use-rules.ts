import { useMemo } from "react";
import type { RuleGain } from "../../src/experiments/rules/tiers/result.js";
import type { RuleFinding } from "../../src/measures/grounding/lint/finding.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { type RuleVersion, referenceKey, ruleRemarks, ruleTexts } from "../../src/present/words/rule-texts.js";
import { usePage } from "./page-context.ts";
import { useExperiment } from "./use-experiment.ts";

/** The versions of every rule, newest first, by `ruleKey`. Empty if the report was made without the rules. */
export function useRuleTexts(): ReadonlyMap<string, readonly RuleVersion[]> {
  const page = usePage();
  return useMemo(() => ruleTexts(page), [page]);
}

type Remarks = ReadonlyMap<string, readonly RuleFinding[]>;

/** The rules of a report never change, so they are linted once and not on the page of each rule. */
const kept = new WeakMap<ReportPage, Remarks>();

/** The lint's remarks on the current rules, by `ruleKey`. Empty if the report was made without the rules. */
export function useRuleRemarks(): Remarks {
  const page = usePage();
  const known = kept.get(page);
  if (known) return known;
  const remarks = ruleRemarks(page);
  kept.set(page, remarks);
  return remarks;
}

export interface PlacedGain extends RuleGain {
  at: string;
}

/** What more text of a rule changes, by `referenceKey`, from the experiment `rules tiers`. Empty without a result. */
export function useTierGains(): ReadonlyMap<string, PlacedGain> {
  const tiers = useExperiment("tiers")?.result;
  return useMemo(() => {
    const rules = tiers?.rules.by_finest.rules ?? [];
    return new Map(
      rules.map((rule, place) => [
        referenceKey(rule),
        { ...rule, at: `/report/experiments/tiers/rules/by_finest/rules/${place}` },
      ]),
    );
  }, [tiers]);
}
