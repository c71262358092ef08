import type { GateReport, GateReportCommunity } from "../../measures/gate/gate-report.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { plural, whole } from "../words/numbers.js";
import { byPeople, largestFirst, suspensionText } from "./communities-document.js";
import { ambiguityWord, cohortWord, count, names, onlyAlarmed, share } from "./verdict-document.js";

/** Nothing passes: why, the most frequent reason first, and the next step; of few communities that of each reason. */
export function blockedSection(report: GateReport): Block[] {
  if (report.communities.length === 0) return [];
  const groups = blockedBy(report);
  return [
    report.communities.length <= FEW ? communityTable(report, groups) : reasonTable(report, groups),
    ...byPeople(report),
    ...(report.communities.length <= FEW ? groups : groups.slice(0, 1)).map((group) => ({
      kind: "text" as const,
      text: nextStep(group),
    })),
  ];
}

/** So many communities are shown one by one. */
const FEW = 5;

function communityTable(report: GateReport, groups: readonly Blocked[]): Block {
  return table(
    [cohortWord(report).one, ">verdicts", ">DI", ">amb.", "blocked by"],
    groups.flatMap(({ reason, rows }) =>
      rows.map((row) => [
        printable(row.community, 40),
        count(row.n),
        share(row.di),
        share(row[report.variable]),
        reason,
      ]),
    ),
  );
}

function reasonTable(report: GateReport, groups: readonly Blocked[]): Block {
  return table(
    ["blocked by", `>${cohortWord(report).many}`, ">verdicts", "~the largest"],
    groups.map(({ reason, rows }) => [
      reason,
      whole(rows.length),
      whole(rows.reduce((sum, row) => sum + row.n, 0)),
      names(
        rows.map(({ community }) => community),
        1,
      ),
    ]),
  );
}

interface Blocked {
  reason: string;
  /** The largest first. */
  rows: GateReportCommunity[];
}

/** Communities by what blocks them. */
function blockedBy(report: GateReport): Blocked[] {
  const groups = new Map<string, GateReportCommunity[]>();
  const alarmed = onlyAlarmed(report);
  for (const { row } of largestFirst(report)) {
    const reason = row.suspended && !alarmed.has(row.community) ? "suspended after an alarm" : reasonOf(row, report);
    groups.set(reason, [...(groups.get(reason) ?? []), row]);
  }
  return [...groups]
    .map(([reason, rows]) => ({ reason, rows }))
    .sort((a, b) => b.rows.length - a.rows.length || b.rows[0]!.n - a.rows[0]!.n);
}

function reasonOf(row: GateReportCommunity, report: GateReport): string {
  const ambiguity = `${ambiguityWord(report)} too high`;
  if (row.state === "insufficient") return `fewer than ${whole(report.thresholds.min_decisions)} verdicts`;
  if (row.binding === "di") return "DI too low";
  if (row.binding === "ai") return ambiguity;
  if (row.binding === "both") return `DI too low, ${ambiguity}`;
  if (row.harm && !row.harm.passes[report.mode]) return "harm too high, or not certain";
  return "within limits, not certain";
}

/** What to do about the most frequent reason, in the largest community that it blocks. */
function nextStep({ rows: [row] }: Blocked): string {
  const { community, n, suspended, advice } = row!;
  const text = suspended ? suspensionText(suspended.reason) : advice.text;
  return `Next, in ${printable(community, 40)} (${plural(n, "verdict")}): ${printable(text, 400)}`;
}
