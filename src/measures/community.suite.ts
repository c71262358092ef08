import type { Level } from "../core/records/level.js";
import { type Decisions, makeReport, makeReportPage, makeRule } from "./report.suite.js";
import type { ReportPage } from "./report-page.js";

/** Verdicts of a community at levels 1, 2 and 3, and those of them with inverse = Yes. */
export interface MadeCommunity {
  community: string;
  levels: [number, number, number];
  inverse_yes: [number, number, number];
}

/** A page of communities given by their counts. */
export function makeCommunityPage(made: readonly MadeCommunity[] = [], parts: Partial<ReportPage> = {}): ReportPage {
  const decisions = made.flatMap(({ community, levels, inverse_yes }) =>
    ([1, 2, 3] as const).flatMap((level) => [
      { community, level, inverse: true, n: inverse_yes[level - 1]! },
      { community, level, inverse: false, n: levels[level - 1]! - inverse_yes[level - 1]! },
    ]),
  );
  const communities = made.map((one) => ({ ...one, ambiguous_rules: [] }));
  return makeReportPage(makeReport(decisions), { communities, ...parts });
}

/** A rule that n verdicts cite, of which `yes` have a defensible opposite, `wrong` of these because they are indefensible. */
export function makeOpenRule(
  { n, yes, wrong = 0 }: { n: number; yes: number; wrong?: number },
  parts: Parameters<typeof makeRule>[1],
): ReportPage["report"]["rules"][number] {
  const some = (level: Level, inverse: boolean, count: number): Decisions => ({ level, inverse, n: count });
  return makeRule([some(1, false, n - yes), some(2, true, yes - wrong), some(3, true, wrong)], {
    community: "alpha",
    title: "No links",
    ...parts,
  });
}
