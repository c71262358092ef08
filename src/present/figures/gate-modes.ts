import type { Figure } from "../../core/figure.js";
import { GATE_MODES, type GateMode } from "../../core/names.js";
import { type CohortLabels, labelCountsOf } from "../../measures/gate/certified-gate.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { frontierGrid } from "../../measures/gate/frontier.js";
import type { GateEvaluation, GateOptions } from "../../measures/gate/gate-evaluation.js";
import { communityInKey } from "../../measures/gate/route/reasons.js";
import type { ReportPage } from "../../measures/report-page.js";
import { byCount, percent, plural, whole, wideInterval } from "../words/numbers.js";
import { gateName } from "../words/words.js";
import type { MaybeFigure } from "./missing.js";

const known = new WeakMap<ReportPage, GateEvaluation>();

/** The gate by the report's own settings, with the frontier; computed once, since several figures use it. */
export function pageGate(page: ReportPage): GateEvaluation {
  let gate = known.get(page);
  if (!gate) {
    const { cohorts, limits, mode } = page.gate_input;
    gate = evaluateGate(cohorts, { ...gateOptions(page), limits, mode });
    known.set(page, gate);
  }
  return gate;
}

/** Gate options of a page that a reader does not change: error rates, adjustment, looks, and human labels if the gate requires them. */
export function gateOptions(
  { gate_input: { q, delta, adjust, look, thread_cap, label_counts } }: ReportPage,
  labels = label_counts,
): Pick<GateOptions, "q" | "delta" | "adjust" | "look" | "threadCap" | "labelCounts"> {
  return { q, delta, adjust, look, threadCap: thread_cap, ...(labels ? { labelCounts: labelCountsOf(labels) } : {}) };
}

/** Human labels summed by community, if the gate requires labels; empty if it does not divide by community. */
export function communityLabels({ gate_input: { by, label_counts } }: ReportPage): CohortLabels[] | undefined {
  if (!label_counts) return undefined;
  const sums = new Map<string, CohortLabels>();
  for (const { key, labels, indefensible, cells } of label_counts) {
    const community = communityInKey(by, key);
    if (community === null) continue;
    const sum = sums.get(community) ?? { key: community, labels: 0, indefensible: 0 };
    sums.set(community, {
      ...sum,
      labels: sum.labels + labels,
      indefensible: sum.indefensible + indefensible,
      ...(cells ? { cells: [...(sum.cells ?? []), ...cells] } : {}),
    });
  }
  return [...sums.values()];
}

/** Limits in symbols, as on the gate. */
export function limitsText(
  { di, ai, harm }: { di: number; ai: number; harm?: number | undefined },
  variable: GateEvaluation["variable"],
): string {
  const short = (value: number) => `${+(100 * value).toPrecision(4)}%`;
  return `DI ≥ ${short(di)}, ${variable === "ai_pure" ? "pure ambiguity" : "ambiguity"} ≤ ${short(ai)}${harm === undefined ? "" : `, harm ≤ ${+harm.toPrecision(4)}`}`;
}

/** Limits in words, for sentences: "defensibility at least …, ambiguity at most …". */
export function limitsInWords(
  { di, ai, harm }: { di: number; ai: number; harm?: number | undefined },
  variable: GateEvaluation["variable"],
): string {
  const short = (value: number) => `${+(100 * value).toPrecision(4)}%`;
  return `defensibility at least ${short(di)}, ${variable === "ai_pure" ? "pure ambiguity" : "ambiguity"} at most ${short(ai)}${harm === undefined ? "" : `, harm at most ${+harm.toPrecision(4)}`}`;
}

/** The grid of limits that a frontier covers: the ranges of DI and of ambiguity. */
export function gridText(limits: { di: number; ai: number }, variable: GateEvaluation["variable"]): string {
  const { di, ai } = frontierGrid(limits);
  const short = (value: number) => Math.round(100 * value);
  return `DI ${short(di[0]!)} to 100%, ${variable === "ai_pure" ? "pure ambiguity" : "ambiguity"} 0 to ${short(ai.at(-1)!)}%`;
}

