import type { Report } from "../../core/results/report.js";
import { shareEstimate } from "./indices.js";

/** Audit results for the reason given for a decision (docs/metrics.md#stated-reasons). */
export const STATED_REASONS = [
  "right_reason",
  "other_rule",
  "no_rule_supports",
  "unknown_rule",
  "undetermined",
  "unstated",
] as const;
export type StatedReason = (typeof STATED_REASONS)[number];

/** Reasons that could be checked: they name a rule, and the audit shows whether it supports the decision. */
const CHECKED: readonly StatedReason[] = ["right_reason", "other_rule", "no_rule_supports", "unknown_rule"];

/**
 * Results of auditing a stated reason: the decision was audited again under only the rules that the reason names (docs/metrics.md#audited-reasons).
 * The first four apply to decisions that follow from the rules.
 */
export const AUDITED_REASONS = [
  "carries_alone",
  "needs_more",
  "only_others",
  "unknown_rule",
  "not_under_all",
  "no_rule_supports",
  "no_verdict",
] as const;
export type AuditedReason = (typeof AUDITED_REASONS)[number];

/**
 * Result of auditing the stated reason of a restriction; null: the reason was not audited.
 * @param code of the reason, from the audit under all rules
 * @param level of the audit under all rules
 * @param alone level of the audit under the stated rules alone; "none": it has no verdict; null: there was no such audit
 */
export function auditedReason(code: StatedReason, level: number, alone: number | "none" | null): AuditedReason | null {
  if (code === "unknown_rule") return level === 3 ? "no_rule_supports" : code;
  if (alone === null) return null;
  if (alone === "none") return "no_verdict";
  if (level === 3) return alone === 3 ? "no_rule_supports" : "not_under_all";
  if (alone !== 3) return "carries_alone";
  return code === "right_reason" ? "needs_more" : "only_others";
}

/** For restrictions that follow from the rules: how often the stated reason alone supports them, and how often they are right for a wrong reason. */
export function auditedReasons(
  rows: readonly { community: string; audited: AuditedReason; n: number }[],
): NonNullable<NonNullable<Report["stated_reasons"]>["audited"]> {
  const [all, ...communities] = counted(
    rows.map(({ audited: code, ...row }) => ({ ...row, code })),
    AUDITED_REASONS,
  );
  const share = (codes: readonly AuditedReason[]) =>
    shareEstimate(
      communities
        .map((own) => ({ k: sum(own, codes), n: sum(own, AUDITED_REASONS.slice(0, 4)) }))
        .filter(({ n }) => n > 0),
      "no restriction with an audited reason follows from the rules",
    );
  return {
    counts: all!,
    carries_alone: share(["carries_alone"]),
    wrong_reason: share(["only_others", "unknown_rule"]),
  };
}

/**
 * Reason accuracy: among decisions whose stated reason could be checked, the share whose reason is a rule that the audit rests on.
 *
 * Formula: right / (right + other_rule + no_rule_supports + unknown_rule); among supported decisions right / (right + other_rule).
 * Range: [0, 1]. Undefined when: no reason could be checked.
 * @param rows null: there are no decisions to read reasons from
 */
export function reasonAccuracy(
  rows: readonly { community: string; code: StatedReason; n: number }[] | null,
): NonNullable<Report["stated_reasons"]> {
  const [all, ...communities] = counted(rows ?? [], STATED_REASONS);
  const share = (codes: readonly StatedReason[], empty: string) =>
    shareEstimate(
      communities.map((own) => ({ k: own.right_reason, n: sum(own, codes) })).filter(({ n }) => n > 0),
      rows === null ? "there are only audits, no decisions" : empty,
    );
  return {
    counts: rows === null ? null : all!,
    accuracy: share(CHECKED, "no decision states a reason that names a rule"),
    accuracy_supported: share(["right_reason", "other_rule"], "no supported decision cites a rule that exists"),
  };
}

const sum = <Code extends string>(counts: Record<Code, number>, codes: readonly Code[]) =>
  codes.reduce((all, code) => all + counts[code], 0);

/** Rows by code, for all communities and for each. */
function counted<Code extends string>(
  rows: readonly { community: string; code: Code; n: number }[],
  codes: readonly Code[],
): Record<Code, number>[] {
  const none = () => Object.fromEntries(codes.map((code) => [code, 0])) as Record<Code, number>;
  const byCommunity = new Map<string, Record<Code, number>>();
  const all = none();
  for (const { community, code, n } of rows) {
    const own = byCommunity.get(community) ?? none();
    byCommunity.set(community, own);
    own[code] += n;
    all[code] += n;
  }
  return [all, ...byCommunity.values()];
}
