import type { Estimate } from "../../core/estimate.js";
import type { ArmRates, ArmStep, Changes } from "../../core/results/paired-change.js";
import {
  armPatterns,
  type Counted,
  clusterShares,
  FOLLOWED,
  onePool,
  type Patterns,
} from "../../measures/metrics/arm-patterns.js";
import { type ChangeOptions, pairedChange } from "../../measures/metrics/paired-change.js";
import { shareEstimate } from "../../measures/metrics/share.js";
import { transitions } from "../../measures/metrics/transitions.js";
import { worstCaseChange } from "../../measures/metrics/worst-case-change.js";

/** The indices of an arm on the decisions with a verdict in every arm, with bounds for the others. */
export function armRates(patterns: Patterns, arm: number, name: string, { unit }: Required<ChangeOptions>): ArmRates {
  const table = armPatterns(patterns);
  const clustered = unit === "decision" ? onePool(table) : table;
  const rate = (counted: Counted): Estimate => {
    const estimate = shareEstimate(
      clusterShares(clustered, (verdicts) => counted(verdicts[arm]!)),
      "no decision has a verdict in every arm",
    );
    const worst = worstCaseChange(table, arm, arm, counted);
    return estimate.estimate === null || !worst ? estimate : { ...estimate, worst_case: worst.a };
  };
  const levels = {
    "1": rate(({ level }) => level === 1),
    "2": rate(({ level }) => level === 2),
    "3": rate(({ level }) => level === 3),
  };
  return {
    arm: name,
    defensibility_index: rate(FOLLOWED.defensibility_index),
    ambiguity_index: rate(FOLLOWED.ambiguity_index),
    ambiguity_pure: rate(FOLLOWED.ambiguity_pure),
    levels,
    indefensible: levels["3"].estimate === null ? 0 : levels["3"].k!,
  };
}

/** What changes from one arm to another. */
export function armStep(
  patterns: Patterns,
  from: { arm: number; name: string },
  to: { arm: number; name: string },
  options: Required<ChangeOptions>,
): ArmStep {
  return {
    from: from.name,
    to: to.name,
    changes: armChanges(patterns, from.arm, to.arm, options),
    transitions: transitions(patterns, from.arm, to.arm),
  };
}

export function armChanges(patterns: Patterns, from: number, to: number, options: Required<ChangeOptions>): Changes {
  const of = (counted: Counted) => pairedChange(patterns, from, to, counted, options);
  return {
    defensibility_index: of(FOLLOWED.defensibility_index),
    ambiguity_index: of(FOLLOWED.ambiguity_index),
    ambiguity_pure: of(FOLLOWED.ambiguity_pure),
    level_1: of(FOLLOWED.level_1),
    level_3: of(FOLLOWED.level_3),
  };
}
