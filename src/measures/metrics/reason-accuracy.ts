import type { Report } from "../../core/results/report.js";
import { shareEstimate } from "./rate.js";

/** What an audit says of the reason that was given for a decision (docs/metrics.md#stated-reasons). */
export const STATED_REASONS = [
  "right_reason",
  "other_rule",
  "no_rule_supports",
  "unknown_rule",
  "undetermined",
  "unstated",
] as const;
export type StatedReason = (typeof STATED_REASONS)[number];

/** Reasons that could be checked: they name a rule, and the audit says whether it supports the decision. */
const CHECKED: readonly StatedReason[] = ["right_reason", "other_rule", "no_rule_supports", "unknown_rule"];

/**
 * Reason accuracy: of the decisions whose stated reason could be checked, the share whose reason is a rule that the audit rests on.
 *
 * Formula: right / (right + other_rule + no_rule_supports + unknown_rule); among supported decisions right / (right + other_rule).
 * Range: [0, 1]. Undefined when: no reason could be checked.
 * @param rows null: there are no decisions to read reasons from
 */
export function reasonAccuracy(
  rows: readonly { community: string; code: StatedReason; n: number }[] | null,
): NonNullable<Report["stated_reasons"]> {
  const byCommunity = new Map<string, Record<StatedReason, number>>();
  const all = noReasons();
  for (const { community, code, n } of rows ?? []) {
    const own = byCommunity.get(community) ?? noReasons();
    byCommunity.set(community, own);
    own[code] += n;
    all[code] += n;
  }
  const share = (codes: readonly StatedReason[], empty: string) =>
    shareEstimate(
      [...byCommunity.values()]
        .map((own) => ({ k: own.right_reason, n: codes.reduce((sum, code) => sum + own[code], 0) }))
        .filter(({ n }) => n > 0),
      rows === null ? "there are only audits, no decisions" : empty,
    );
  return {
    counts: rows === null ? null : all,
    accuracy: share(CHECKED, "no decision states a reason that names a rule"),
    accuracy_supported: share(["right_reason", "other_rule"], "no supported decision cites a rule that exists"),
  };
}

const noReasons = () => Object.fromEntries(STATED_REASONS.map((code) => [code, 0])) as Record<StatedReason, number>;
