import { GATE_MODES, type GateMode } from "../../core/names.js";
import type { FrontierPoint, ScoreFrontierPoint } from "../../measures/gate/frontier.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { printable } from "../../text/printable.js";
import { type Block, type Text, table } from "../document/document.js";
import { gridText } from "../figures/gate-modes.js";
import { decimal, percent, plural, whole } from "../words/numbers.js";
import { countedAt, estAt, numberAt, type Sentence, sentence } from "../words/sentence.js";
import { gateName } from "../words/words.js";
import { ambiguityWord, count, type EvaluatedGate, share } from "./verdict-document.js";

const WIDTH = 60;
const HEIGHT = 10;

/** Coverage against risk over a grid of limits, as a small text figure. */
export function frontierSection({ frontier, fleet, thresholds, variable }: GateReport): Block[] {
  if (!frontier || fleet.counts.eligible_communities === 0) return [];
  const heading: Block = { kind: "heading", text: "Coverage and risk of other limits" };
  const outcomes = distinct(frontier.points);
  if (outcomes.length < 2) {
    const why =
      outcomes.length === 0
        ? `No community passes any pair of limits on the grid (${gridText(thresholds, variable)})`
        : `Every pair of limits that any community passes has the same best outcome: ${share(outcomes[0]!.coverage)} of the decisions at ${share(outcomes[0]!.risk, 2)} indefensible`;
    return [heading, { kind: "text", text: `${why}, so there is no trade-off to draw.` }];
  }
  const here = { coverage: fleet.decision_coverage_eligible, risk: fleet.automated_indefensible_rate };
  const knee = frontier.knee
    ? `The knee (K) is at DI ≥ ${share(frontier.knee.di, 0)}, ${variable === "ai" ? "ambiguity" : "pure ambiguity"} ≤ ${share(frontier.knee.ai, 0)}: ${share(frontier.knee.coverage)} of the decisions at ${share(frontier.knee.risk, 2)} indefensible; beyond it coverage costs more risk than before.`
    : `There is no knee: ${frontier.reason}.`;
  return [
    heading,
    { kind: "picture", lines: picture(outcomes, here) },
    {
      kind: "text",
      text: `${plural(outcomes.length, "best trade-off")} of the two limits (o), by the observed rates; G is the gate here (DI ≥ ${share(thresholds.di, 0)}). ${knee} All of this is seen on the same decisions that it is chosen by, so it flatters; \`--holdout\` does not.`,
    },
  ];
}

/** One point per outcome, by coverage. */
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
  const label = (row: number) => (row === 0 ? percent(top) : row === HEIGHT - 1 ? "0.0%" : "").padStart(7);
  return [
    "indefensible, of the automated",
    ...grid.map((cells, row) => `${label(row)} │${cells.join("").trimEnd()}`),
    `${" ".repeat(8)}└${"─".repeat(WIDTH)}`,
    `${" ".repeat(9)}0%${"decisions automated".padStart(WIDTH / 2 + 6)}${"100%".padStart(WIDTH / 2 - 9)}`,
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

const SCENARIO_NOTE =
  "* marks the limits used here. of judged, decisions, of all: share of the communities with enough decisions that passes, of the decisions of these, and of all decisions. kept out: share of the indefensible decisions that is not automated (the paper's risk reduction). chance: what a gate that picks at random would keep out at the same coverage. rate cut: how much lower the indefensible rate is in the automated part than without a gate.";

/** The paper's four settings and the current one, with all three coverages and both reductions next to the level expected by chance. */
export function scenariosSection(gate: EvaluatedGate): Block[] {
  const { scenarios, thresholds, fleet } = gate;
  if (fleet.counts.eligible_communities === 0) return [];
  const rows = (cells: (at: string) => Text[]) =>
    scenarios.map(({ name, di, ai }, i) => [
      `${name}${di === thresholds.di && ai === thresholds.ai ? " *" : ""}`,
      ...cells(`/scenarios/${i}`),
    ]);
  const bar = (at: string) => estAt(at, "percent", "bar");
  return [
    { kind: "heading", text: "Scenarios" },
    table(
      ["scenario", ">DI ≥", ">amb. ≤", ">passing", ">of judged", ">decisions", ">of all"],
      rows((at) => [
        numberAt(`${at}/di`, "limit"),
        numberAt(`${at}/ai`, "limit"),
        numberAt(`${at}/passing`, "whole"),
        bar(`${at}/estimates/community_coverage`),
        bar(`${at}/estimates/decision_coverage_eligible`),
        bar(`${at}/estimates/decision_coverage_all`),
      ]),
    ),
    table(
      ["automated", ">DI", ">amb.", ">indefensible", ">rate", ">kept out", ">chance", ">rate cut"],
      rows((at) => [
        numberAt(`${at}/fleet_di`),
        numberAt(`${at}/fleet_ai`),
        estAt(`${at}/estimates/automated_indefensible_rate`, "percent", "counts"),
        bar(`${at}/estimates/automated_indefensible_rate`),
        numberAt(`${at}/exposure_reduction`),
        numberAt(`${at}/random_gate_baseline`),
        numberAt(`${at}/conditional_risk_reduction`),
      ]),
    ),
    {
      kind: "text",
      as: "note",
      text: sentence`What passes the ${gateName(gate.mode)}. Without a gate ${numberAt("/fleet/base_indefensible_rate", "risk")} of the ${countedAt("/fleet/counts/eligible_decisions", fleet.counts.eligible_decisions, "decision")} judged are indefensible. amb.: ${ambiguityWord(gate)}. ${SCENARIO_NOTE}`,
    },
  ];
}

/** The same limits in the three modes: which communities pass, how much is automated, and what is guaranteed. */
export function modesSection(gate: EvaluatedGate): Block[] {
  const { communities, methods, mode: used } = gate;
  if (communities.length === 0) return [];
  return [
    { kind: "heading", text: "Proven against observed" },
    { kind: "text", text: provenText(gate) },
    table<Text>(
      ["gate", ">pass", ">decisions", ">of all", ">L3", ">false", "~promise"],
      GATE_MODES.map((mode) => [
        `${gateName(mode).replace(" gate", "")}${mode === used ? " *" : ""}`,
        numberAt(`/by_mode/${mode}/passing`, "whole"),
        estAt(`/by_mode/${mode}/estimates/decision_coverage_eligible`, "percent", "bar"),
        numberAt(`/by_mode/${mode}/decision_coverage_all`),
        estAt(`/by_mode/${mode}/estimates/automated_indefensible_rate`, "percent", "bar"),
        falsePasses(mode),
        methods[mode],
      ]),
    ),
    {
      kind: "text",
      as: "note",
      text: "decisions: of those in communities with enough of them. false: expected false passes, the sum over the communities that pass of the probability that a limit is really broken, if each is like the others of the fleet.",
    },
  ];

  function falsePasses(mode: GateMode): string {
    const passing = communities.filter((one) => one.passes[mode]);
    if (passing.some((one) => one.shrunk.f_c === null)) return "–";
    return decimal(passing.reduce((sum, one) => sum + one.shrunk.f_c!, 0));
  }
}

function provenText({ communities }: EvaluatedGate): Sentence {
  const passing = communities.filter((one) => one.passes.paper);
  if (passing.length === 0) return ["By the observed rates no community passes."];
  const proven = passing.filter((one) => one.passes.certified).length;
  return sentence`By the observed rates, as in the paper, ${countedAt("/by_mode/paper/passing", passing.length, "community passes", "communities pass")}. Small ones can pass by luck: the limits are proven for ${whole(proven)} of them.`;
}
