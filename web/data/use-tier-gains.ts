import { useMemo } from "react";
import type { RuleGain } from "../../src/experiments/rules/tiers/result.js";
import { referenceKey } from "../../src/present/words/rule-texts.js";
import { useExperiment } from "./use-experiment.ts";

export interface PlacedGain extends RuleGain {
  /** JSON pointer to it. */
  at: string;
}

/** What more text of a rule changes, by `referenceKey`: the workspace's experiment `rules tiers`. Empty where there is none. */
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
