import type { Figure, FigureRow } from "../../core/figure.js";
import type { GateState } from "../../core/gate.js";
import { LEVELS } from "../../core/names.js";
import type { Report } from "../../core/results/report.js";
import { ambiguousCount, type GateCohort, type GateLimits } from "../../measures/gate/gate-input.js";
import { fleetState } from "../../measures/gate/limits.js";
import type { RootCause } from "../../measures/metrics/disagreements.js";
import type { ReportPage, TimelineRow } from "../../measures/report-page.js";
import { proportion, wilsonInterval } from "../../stats/intervals/proportion.js";
import { boundsRow, formatNumber, percent, plural, shareText, whole, wideInterval } from "../words/numbers.js";
import { CAUSE_WORDS, CAUSES, nameText, periodName } from "../words/vocabulary.js";
import { LEVEL_WORDS, STATE_WORDS } from "../words/words.js";
import type { MaybeFigure } from "./missing.js";

const ALL = "all communities";

/** Shares of the three levels in a community, next to those of all decisions. */
export function communityLevelsFigure(page: ReportPage, community: string): MaybeFigure {
  const counts = page.communities.find((one) => one.community === community)?.levels ?? [0, 0, 0];
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (n === 0) return { missing: "None of this community's decisions has a verdict.", command: "defensible audit" };
  const name = community === ALL ? `the community ${ALL}` : nameText(community, 40);
  const shares = counts.map((count) => percent(count / n, 0));
  const words = LEVELS.map((level) => `level ${level}: ${LEVEL_WORDS[level].name.toLowerCase()}`);
  return {
    id: "community-levels",
    title: `Of ${plural(n, "verdict")}, ${shares[0]} follow directly from a rule, ${shares[1]} plausibly, and ${shares[2]} from none`,
    mark: "bar",
    stack: true,
    x: { field: "share", label: "Share of verdicts", format: "percent", domain: [0, 1] },
    y: { field: "of", label: "Community", order: [name, ALL] },
    series: "level",
    series_order: LEVELS.map((level) => `level ${level}`),
    interval: "none",
    caption: `${words.join("; ")}. The intervals (95%) are in the table.`.replace("l", "L"),
    rows: [...own(counts, n, name), ...all(page)],
  };
}

function own(counts: readonly number[], n: number, name: string): Figure["rows"] {
  return LEVELS.map((level): FigureRow => {
    const share = proportion(counts[level - 1]!, n);
    const verdicts = counts[level - 1]!;
    return { of: name, level: `level ${level}`, share: share.estimate, ...wideInterval(share), verdicts, n };
  });
}

function all({ report }: ReportPage): Figure["rows"] {
  return LEVELS.flatMap((level): FigureRow[] => {
    const share = report.levels[level];
    if (share.estimate === null) return [];
    const verdicts = share.k ?? null;
    return [{ of: ALL, level: `level ${level}`, share: share.estimate, ...wideInterval(share), verdicts, n: share.n }];
  });
}

/** The levels behind the Defensibility Index. */
export function levelsFigure({ report }: ReportPage): MaybeFigure {
  const { levels, counts } = report;
  const third = levels["3"];
  if (third.estimate === null) {
    return { missing: `The levels are undefined: ${third.reason}.`, command: "defensible audit" };
  }
  const robust = levels["1"].estimate ?? 0;
  return {
    id: "levels",
    title: `A rule settles ${shareText(robust)} of the decisions; for ${shareText(third.estimate)} no rule supports them`,
    mark: "bar",
    x: { field: "share", label: "Share of verdicts", format: "percent", domain: [0, 1] },
    y: { field: "level", label: "Level", order: ["level 1", "level 2", "level 3"] },
    series: "level",
    series_order: ["level 1", "level 2", "level 3"],
    interval: "x",
    caption: `Level 1: ${lower(LEVEL_WORDS[1].name)}. Level 2: ${lower(LEVEL_WORDS[2].name)}. Level 3: ${lower(LEVEL_WORDS[3].name)}. Lines: 95% intervals. Of ${plural(counts.verdicts, "verdict")} of the auditor.`,
    rows: (["1", "2", "3"] as const).map((level) => {
      const estimate = levels[level];
      const bounds = boundsRow(estimate);
      const verdicts = estimate.estimate === null ? null : (estimate.k ?? null);
      return { level: `level ${level}`, share: estimate.estimate, ...bounds, verdicts, of: estimate.n };
    }),
  };
}

function lower(name: string): string {
  return name.toLowerCase();
}

