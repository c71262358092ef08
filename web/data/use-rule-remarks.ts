import { useMemo } from "react";
import type { RuleFinding } from "../../src/measures/grounding/lint/finding.js";
import { ruleRemarks } from "../../src/present/words/rule-texts.js";
import { usePage } from "./page-context.ts";

/** What the lint remarks on the rules in force, by `ruleKey`. Empty where the report was made without the rules. */
export function useRuleRemarks(): ReadonlyMap<string, readonly RuleFinding[]> {
  const page = usePage();
  return useMemo(() => ruleRemarks(page), [page]);
}
