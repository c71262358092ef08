import { hashText } from "../../../audit/identity.js";
import type { Decision } from "../../../core/records/decision.js";
import type { AttackCase } from "../../../core/results/attack.js";

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
export function sharesAudit(trace: AttackCase, base: AttackCase): boolean {
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