/** The cause of most disagreements; null without disagreements or on a tie. */
export function leadingCause({ root_causes: causes }: Pick<Report, "root_causes">): RootCause | null {
  const ranked = CAUSES.map((cause) => ({ cause, share: causes[cause].estimate ?? 0 })).sort(
    (first, second) => second.share - first.share,
  );
  return ranked[0]!.share > ranked[1]!.share ? ranked[0]!.cause : null;
}

/** Why decider and people disagree, by the auditor's verdicts. */
export function rootCausesFigure({ report }: ReportPage): MaybeFigure {
  const { root_causes: causes, agreement } = report;
  if (causes.model_error.estimate === null) return { missing: whyNone(report) };
  const leading = leadingCause(report);
  const disagreements = causes.model_error.n;
  return {
    id: "root-causes",
    title: leading
      ? `${percent(causes[leading].estimate!)} of ${plural(disagreements, "disagreement")} with people ask to ${CAUSE_WORDS[leading].remedy}`
      : `No cause accounts for more of ${plural(disagreements, "disagreement")} with people than the others`,
    mark: "bar",
    x: { field: "share", label: "Share of disagreements", format: "percent", domain: [0, 1] },
    y: { field: "cause", label: "Cause", order: CAUSES.map((cause) => CAUSE_WORDS[cause].name) },
    series: "cause",
    series_order: CAUSES.map((cause) => CAUSE_WORDS[cause].name),
    interval: "x",
    caption: `Of ${plural(agreement.n_labelled, "decision")} that people labelled, decider and person differ in ${whole(disagreements)}. Agreement metrics count all three causes alike. Lines: 95% intervals.`,
    paper: "root cause analysis (§5.2)",
    rows: CAUSES.map((cause) => {
      const estimate = causes[cause];
      const bounds = boundsRow(estimate);
      const disagreements = estimate.estimate === null ? null : (estimate.k ?? null);
      return { cause: CAUSE_WORDS[cause].name, share: estimate.estimate, ...bounds, disagreements, of: estimate.n };
    }),
  };
}

function whyNone({ counts, agreement }: Report): string {
  if (counts.verdicts === 0) return "There is no verdict yet, so no disagreement can be explained.";
  if (agreement.n_labelled === 0)
    return "No decision with a verdict has a person's label, so there is nothing to disagree with.";
  return `Decider and people agree on all ${plural(agreement.n_labelled, "labelled decision")}: there is no disagreement to explain.`;
}

const SO_FAR = "all decisions so far";
const ALONE = "each period alone";

const AXIS = { day: "Day", week: "Week that begins on", month: "Month", quarter: "Quarter", year: "Year" } as const;

/** Defensibility and ambiguity over time against the limits of the gate, for a community or (null) the platform. */
export function communityTimelineFigure(page: ReportPage, community: string | null, limits: GateLimits): MaybeFigure {
  const history = communityHistory(page, community, limits);
  if (history.length === 0) return { missing: whyNot(page), command: "defensible import decisions.jsonl" };
  const { unit } = page.timeline!;
  const ambiguity = limits.variable === "ai" ? "ambiguity" : "pure ambiguity";
  const rows = [SO_FAR, ALONE].flatMap((counted) =>
    history.flatMap((point) => {
      const cohort = counted === SO_FAR ? point.so_far : point.alone;
      return [
        row(point, counted, "DI", cohort.n - cohort.indefensible, cohort.n),
        row(point, counted, ambiguity, ambiguousCount(cohort, limits.variable), cohort.n),
      ].flat();
    }),
  );
  return {
    id: community === null ? "platform-timeline" : "community-timeline",
    title: `${community === null ? platformTitle(history) : title(history, community)}${dated(page, community, history)}`,
    mark: "line",
    x: { field: "period", label: AXIS[unit], order: history.map(({ period }) => period) },
    y: { field: "share", label: "Share of verdicts", format: "percent", domain: [0, 1] },
    series: "index",
    series_order: ["DI", ambiguity],
    choose: ["counted"],
    interval: "y",
    references: [
      { axis: "y", value: limits.di, label: `Defensibility at least ${formatNumber(limits.di, "limit")}` },
      {
        axis: "y",
        value: limits.ai,
        label: `${limits.variable === "ai" ? "Ambiguity" : "Pure ambiguity"} at most ${formatNumber(limits.ai, "limit")}`,
      },
    ],
    caption: `95% Wilson intervals. A decision counts in the ${unit} in which it was made.`,
    rows,
  };
}

