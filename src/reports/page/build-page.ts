import type { Report } from "../../domain/report.js";
import type { ReportPage } from "../../figures/report-page.js";
import { DEFAULT_DELTA } from "../../gate/certified-gate.js";
import { STANDARD_LIMITS } from "../../gate/gate-input.js";
import { DEFAULT_Q } from "../../gate/shrunk-gate.js";
import type { AuditTable } from "../../ledger/audit-table.js";
import { countGateCohorts } from "../../ledger/gate-counts.js";
import { VERSION } from "../../version.js";

/** Everything the pages of a report show, from the audits of a run. */
export async function buildPage(table: AuditTable, report: Report): Promise<ReportPage> {
  return {
    format: 1,
    made_by: `defensible ${VERSION}`,
    redacted: false,
    report,
    gate_input: {
      cohorts: await countGateCohorts(table, { by: ["community"] }),
      mode: "shrunk",
      limits: STANDARD_LIMITS,
      q: DEFAULT_Q,
      delta: DEFAULT_DELTA,
      adjust: "holm",
      look: "anytime",
    },
    timeline: null,
    rule_sets: [],
    decisions: [],
    decisions_of: 0,
    calibration_details: null,
    notes: [],
  };
}
