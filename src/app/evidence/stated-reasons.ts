import type { MoreColumn } from "../../analysis/audit-select.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { statedRows } from "../../analysis/labels/judgements.js";
import { STATED_ARM } from "../../core/names.js";
import { isRestricting } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import { tierSchema } from "../../core/records/rule-set.js";
import type { Report } from "../../core/results/report.js";
import { statedReason } from "../../measures/grounding/stated-reason.js";
import {
  type AuditedReason,
  auditedReason,
  auditedReasons,
  reasonAccuracy,
  type StatedReason,
} from "../../measures/metrics/reason-accuracy.js";
import type { Context } from "../../store/context.js";
import { Framing } from "./framing.js";

/** Columns of the audit table that stated reasons need. */
export const REASON_COLUMNS = [
  "ruleset_version",
  "tier",
  "trace.policy_citation",
] as const satisfies readonly MoreColumn[];

type Places = Pick<Context, "records" | "config" | "findHasher">;

/** Whether a run's audits rest on the reasons stated for its decisions, and the results of auditing those reasons. */
export async function statedReasons(
  table: AuditTable,
  context: Places,
): Promise<NonNullable<Report["stated_reasons"]>> {
  const rows = await statedRows(table, await context.records.snapshot());
  const framing = rows.some(({ cited_rule, rationale }) => cited_rule ?? rationale)
    ? await Framing.open(context)
    : null;
  const counted = rows.map(({ scope, rule_id, grounded, alone, ...row }) => {
    const { community, level, n } = row;
    const tier = tierSchema.safeParse(row.tier).data ?? "wiki";
    const frame = framing?.frame(community, row.ruleset_version, tier) ?? null;
    const citation = scope === null ? null : { scope, rule_id, grounded };
    const code = statedReason(row, { ...row, citation }, frame);
    const audited = isRestricting(table.actions, row.decision)
      ? auditedReason(code, level, alone === 0 ? "none" : alone)
      : null;
    return { community, n, code, audited };
  });
  const audited = counted.flatMap(({ audited, ...row }) => (audited === null ? [] : [{ ...row, audited }]));
  const isAudited = rows.some(({ alone }) => alone !== null);
  return { ...reasonAccuracy(counted), ...(isAudited ? { audited: auditedReasons(audited) } : {}) };
}

/** The audit's result on one decision's stated reason; null: no verdict. */
export async function statedReasonOf(
  context: Places,
  decision: Decision | null,
  audits: readonly Audit[],
): Promise<{ stated: StatedReason; audited: AuditedReason | null } | null> {
  const audit = audits.find(({ arm, outcome }) => arm === "" && outcome === "verdict");
  if (!decision || !audit) return null;
  const framing = await Framing.open(context, decision.community);
  const frame = framing.frame(decision.community, audit.ruleset_version ?? null, audit.tier);
  const stated = statedReason(decision, { ...audit, policy_citation: audit.trace?.policy_citation }, frame);
  const alone = audits.find(({ arm, replicate }) => arm === STATED_ARM && replicate === 0);
  return {
    stated,
    audited: alone ? auditedReason(stated, audit.level!, alone.outcome === "verdict" ? alone.level! : "none") : null,
  };
}
