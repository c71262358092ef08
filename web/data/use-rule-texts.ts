import { useMemo } from "react";
import { type RuleVersion, ruleTexts } from "../../src/present/words/rule-texts.js";
import { usePage } from "./page-context.ts";

/** The wording of every rule, by `ruleKey`; newest version first. Empty where the report was made without the rules. */
export function useRuleTexts(): ReadonlyMap<string, readonly RuleVersion[]> {
  const page = usePage();
  return useMemo(() => ruleTexts(page), [page]);
}
