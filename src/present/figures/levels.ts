import type { ReportPage } from "../../measures/report-page.js";
import { plural, shareText } from "../words/numbers.js";
import { boundsRow } from "../words/wide-interval.js";
import { LEVEL_WORDS } from "../words/words.js";
import type { MaybeFigure } from "./missing.js";

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
