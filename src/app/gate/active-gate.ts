import type { Gate } from "../../core/gate.js";
import { cohortLabels } from "../../measures/gate/cohort-labels.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { canonicalValue } from "../../store/formats/canonical.js";
import { absentFrom, type Suspensions } from "../../store/records/suspensions.js";

/** What `route` needs of a gate, what a report computes it from, and no more: it is read at every start. */
export function inForceGate(report: GateReport, suspended: Suspensions): Gate {
  const { mode, thresholds, format, gate_id, created_at, by, evidence, selective, review_share, variable } = report;
  const { adjust, look, delta, q, risk, thread_cap, span } = report;
  const slim = ({ estimates: _, reasons: __, ...scenario }: GateReport["fleet"]) => scenario;
  const known = new Set(report.communities.map((one) => one.community));
  return {
    mode,
    thresholds,
    fleet: slim(report.fleet),
    scenarios: report.scenarios.map(slim),
    communities: [
      ...report.communities.map((one) => ({
        community: one.community,
        n: one.n,
        indefensible: one.indefensible,
        inverse_yes: one.inverse_yes,
        inverse_yes_pure: one.inverse_yes_pure,
        di: one.di,
        ai: one.ai,
        state: one.state,
        suspended: one.suspended,
        passes: one.passes,
        more_decisions_needed: one.more_decisions_needed,
        ...(one.ruleset_versions ? { ruleset_versions: one.ruleset_versions } : {}),
      })),
      ...absentFrom(known, suspended),
    ],
    format,
    gate_id,
    created_at,
    by,
    evidence,
    selective,
    review_share,
    variable,
    adjust,
    look,
    data: report.data,
    delta,
    q,
    risk,
    thread_cap,
    ...(span ? { span } : {}),
    ...(report.judge_error_required
      ? { judge_error_required: true, label_counts: cohortLabels(report.judge_error) }
      : {}),
  };
}

/** Whether two gates say the same, apart from when they were made. */
export function sameGate(a: Gate, b: Gate): boolean {
  const said = ({ gate_id: _, created_at: __, span, ...gate }: Gate) => {
    const { from: _from, to: _to, ...settings } = span ?? {};
    return JSON.stringify(canonicalValue({ ...gate, span: settings }, ""));
  };
  return said(a) === said(b);
}