/** Why no gate can be drawn: no community has enough decisions. */
export function nobodyEligible({ fleet, thresholds }: Pick<GateEvaluation, "fleet" | "thresholds">): string {
  const { communities } = fleet.counts;
  if (communities === 0) return "There is no audit to judge by.";
  return `No community has the ${whole(thresholds.min_decisions)} audited decisions that the gate asks for.`;
}

/** The named settings and the report's own gate. */
export function gateScenariosFigure(page: ReportPage): MaybeFigure {
  return gateScenariosOf(pageGate(page));
}

/** How much of what each named setting would automate is indefensible, with intervals. */
export function gateScenariosOf(gate: GateEvaluation): MaybeFigure {
  if (gate.fleet.counts.eligible_communities === 0) return { missing: nobodyEligible(gate) };
  const { scenarios, thresholds, variable, mode } = gate;
  const rows = scenarios.flatMap((scenario) => {
    const estimate = scenario.estimates.automated_indefensible_rate;
    const interval = wideInterval(estimate);
    if (estimate.estimate === null || !interval) return [];
    return [
      {
        scenario: scenario.name === "Own" ? "these settings" : scenario.name,
        limits: limitsText(scenario, variable),
        rate: estimate.estimate,
        ...interval,
        indefensible: estimate.k ?? null,
        automated: estimate.n,
        coverage: scenario.decision_coverage_eligible,
      },
    ];
  });
  const own = gate.fleet;
  const edge = Math.min(
    1,
    Math.ceil(105 * Math.max(own.base_indefensible_rate ?? 0, ...rows.map((row) => row.upper))) / 100,
  );
  if (rows.length === 0)
    return { missing: `No community passes the ${gateName(mode)} with any of the named settings.` };
  return {
    id: "gate-scenarios",
    title:
      own.automated_indefensible_rate === null
        ? `With ${limitsInWords(thresholds, variable)} the ${gateName(mode)} automates nothing`
        : `With ${limitsInWords(thresholds, variable)}, ${percent(own.decision_coverage_eligible ?? 0)} is automated and ${percent(own.automated_indefensible_rate)} of that is indefensible, against ${percent(own.base_indefensible_rate ?? 0)} without a gate`,
    mark: "point",
    x: { field: "rate", label: "indefensible among the automated decisions", format: "percent", domain: [0, edge] },
    y: { field: "scenario", label: "setting", order: rows.map(({ scenario }) => scenario) },
    name: "limits",
    interval: "x",
    references: [
      ...(own.base_indefensible_rate === null
        ? []
        : [{ axis: "x" as const, value: own.base_indefensible_rate, label: "without a gate" }]),
    ],
    caption: `By the ${gateName(mode)}. Intervals (95%) are the wider of two: decisions taken one by one, and decisions of one community taken as depending on each other.`,
    paper: "Table gate",
    rows,
  } satisfies Figure;
}

/** The report's own gate: how many communities would pass with more decisions, in each mode. */
export function gateModesFigure(page: ReportPage): MaybeFigure {
  return gateModesOf(pageGate(page));
}

/**
 * How many communities pass as each gains audited decisions while all rates stay as observed: one line per mode, starting with those that pass now. A
 * line that stays low means that more data will not help.
 */
