import { countPatterns, type LabelledPattern, listArms, pairArms } from "../../analysis/arm-pairs.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { InputError } from "../../core/errors.js";
import type { Estimate } from "../../core/estimate.js";
import { sideNames } from "../../core/records/actions.js";
import type { ArmCounts, ArmRates, ArmSource, ArmStep, Changes } from "../../core/results/paired-change.js";
import {
  armPatterns,
  type Counted,
  clusterShares,
  FOLLOWED,
  onePool,
  type Patterns,
} from "../../measures/metrics/paired/arm-patterns.js";
import { type ChangeOptions, pairedChange, worstCaseChange } from "../../measures/metrics/paired/paired-change.js";
import { transitions } from "../../measures/metrics/paired/transitions.js";
import { shareEstimate } from "../../measures/metrics/rate.js";
import { auditorNotes } from "../audits.js";
import type { RulesShown } from "./build-tiers.js";
import { KnownRules } from "./rule-gains.js";

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

/** Puts the arms side by side. Every arm must be there, and some decision must have a verdict in all of them. */
export async function compareArms(table: AuditTable, arms: readonly string[], name: string): Promise<ArmCounts> {
  const found = await listArms(table);
  const missing = arms.filter((arm) => !found.some((one) => one.arm === arm));
  if (missing.length > 0) {
    const names = (list: readonly string[]) => list.map((arm) => `"${arm}"`).join(", ");
    throw new InputError(
      "missing_arms",
      `arms: ${name} has no audits with arm ${names(missing)}; got ${names(found.slice(0, 12).map(({ arm }) => arm)) || "none"}`,
      "Audit every condition in one run, or name another run or file.",
    );
  }
  const counts = await pairArms(table, arms);
  if (counts.paired > 0) return counts;
  const { decisions, different_action: other } = counts;
  if (other > 0) {
    const rest = decisions - other;
    throw new InputError(
      "nothing_paired",
      `arms: ${other} of the ${decisions} decisions of ${name} ${other === 1 ? "has" : "have"} a different action in another arm${rest === 0 ? "" : `, and the other ${rest} ${rest === 1 ? "has" : "have"} no verdict in every arm`}`,
      "Arms are compared on the same decision with the same action: fix the column `decision` of the audits.",
    );
  }
  throw new InputError(
    "nothing_paired",
    `arms: none of the ${counts.decisions} decisions of ${name} has a verdict in every arm`,
    "`defensible runs show ID` says how the audits of a run ended.",
  );
}

/** What experiments with arms have in common: the arms side by side, and a way to repeat what is computed for each action apart. */
export async function pairedArms(
  table: AuditTable,
  arms: readonly string[],
  { source, rules }: { source: ArmSource; rules: RulesShown },
) {
  const counts = await compareArms(table, arms, source.name);
  const patterns = await countPatterns(table.db, counts);
  const { positive, negative } = sideNames(table.actions);
  const of = (action: string) => patterns.filter((one) => one.positive === (action === positive));
  return {
    counts,
    patterns,
    options: { unit: counts.clusters.unit },
    known: new KnownRules("sets" in rules ? rules.sets : []),
    byDecision: <Group>(groupOf: (rows: LabelledPattern[]) => Group): Record<string, Group> =>
      Object.fromEntries([positive, negative].map((action) => [action, groupOf(of(action))])),
    head: { runs: source.run_id ? [source.run_id] : [], source, counts },
  };
}

/** Auditors that draw their own random numbers: arms with the same `draws` get the same ones, and all arms of these experiments have. */
function sharesDraws(auditor: string | null): boolean {
  return ["baseline", "simulated"].includes(auditor?.split(":")[0] ?? "");
}

/** What a reader has to know of the audits before the figures. */
export function armWarnings(counts: ArmCounts, { auditor, temperature }: ArmSource): string[] {
  const warnings: string[] = [];
  const lacking = counts.decisions - counts.paired - counts.different_action - counts.no_rules;
  if (lacking > 0)
    warnings.push(`left out for lack of a verdict in an arm: ${lacking} of ${counts.decisions} decisions`);
  if (counts.no_rules > 0)
    warnings.push(`left out because an arm has no rule for them: ${counts.no_rules} of ${counts.decisions} decisions`);
  if (counts.different_action > 0) {
    warnings.push(
      `left out for another action in another arm: ${counts.different_action} of ${counts.decisions} decisions`,
    );
  }
  if (temperature) {
    warnings.push(
      sharesDraws(auditor)
        ? `audited at temperature ${temperature} with the same random numbers in every arm: a verdict changes only where what the auditor is shown does`
        : `audited at temperature ${temperature}: some verdicts change from arm to arm by chance alone, fewer at temperature 0`,
    );
  }
  warnings.push(...auditorNotes([auditor]));
  return warnings;
}
