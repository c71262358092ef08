import type { Report } from "../../core/results/report.js";
import type { GateFindings } from "../../measures/gate/gate-report.js";

/** A tag or kind that fewer decisions have says as much of each of them as of the group. */
const LEAST_DECISIONS = 5;

/**
 * A report without single decisions, for `--no-decisions`. Its own numbers are of groups, of which the smallest slices go; results of experiments list cases, which go, and
 * have pictures with a mark for each, which stay without the names.
 */
export function withoutDecisions(report: Report): Report {
  const { stability, experiments, gate_findings: findings } = report;
  const names = new CaseNames();
  return {
    ...report,
    ...(stability ? { stability: names.leaveOut(stability) as typeof stability } : {}),
    ...(experiments ? { experiments: names.leaveOut(experiments) as typeof experiments } : {}),
    ...(findings ? { gate_findings: withoutRareValues(findings) } : {}),
  };
}

function withoutRareValues(findings: NonNullable<Report["gate_findings"]>): typeof findings {
  const { slices } = findings as object as GateFindings;
  if (!slices) return findings;
  const rows = slices.rows.filter(({ n }) => n >= LEAST_DECISIONS);
  const kept = new Set(rows.map(({ slice, value }) => JSON.stringify([slice, value])));
  const warnings = slices.warnings.filter(({ slice, value }) => kept.has(JSON.stringify([slice, value])));
  return { ...findings, slices: { ...slices, rows, warnings } };
}

class CaseNames {
  private readonly numbers = new Map<string, number>();

  leaveOut(value: unknown, member = ""): unknown {
    if (Array.isArray(value)) {
      if (member === "rows") return value.map((row) => this.unnamed(row));
      if (member === "ids") return [];
      return value.filter((one) => !isCase(one)).map((one) => this.leaveOut(one));
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.leaveOut(one, name)]));
  }

  /** A row of a figure. The same case has the same number in all of them, so that pictures can still be laid side by side. */
  private unnamed(row: unknown): unknown {
    if (!isCase(row)) return row;
    const number = this.numbers.get(row.decision_id) ?? this.numbers.size + 1;
    this.numbers.set(row.decision_id, number);
    return { ...row, decision_id: `case ${number}` };
  }
}

function isCase(value: unknown): value is { decision_id: string } {
  return typeof (value as { decision_id?: unknown } | null)?.decision_id === "string";
}
