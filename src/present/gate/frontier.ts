import type { FrontierPoint } from "../../measures/gate/frontier.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import type { ScoreFrontierPoint } from "../../measures/gate/score-frontier.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { gridText } from "../figures/page-gate.js";
import { gateName } from "../words/gate-change.js";
import { percent, plural } from "../words/numbers.js";
import { cohortWord, count, share } from "./verdict.js";

const WIDTH = 60;
const HEIGHT = 10;

/** Coverage against risk over a grid of limits, as a small picture. */
export function frontierSection({ frontier, fleet, thresholds, variable }: GateReport): Block[] {
  if (!frontier || fleet.counts.eligible_communities === 0) return [];
  const heading: Block = { kind: "heading", text: "Coverage and risk of other limits" };
  const outcomes = distinct(frontier.points);
  if (outcomes.length < 2) {
    const why =
      outcomes.length === 0
        ? `No pair of limits on the grid (${gridText(thresholds, variable)}) lets anybody pass`
        : `Every pair of limits that lets anybody pass has the same best outcome: ${share(outcomes[0]!.coverage)} of the decisions at ${share(outcomes[0]!.risk, 2)} indefensible`;
    return [heading, { kind: "text", text: `${why}, so there is no trade-off to draw.` }];
  }
  const here = { coverage: fleet.decision_coverage_eligible, risk: fleet.automated_indefensible_rate };
  const knee = frontier.knee
    ? `The knee (K) is at DI ≥ ${share(frontier.knee.di, 0)}, ${variable === "ai" ? "AI" : "pure AI"} ≤ ${share(frontier.knee.ai, 0)}: ${share(frontier.knee.coverage)} of the decisions at ${share(frontier.knee.risk, 2)} indefensible; beyond it coverage costs more risk than before.`
    : `There is no knee: ${frontier.reason}.`;
  return [
    heading,
    { kind: "picture", lines: picture(outcomes, here) },
    {
      kind: "text",
      text: `${plural(outcomes.length, "best trade-off")} of DI and AI limits (o), by the observed rates; G is the gate here (DI ≥ ${share(thresholds.di, 0)}). ${knee} All of this is seen on the same decisions that it is chosen by, so it flatters; \`--holdout\` does not.`,
    },
  ];
}

/** One point for each outcome, by coverage. */
function distinct(points: readonly FrontierPoint[]): FrontierPoint[] {
  const seen = new Map<string, FrontierPoint>();
  for (const point of points) {
    const key = `${point.automated_decisions}/${point.automated_indefensible}`;
    if (!seen.has(key) || point.knee) seen.set(key, point);
  }
  return [...seen.values()].sort((a, b) => a.coverage! - b.coverage!);
}

function picture(points: readonly FrontierPoint[], gate: { coverage: number | null; risk: number | null }): string[] {
  const top = points.reduce((most, point) => Math.max(most, point.risk!), gate.risk ?? 0) || 1;
  const grid = Array.from({ length: HEIGHT }, () => Array<string>(WIDTH + 1).fill(" "));
  const put = (coverage: number, risk: number, mark: string) => {
    const x = Math.round(coverage * WIDTH);
    const y = HEIGHT - 1 - Math.round((risk / top) * (HEIGHT - 1));
    grid[y]![x] = mark;
  };
  for (const point of points) put(point.coverage!, point.risk!, "o");
  if (gate.coverage !== null && gate.risk !== null) put(gate.coverage, gate.risk, "G");
  for (const point of points) if (point.knee) put(point.coverage!, point.risk!, "K");
  const label = (row: number) => (row === 0 ? percent(top) : row === HEIGHT - 1 ? "0.0 %" : "").padStart(7);
  return [
    "indefensible, of the automated",
    ...grid.map((cells, row) => `${label(row)} │${cells.join("").trimEnd()}`),
    `${" ".repeat(8)}└${"─".repeat(WIDTH)}`,
    `${" ".repeat(9)}0 %${"decisions automated".padStart(WIDTH / 2 + 6)}${"100 %".padStart(WIDTH / 2 - 9)}`,
  ];
}

