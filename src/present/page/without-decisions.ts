import type { Citation } from "../../core/records/audit.js";
import type { Report } from "../../core/results/report.js";
import type { GateFindings } from "../../measures/gate/gate-report.js";
import type { PageText } from "../../measures/report-page.js";
import type { HashedSort } from "./keyed-hash.js";

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

/** How what people and models wrote comes onto a page: as it is, or redacted. */
export interface Writing {
  redacted: boolean;
  /** Content, reasons, notes. `most`: characters shown; `sort`: what it is. */
  text(whole: string, most: number, sort: HashedSort): PageText;
  /** What an auditor cited in a decision of a community: it may be the words of a rule, and may be those of the content. */
  cited(whole: string, most: number, citation: Citation | null, community: string): PageText;
  /** The tokens of a citation. */
  tokens(tokens: [string, number][], citation: Citation | null, community: string): [string | null, number][];
  /** What went wrong, in words that may quote an answer. */
  message(whole: string, most: number): string;
  /** What sort of content it is, and its language. */
  kind(kind: string): string | null;
  language(name: string): string | null;
  /** When something was decided, in whatever words. */
  date(text: string): string | null;
  /** Which rules applied, `<platform>+<community>`, or the version of one rule set. */
  version(version: string): string;
  /** Why an audit failed, as a code. */
  code(code: string): string;
  /** The id of a rule as a person named it. */
  ruleId(id: string, community: string): string | null;
  /** The id of a rule that an auditor cites. */
  citedRule(id: string, community: string): string;
  /** Name or id of a person. */
  person(id: string): string;
  /** Name of a model or of another program that decides. */
  model(id: string): string;
}

/** Everything as it was written, as far as there is room. */
export const shownWriting: Writing = {
  redacted: false,
  text: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  cited: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  tokens: (tokens) => tokens,
  message: cutText,
  kind: (kind) => kind,
  language: (name) => name,
  date: (text) => text,
  version: (version) => version,
  code: (code) => code,
  ruleId: (id) => id,
  citedRule: (id) => id,
  person: (id) => id,
  model: (id) => id,
};

/** The beginning of a text, cut between two characters and not inside one. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 1);
  const end = before >= 0xd800 && before <= 0xdbff ? most - 1 : most;
  // By way of a buffer: a slice would keep the whole text in memory.
  return Buffer.from(text.slice(0, Math.max(0, end)), "utf16le").toString("utf16le");
}