export function gateModesOf(gate: GateEvaluation): MaybeFigure {
  if (gate.fleet.counts.communities === 0) return { missing: nobodyEligible(gate) };
  // Without verdicts there are no observed rates, so the number needed is unknown.
  const seen = gate.communities.filter((one) => one.n > 0);
  const unseen = gate.communities.length - seen.length;
  if (seen.length === 0) return { missing: "No community has a verdict yet, so there are no observed rates." };
  const needed = Object.fromEntries(
    GATE_MODES.map((mode) => [mode, seen.flatMap((one) => (one[mode].more === null ? [] : [one[mode].more]))]),
  ) as Record<GateMode, number[]>;
  if (Object.values(needed).every((list) => list.length === 0)) {
    return {
      missing: "No community passes in any mode, and more decisions will not help while the rates stay as observed.",
    };
  }
  const most = practical(Object.values(needed).flat());
  const beyond = needed.certified.filter((more) => more > most).length;
  const helpless = seen.filter((one) => GATE_MODES.every((mode) => one[mode].more === null)).length;
  return {
    id: "gate-modes",
    title: title(gate),
    mark: "line",
    x: { field: "more", label: "more decisions audited in each community", format: "whole", scale: "sqrt" },
    y: { field: "communities", label: "communities that pass", format: "whole" },
    series: "mode",
    series_order: [...GATE_MODES],
    interval: "none",
    caption: `If the rates stay as observed and all other communities stay as they are. Communities: ${whole(gate.fleet.counts.communities)}.${beyond > 0 ? ` ${plural(beyond, "community", "communities")} would be certified beyond the edge.` : ""}${helpless > 0 ? ` For ${plural(helpless, "community", "communities")} no number of decisions helps in any mode.` : ""}${unseen > 0 ? ` Left out: ${plural(unseen, "community", "communities")} without a verdict.` : ""}`,
    rows: GATE_MODES.flatMap((mode) => steps(mode, needed[mode], most)),
  } satisfies Figure;
}

/** Communities that pass now by the observed rates and with proof. Shrinkage can also pass communities whose observed rates do not. */
function title({ communities }: GateEvaluation): string {
  const passing = (mode: GateMode) => communities.filter((one) => one.passes[mode]);
  const paper = passing("paper").length;
  const shrunk = passing("shrunk").length;
  const unproven = passing("paper").filter((one) => !one.passes.certified).length;
  const count = plural(paper, "community", "communities");
  if (paper === 0 && shrunk > 0) {
    return `${plural(shrunk, "community passes", "communities pass")} when drawn towards the fleet, and none by the observed rates`;
  }
  if (paper === 0) return "No community passes in any mode yet";
  if (unproven === 0) {
    return paper === 1
      ? "The one community that passes by the observed rates is certified"
      : `All ${count} that pass by the observed rates are certified`;
  }
  if (unproven === paper) {
    return `${count} ${byCount(paper, "passes", "pass")} by the observed rates, and ${byCount(paper, "that", "for none of them that")} is ${byCount(paper, "not proven yet", "proven yet")}`;
  }
  return `${count} pass by the observed rates; for ${whole(unproven)} of them that is not proven yet`;
}

/** Edge of the figure: covers nine in ten of the communities that more decisions let pass, rounded up; the last may take a hundred times as many. */
function practical(needed: readonly number[]): number {
  const sorted = needed.filter((more) => more > 0).sort((a, b) => a - b);
  const nine = sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0;
  if (nine === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(nine));
  return [1, 2, 5, 10].map((step) => step * power).find((edge) => edge >= nine)!;
}

/** Corners of the steps, so that straight lines between them are exact. */
function steps(mode: GateMode, needed: readonly number[], most: number) {
  const sorted = [...needed].sort((a, b) => a - b);
  const rows: { mode: GateMode; more: number; communities: number }[] = [];
  let passing = sorted.filter((more) => more === 0).length;
  rows.push({ mode, more: 0, communities: passing });
  for (const more of new Set(sorted.filter((one) => one > 0 && one <= most))) {
    rows.push({ mode, more, communities: passing });
    passing += sorted.filter((one) => one === more).length;
    rows.push({ mode, more, communities: passing });
  }
  if (most > rows[rows.length - 1]!.more) rows.push({ mode, more: most, communities: passing });
  return rows;
}
