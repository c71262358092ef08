import type { AuditTable } from "../../../analysis/audit-table.js";
import { tallyByRule } from "../../../analysis/tallies.js";
import type { AttackResult } from "../../../core/results/attack.js";
import { INVERSE_YES } from "../../../measures/metrics/ambiguity-index.js";
import { ALL_CELLS, countRate } from "../../../measures/metrics/tally.js";
import { oddsRatio } from "../../../stats/intervals/odds-ratio.js";
import { quantile } from "../../../stats/ranks/quantile.js";
import { spearman } from "../../../stats/ranks/spearman.js";
import { mannWhitney } from "../../../stats/tests/mann-whitney.js";
import { meanOf } from "./rates.js";
import type { ScoredCase } from "./score-case.js";

/** Ambiguity Index of each rule of a run, by `scope, community, id`. */
export type RuleAmbiguity = ReadonlyMap<string, number>;

export async function ruleAmbiguity(table: AuditTable): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { key, tallies } of await tallyByRule(table)) {
    const [scope, owner, id] = key;
    // The share alone: intervals for tens of thousands of rules would take seconds.
    const counts = tallies.map((tally) => countRate(tally, ALL_CELLS, INVERSE_YES));
    const [k, n] = [sum(counts.map((count) => count.k)), sum(counts.map((count) => count.n))];
    if (n > 0 && scope !== "mixed") found.set(ruleId(scope!, owner ?? null, id!), k / n);
  }
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function ruleId(scope: string, community: string | null, id: string): string {
  return JSON.stringify([scope, scope === "platform" ? null : community, id]);
}

/** Rules that attacks must be known of before anything is said of them. */
const LEAST_RULES = 3;

/**
 * Do attacks escape where rules are ambiguous? Compares the Ambiguity Index, in the run that the attacks were made from, of the rules that escaped and
 * caught attacks turn on. Attacks on one rule are not independent, so rules are also compared with each other.
 */
export function ambiguousRules(
  inputs: readonly ScoredCase[],
  escaped: (one: ScoredCase) => boolean | null,
  ambiguity: RuleAmbiguity | null,
  unknown?: string,
): AttackResult["ambiguous_rules"] {
  if (ambiguity === null) return { reason: "the run that the attacks were made from is not in this workspace" };
  if (unknown !== undefined) return { reason: `what escapes is not known either: ${unknown}` };
  const rows = inputs.flatMap((one) => {
    const { rule, community } = one.case;
    const key = rule ? ruleId(rule.scope, community, rule.rule_id) : null;
    const index = key === null ? undefined : ambiguity.get(key);
    const gone = escaped(one);
    return index === undefined || gone === null ? [] : [{ key: key!, index, escaped: gone }];
  });
  const indexOf = (outcome: boolean) => rows.filter((row) => row.escaped === outcome).map((row) => row.index);
  const [gone, caught] = [indexOf(true), indexOf(false)];
  const judged = inputs.filter((one) => escaped(one) !== null).length;
  if (rows.length === 0) return { reason: "no attack turns on a rule that the run cites", n: 0 };
  const sorted = rows.map((row) => row.index).sort((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  // Many attacks on one rule may all lie at the median: it goes to the side that leaves the halves more alike.
  const above = rows.filter((row) => row.index > median).length;
  const below = rows.filter((row) => row.index < median).length;
  const inclusive = above < below;
  const isHigh = (index: number) => (inclusive ? index >= median : index > median);
  const count = (high: boolean, outcome: boolean) =>
    rows.filter((row) => isHigh(row.index) === high && row.escaped === outcome).length;
  const byRule = new Map<string, { index: number; k: number; n: number }>();
  for (const row of rows) {
    const rule = byRule.get(row.key) ?? { index: row.index, k: 0, n: 0 };
    rule.n++;
    if (row.escaped) rule.k++;
    byRule.set(row.key, rule);
  }
  const rules = [...byRule.values()];
  const test = mannWhitney(gone, caught);
  return {
    n: rows.length,
    without_index: judged - rows.length,
    escaped: { n: gone.length, ambiguity_index: meanOf(gone) },
    caught: { n: caught.length, ambiguity_index: meanOf(caught) },
    mann_whitney: test,
    median,
    inclusive,
    /** Odds of escape under rules above the median (`inclusive`: or at it) against the others. */
    odds_ratio: oddsRatio(count(true, true), count(true, false), count(false, true), count(false, false)),
    rules: rules.length,
    rank_correlation:
      rules.length < LEAST_RULES
        ? { estimate: null, reason: "fewer than 3 rules", n: rules.length, p_value: null }
        : spearman(
            rules.map((rule) => rule.index),
            rules.map((rule) => rule.k / rule.n),
          ),
  };
}
