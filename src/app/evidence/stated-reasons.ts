import type { MoreColumn } from "../../analysis/audit-select.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { statedRows } from "../../analysis/labels/judgements.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import { tierSchema } from "../../core/records/rule-set.js";
import type { Report } from "../../core/results/report.js";
import { statedReason } from "../../measures/grounding/stated-reason.js";
import { reasonAccuracy, type StatedReason } from "../../measures/metrics/reason-accuracy.js";
import type { Context } from "../../store/context.js";
import { Framing } from "./framing.js";

/** What reasons need of the table of audits. */
export const REASON_COLUMNS = [
  "ruleset_version",
  "tier",
  "trace.policy_citation",
] as const satisfies readonly MoreColumn[];

type Places = Pick<Context, "records" | "config" | "findHasher">;

/** Whether the reasons that were given for a run's decisions are those that their audits rest on. */
export async function statedReasons(
  table: AuditTable,
  context: Places,
): Promise<NonNullable<Report["stated_reasons"]>> {
  const rows = await statedRows(table, await context.records.snapshot());
  const framing = rows.some(({ cited_rule, rationale }) => cited_rule ?? rationale)
    ? await Framing.open(context)
    : null;
  const counted = rows.map(({ scope, rule_id, grounded, ...row }) => {
    const tier = tierSchema.safeParse(row.tier).data ?? "wiki";
    const frame = framing?.frame(row.community, row.ruleset_version, tier) ?? null;
    const citation = scope === null ? null : { scope, rule_id, grounded };
    return { community: row.community, n: row.n, code: statedReason(row, { ...row, citation }, frame) };
  });
  return reasonAccuracy(counted);
}

/** What the audit says of the reason that was given for one decision; null: it has no verdict. */
export async function statedReasonOf(
  context: Places,
  decision: Decision | null,
  audits: readonly Audit[],
): Promise<StatedReason | null> {
  const audit = audits.find(({ arm, outcome }) => arm === "" && outcome === "verdict");
  if (!decision || !audit) return null;
  const framing = await Framing.open(context, decision.community);
  const frame = framing.frame(decision.community, audit.ruleset_version ?? null, audit.tier);
  return statedReason(decision, { ...audit, policy_citation: audit.trace?.policy_citation }, frame);
}
