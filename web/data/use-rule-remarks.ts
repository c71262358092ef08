import type { RuleFinding } from "../../src/measures/grounding/lint/finding.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { ruleRemarks } from "../../src/present/words/rule-texts.js";
import { usePage } from "./page-context.ts";

type Remarks = ReadonlyMap<string, readonly RuleFinding[]>;

/** The rules of a report never change: all of them are read once, and not again on the page of each rule. */
const kept = new WeakMap<ReportPage, Remarks>();

/** What the lint remarks on the rules in force, by `ruleKey`. Empty where the report was made without the rules. */
export function useRuleRemarks(): Remarks {
  const page = usePage();
  const known = kept.get(page);
  if (known) return known;
  const remarks = ruleRemarks(page);
  kept.set(page, remarks);
  return remarks;
}