/** Undated verdicts are left out. */
function dated({ report }: ReportPage, community: string | null, history: readonly HistoryPoint[]): string {
  const { n } = history.at(-1)!.so_far;
  const of = community === null ? report : report.communities.find((one) => one.community === community);
  const all = of?.counts.verdicts ?? n;
  return all > n ? ` (${whole(n)} of ${plural(all, "verdict")} have a date)` : "";
}

function whyNot({ timeline }: ReportPage): string {
  return timeline
    ? "None of this community's decisions says when it was made."
    : "The decisions do not say when they were made, so nothing can be shown over time. Give them `decided_at`.";
}

/** A period without verdicts has no rate and no point. */
function row(
  { period }: HistoryPoint,
  counted: string,
  index: string,
  k: number,
  n: GateCohort["n"],
): FigureRow | never[] {
  if (n === 0) return [];
  return { period, counted, index, share: k / n, ...wilsonInterval(k, n), k, n };
}

/** Compares the first half of the periods with the second, by period names: periods cover more time than lies between the first and last decision. */
function platformTitle(history: readonly HistoryPoint[]): string {
  const middle = Math.floor((history.length - 1) / 2);
  const half = history[middle]!.so_far;
  const all = history.at(-1)!.so_far;
  const rest = { n: all.n - half.n, indefensible: all.indefensible - half.indefensible };
  const share = (of: typeof rest) => formatNumber(1 - of.indefensible / of.n, "rounded");
  if (history.length < 2 || rest.n === 0) return `${share(all)} of decisions follow from the rules`;
  return `${share(rest)} of decisions follow from the rules since ${history[middle + 1]!.period}, ${share(half)} before`;
}

function title(history: readonly HistoryPoint[], community: string): string {
  const stretches = stateStretches(history);
  const name = nameText(community, 40);
  const inWords = (state: GateState) => STATE_WORDS[state].name.toLowerCase();
  const now = stretches.at(-1)!;
  if (stretches.length === 1) {
    return `${name} was in one state throughout, from ${now.from} to ${now.to}: ${inWords(now.state)}`;
  }
  const before = inWords(stretches.at(-2)!.state);
  return `${name} has been in “${inWords(now.state)}” since ${now.from}, after “${before}”`;
}

interface HistoryPoint {
  /** Name of the period, for example "2025-03". */
  period: string;
  /** Verdicts of this period alone; all counts 0 if it had no verdicts. */
  alone: GateCohort;
  /** Verdicts up to the end of this period. */
  so_far: GateCohort;
  /** State by the observed rates of `so_far`. */
  state: GateState;
}

/** Consecutive periods with the same state. */
export interface StateStretch {
  state: GateState;
  from: string;
  to: string;
  periods: number;
}

/** The gate's result for a community or the platform at the end of each period, from its first verdict on; empty without dates. */
export function communityHistory(page: ReportPage, community: string | null, limits: GateLimits): HistoryPoint[] {
  if (!page.timeline) return [];
  const own = page.timeline.rows.filter((row) => community === null || row.community === community);
  const byPeriod = new Map<number, GateCohort>();
  for (const row of own) byPeriod.set(row.period, sum(byPeriod.get(row.period) ?? counts(), counts(row)));
  const first = Math.min(...byPeriod.keys());
  const points: HistoryPoint[] = [];
  let so_far = counts();
  const { unit, periods } = page.timeline;
  periods.forEach((start, index) => {
    if (index < first) return;
    const alone = byPeriod.get(index) ?? counts();
    so_far = sum(so_far, alone);
    points.push({ period: periodName(unit, start), alone, so_far, state: fleetState(so_far, limits) });
  });
  return own.length > 0 ? points : [];
}

export function stateStretches(history: readonly HistoryPoint[]): StateStretch[] {
  const stretches: StateStretch[] = [];
  for (const { period, state } of history) {
    const last = stretches.at(-1);
    if (last?.state === state) {
      last.to = period;
      last.periods += 1;
    } else stretches.push({ state, from: period, to: period, periods: 1 });
  }
  return stretches;
}

function counts(row?: TimelineRow): GateCohort {
  const { n = 0, indefensible = 0, inverse_yes = 0, inverse_yes_pure = 0 } = row ?? {};
  return { key: row?.community ?? "", n, indefensible, inverse_yes, inverse_yes_pure, unscored: 0 };
}

function sum(a: GateCohort, b: GateCohort): GateCohort {
  return {
    ...a,
    n: a.n + b.n,
    indefensible: a.indefensible + b.indefensible,
    inverse_yes: a.inverse_yes + b.inverse_yes,
    inverse_yes_pure: a.inverse_yes_pure + b.inverse_yes_pure,
  };
}
