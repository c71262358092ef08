import type { Figure, FigureRow } from "../../core/figure.js";
import { LEVELS } from "../../core/records/levels.js";
import type { ReportPage } from "../../measures/report-page.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { nameText } from "../words/name-text.js";
import { percent, plural } from "../words/numbers.js";
import { wideInterval } from "../words/wide-interval.js";
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
