import type { Figure, FigureRow } from "../../core/figure.js";
import { LEVELS } from "../../core/records/levels.js";
import type { ReportPage } from "../../measures/report-page.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { boundsRow, percent, plural, shareText, wideInterval } from "../words/numbers.js";
import { nameText } from "../words/word-table.js";
import { LEVEL_WORDS } from "../words/words.js";
import type { MaybeFigure } from "./missing.js";

const ALL = "all communities";

/** Shares of the three levels in a community, beside those of all. */
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
    caption: `${words.join("; ")}. The intervals (95 %) stand in the table.`.replace("l", "L"),
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
    title: `A rule settles ${shareText(robust)} of the decisions; for ${shareText(third.estimate)} no rule carries them`,
    mark: "bar",
    x: { field: "share", label: "Share of verdicts", format: "percent", domain: [0, 1] },
    y: { field: "level", label: "Level", order: ["level 1", "level 2", "level 3"] },
    series: "level",
    series_order: ["level 1", "level 2", "level 3"],
    interval: "x",
    caption: `Level 1: ${lower(LEVEL_WORDS[1].name)}. Level 2: ${lower(LEVEL_WORDS[2].name)}. Level 3: ${lower(LEVEL_WORDS[3].name)}. Lines: 95 % intervals. Of ${plural(counts.verdicts, "verdict")} of the auditor.`,
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
