import { useMemo } from "react";
import { ruleRemarks } from "../../src/figures/rule-remarks.js";
import type { RuleFinding } from "../../src/grounding/lint/finding.js";
import { usePage } from "./page-context.ts";

/** What the lint remarks on the rules in force, by `ruleKey`. Empty where the report was made without the rules. */
export function useRuleRemarks(): ReadonlyMap<string, readonly RuleFinding[]> {
  const page = usePage();
  return useMemo(() => ruleRemarks(page), [page]);
}
