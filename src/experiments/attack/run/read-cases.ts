import type { AuditTable } from "../../../analysis/audit-table.js";
import { tallyByRule } from "../../../analysis/tallies.js";
import { hashText } from "../../../audit/arms.js";
import { InputError } from "../../../core/errors.js";
import { type Actions, actionChoice, isAction } from "../../../core/records/actions.js";
import type { Decision } from "../../../core/records/decision.js";
import { fileError } from "../../../io/files.js";
import { readLines } from "../../../io/read-lines.js";
import { INVERSE_YES } from "../../../measures/metrics/indices.js";
import { ALL_CELLS, countRate } from "../../../measures/metrics/tally.js";
import { meanOf, UNIT_RANGE } from "../../../stats/intervals/mean-estimate.js";
import { oddsRatio } from "../../../stats/intervals/two-proportions.js";
import { quantile } from "../../../stats/ranks/sorted-order.js";
import { spearman } from "../../../stats/ranks/spearman.js";
import { mannWhitney } from "../../../stats/tests/mann-whitney.js";
import { type AttackCase, type AttackResult, attackCaseSchema } from "../result.js";
import type { ScoredCase } from "./tables.js";

/** Most faults listed at once. */
const LISTED = 5;

/** Reads the cases of an attack file. Faulty lines are reported with their numbers, and nothing is run. */
export async function readAttackCases(path: string, actions: Actions): Promise<AttackCase[]> {
  const cases: AttackCase[] = [];
  const faults: string[] = [];
  const lines = new Map<string, number>();
  try {
    for await (const batch of readLines(path)) {
      for (const line of batch) {
        const read = parseCase(line.text, actions);
        if (typeof read === "string") faults.push(`line ${line.number}: ${read}`);
        else if (lines.has(read.id)) {
          faults.push(`line ${line.number}: id "${read.id}" is in line ${lines.get(read.id)} already`);
        } else {
          lines.set(read.id, line.number);
          cases.push(read);
        }
      }
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") {
      throw new InputError(
        "no_file",
        `attack file: there is no ${path}`,
        "`defensible attack build --out FILE` makes one.",
      );
    }
    throw fileError(cause, path);
  }
  // The missing base may be on a faulty line.
  if (faults.length === 0) faults.push(...missingBases(cases, lines));
  if (faults.length > 0) {
    const more = faults.length > LISTED ? `; and ${faults.length - LISTED} more` : "";
    throw new InputError(
      "bad_attack_file",
      `attack file ${path}: ${faults.slice(0, LISTED).join("; ")}${more}`,
      "`defensible schema attack_case` prints the format of a line; docs/attack.md explains it.",
    );
  }
  if (cases.length === 0) {
    throw new InputError("empty_attack_file", `attack file: ${path} holds no case`, "Build one with `attack build`.");
  }
  return cases;
}

/** Trace attacks that name a case whose audit they cannot change. */
function missingBases(cases: readonly AttackCase[], lines: ReadonlyMap<string, number>): string[] {
  const byId = new Map(cases.map((one) => [one.id, one]));
  return cases.flatMap((one) => {
    if (one.target !== "trace" || !one.base_case) return [];
    const base = byId.get(one.base_case);
    if (base && sharesAudit(one, base)) return [];
    const what = base
      ? `case "${one.base_case}" is not an input of the same community and decision`
      : `the file has no case "${one.base_case}"`;
    return `line ${lines.get(one.id)}: base_case: ${what}; fix it, or leave it out and the case itself is audited`;
  });
}

/** A case, or the fault of the line. */
function parseCase(text: string, actions: Actions): AttackCase | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "not JSON";
  }
  const parsed = attackCaseSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue!.path.join(".") || "the line"}: ${issue!.message}`;
  }
  const one = parsed.data;
  if (!isAction(actions, one.decision)) {
    return `decision: got "${one.decision}", expected ${actionChoice(actions)}`;
  }
  if (one.target === "trace" && !one.attack?.text)
    return "attack.text: a trace attack needs the citation that it puts in";
  if (one.target === "trace" && one.kind === "clean") return "target: a clean case changes nothing, got trace";
  return one;
}

/** The audits that a file of cases needs. */
export interface AttackInputs {
  decisions: Decision[];
  /** Hash of the decisions: a run belongs to the file whose inputs it audited. */
  hash: string;
  /** Id under which each case's audit is kept, by case id. */
  auditIds: ReadonlyMap<string, string>;
}

/**
 * One decision to audit for every case with an input of its own. A trace attack that names a clean case of the file shares its audit. An
 * audit is kept under the id of the decision that the case was made from, so that the simulated auditor, which knows the world, finds it;
 * or under the case's own id if several cases were made from one decision.
 */
export function attackInputs(cases: readonly AttackCase[]): AttackInputs {
  const byId = new Map(cases.map((one) => [one.id, one]));
  const uses = new Map<string, number>();
  const own = cases.filter((one) => baseOf(one, byId) === null);
  const taken = new Set(own.map((one) => one.id));
  for (const { decision_id } of own) if (decision_id) uses.set(decision_id, (uses.get(decision_id) ?? 0) + 1);
  const auditIds = new Map<string, string>();
  for (const { id, decision_id } of own) {
    // A decision's id that is also the id of another case would be ambiguous.
    const free = decision_id && uses.get(decision_id) === 1 && (decision_id === id || !taken.has(decision_id));
    auditIds.set(id, free ? decision_id : id);
  }
  for (const one of cases) {
    const base = baseOf(one, byId);
    if (base) auditIds.set(one.id, auditIds.get(base.id)!);
  }
  const decisions = own.map((one): Decision => decisionOf(one, auditIds.get(one.id)!));
  return { decisions, hash: hashText(JSON.stringify(decisions)), auditIds };
}

/** The clean case whose audit a trace attack changes; null: the attack itself is audited. */
function baseOf(one: AttackCase, byId: ReadonlyMap<string, AttackCase>): AttackCase | null {
  if (one.target !== "trace" || !one.base_case) return null;
  const base = byId.get(one.base_case);
  return base && sharesAudit(one, base) ? base : null;
}

/** Whether a trace attack can use the audit of this case. */
function sharesAudit(trace: AttackCase, base: AttackCase): boolean {
  return base.target === "input" && base.decision === trace.decision && base.community === trace.community;
}

/** Contains only what an auditor may see: neither the truth nor the nature of the attack. */
function decisionOf(one: AttackCase, id: string): Decision {
  return {
    id,
    community: one.community,
    content: one.content,
    decision: one.decision,
    ...(one.decided_at ? { decided_at: one.decided_at } : {}),
    ...(one.ruleset_version ? { ruleset_version: one.ruleset_version } : {}),
  };
}

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

/** Fewest rules with attacks for a statement about them. */
const LEAST_RULES = 3;

/**
 * Whether attacks escape where rules are ambiguous. Compares the Ambiguity Index, in the run that the attacks were made from, of the rules
 * behind escaped and caught attacks. Attacks on one rule are not independent, so rules are also compared with each other.
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
  // Many attacks on one rule may all lie at the median, which is then assigned to the side that makes the halves more equal.
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
    escaped: { n: gone.length, ambiguity_index: meanOf(gone, undefined, UNIT_RANGE) },
    caught: { n: caught.length, ambiguity_index: meanOf(caught, undefined, UNIT_RANGE) },
    mann_whitney: test,
    median,
    inclusive,
    /** Odds of escape under rules above the median (`inclusive`: or at it), relative to the others. */
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
