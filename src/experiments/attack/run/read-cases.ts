import { existsSync } from "node:fs";
import { hashText } from "../../../audit/identity.js";
import { InputError } from "../../../core/errors.js";
import type { Actions } from "../../../core/records/actions.js";
import type { Decision } from "../../../core/records/decision.js";
import { type AttackCase, attackCaseSchema } from "../../../core/results/attack.js";
import { fileError } from "../../../io/files.js";
import { readLines } from "../../../io/read-lines.js";

/** Faults that are told at once. */
const TOLD = 5;

/** The cases of an attack file. What does not fit is told with its line, and nothing is run. */
export async function readAttackCases(path: string, actions: Actions): Promise<AttackCase[]> {
  if (!existsSync(path)) {
    throw new InputError(
      "no_file",
      `attack file: there is no ${path}`,
      "`defensible attack build --out FILE` makes one.",
    );
  }
  const cases: AttackCase[] = [];
  const faults: string[] = [];
  const lines = new Map<string, number>();
  try {
    for await (const batch of readLines(path)) {
      for (const line of batch) {
        const read = parseCase(line.text, actions);
        if (typeof read === "string") faults.push(`line ${line.number}: ${read}`);
        else if (lines.has(read.id)) {
          faults.push(`line ${line.number}: id "${read.id}" stands in line ${lines.get(read.id)} already`);
        } else {
          lines.set(read.id, line.number);
          cases.push(read);
        }
      }
    }
  } catch (cause) {
    throw fileError(cause, path);
  }
  // The case on a faulty line may be the one that is missed.
  if (faults.length === 0) faults.push(...missingBases(cases, lines));
  if (faults.length > 0) {
    const more = faults.length > TOLD ? `; and ${faults.length - TOLD} more` : "";
    throw new InputError(
      "bad_attack_file",
      `attack file ${path}: ${faults.slice(0, TOLD).join("; ")}${more}`,
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
    return `line ${lines.get(one.id)}: base_case: ${what}; mend it, or leave it out and the case itself is audited`;
  });
}

/** A case, or what is wrong with the line. */
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
  if (one.decision !== actions.positive && one.decision !== actions.negative) {
    return `decision: got "${one.decision}", expected ${actions.positive} or ${actions.negative}`;
  }
  if (one.target === "trace" && !one.attack?.text)
    return "attack.text: a trace attack needs the citation that it puts in";
  if (one.target === "trace" && one.kind === "clean") return "target: a clean case changes nothing, got trace";
  return one;
}

/** What is audited for a file of cases. */
export interface AttackInputs {
  decisions: Decision[];
  /** Hash of the decisions: a run belongs to the file whose inputs it audited. */
  hash: string;
  /** Id under which the audit of a case stands, by the case's id. */
  auditIds: ReadonlyMap<string, string>;
}

/**
 * One decision to audit for every case that has an input of its own. A trace attack that names a clean case of the file shares its audit. An audit stands
 * under the decision that the case was made of, so that whoever knows the world (the simulated auditor) finds it, or under the case's own id where
 * several cases are of the same decision.
 */
export function attackInputs(cases: readonly AttackCase[]): AttackInputs {
  const byId = new Map(cases.map((one) => [one.id, one]));
  const uses = new Map<string, number>();
  const own = cases.filter((one) => baseOf(one, byId) === null);
  const taken = new Set(own.map((one) => one.id));
  for (const { decision_id } of own) if (decision_id) uses.set(decision_id, (uses.get(decision_id) ?? 0) + 1);
  const auditIds = new Map<string, string>();
  for (const { id, decision_id } of own) {
    // A decision's id that is also the id of some case would be two things.
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

/** The clean case whose audit a trace attack changes; null: it is audited itself. */
function baseOf(one: AttackCase, byId: ReadonlyMap<string, AttackCase>): AttackCase | null {
  if (one.target !== "trace" || !one.base_case) return null;
  const base = byId.get(one.base_case);
  return base && sharesAudit(one, base) ? base : null;
}

/** Whether the audit of one case is that of a trace attack, too. */
function sharesAudit(trace: AttackCase, base: AttackCase): boolean {
  return base.target === "input" && base.decision === trace.decision && base.community === trace.community;
}

/** Only what an auditor may see: neither the truth nor what the attack was. */
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