const SHOWN = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/** The paper's frontier over S: automate by score alone, whatever the community. */
export function scoreFrontierSection({ score_frontier: frontier, selective }: GateReport): Block[] {
  if (!frontier) return [];
  const heading: Block = { kind: "heading", text: "Automating by S alone" };
  if (frontier.scored === 0) {
    if (frontier.unscored === 0) return [];
    return [heading, { kind: "text", text: "No verdict has an S: the auditor gave no probabilities." }];
  }
  const calibration = selective?.calibration_id
    ? `Calibration ${printable(selective.calibration_id, 60)} was found and used: automation by score goes by its probability, not by S.`
    : "`defensible calibrate` gives a score that is one; none was found that fits these audits.";
  const shown = frontier.points.filter(
    (point) => point.knee || point.paper_knee || SHOWN.some((one) => Math.abs(one - point.threshold) < 1e-9),
  );
  const remark = (point: ScoreFrontierPoint) =>
    [point.paper_knee ? "the paper's knee" : "", point.knee ? "the knee here" : ""].filter(Boolean).join(", ");
  return [
    heading,
    table(
      ["S ≥", ">decisions", ">coverage", ">L3", ">rate", ""],
      shown.map((point) => [
        point.threshold.toFixed(2),
        count(point.n),
        share(point.coverage),
        count(point.indefensible),
        share(point.indefensible_rate, 2),
        remark(point),
      ]),
    ),
    {
      kind: "text",
      text: `S (PDS) of ${plural(frontier.scored, "verdict")}${frontier.unscored > 0 ? `, ${count(frontier.unscored)} without` : ""}; ${share(frontier.indefensible / frontier.scored, 2)} of them are indefensible. S is no probability: it falls with the inverse check, whatever the level. ${calibration}`,
    },
  ];
}

/** The paper's four settings and one's own, with all three coverages and both reductions beside what chance would give. */
export function scenariosSection(report: GateReport): Block[] {
  if (report.fleet.counts.eligible_communities === 0) return [];
  const { many } = cohortWord(report);
  const own = (di: number, ai: number) => (di === report.thresholds.di && ai === report.thresholds.ai ? " *" : "");
  return [
    { kind: "heading", text: "Scenarios" },
    table(
      ["scenario", ">DI ≥", ">AI ≤", ">passing", ">of judged", ">decisions", ">of all"],
      report.scenarios.map((row) => [
        `${row.name}${own(row.di, row.ai)}`,
        share(row.di, 0),
        share(row.ai, 0),
        count(row.passing),
        share(row.community_coverage),
        share(row.decision_coverage_eligible),
        share(row.decision_coverage_all),
      ]),
    ),
    table(
      ["automated", ">DI", ">AI", ">indefensible", ">kept out", ">by chance", ">rate cut"],
      report.scenarios.map((row) => [
        `${row.name}${own(row.di, row.ai)}`,
        share(row.fleet_di),
        share(row.fleet_ai),
        `${count(row.counts.automated_indefensible)} of ${count(row.counts.automated_decisions)}`,
        share(row.exposure_reduction),
        share(row.random_gate_baseline),
        share(row.conditional_risk_reduction),
      ]),
    ),
    {
      kind: "text",
      text: `Passing the ${gateName(report.mode)}; * marks the limits used here. of judged, decisions, of all: share of the ${many} with enough decisions that passes, of the decisions of these, and of all decisions. Without a gate ${share(report.fleet.base_indefensible_rate, 2)} of the ${plural(report.fleet.counts.eligible_decisions, "decision")} judged are indefensible. kept out: share of the indefensible decisions that is not automated (the paper's risk reduction). by chance: what a gate that picks at random would keep out at the same coverage. rate cut: how much lower the indefensible rate is in the automated part than without a gate.`,
    },
  ];
}
