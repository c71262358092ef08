import type { Figure, FigureRow } from "../../core/figure.js";
import { LEVELS } from "../../core/names.js";
import type { Report } from "../../core/results/report.js";
import type { RootCause } from "../../measures/metrics/disagreements.js";
import type { ReportPage } from "../../measures/report-page.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { boundsRow, percent, plural, shareText, whole, wideInterval } from "../words/numbers.js";
import { CAUSE_WORDS, CAUSES, nameText } from "../words/vocabulary.js";
import { LEVEL_WORDS } from "../words/words.js";
import type { MaybeFigure } from "./missing.js";

const ALL = "all communities";

/** Shares of the three levels in a community, next to those of all. */
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

/** The cause of most disagreements; null without any, or where two share the place. */
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
