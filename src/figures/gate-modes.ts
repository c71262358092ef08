import type { Figure } from "../domain/figure.js";
import type { GateMode } from "../domain/gate.js";
import type { GateEvaluation } from "../gate/gate-evaluation.js";
import type { MaybeFigure } from "./missing.js";
import { plural } from "./numbers.js";
import { nobodyEligible, pageGate } from "./page-gate.js";
import type { ReportPage } from "./report-page.js";

export const MODES: readonly GateMode[] = ["paper", "shrunk", "certified"];

/** The report's own gate: how many communities would pass with more decisions, in each mode. */
export function gateModesFigure(page: ReportPage): MaybeFigure {
  return gateModesOf(pageGate(page));
}

/**
 * How many communities pass when each has some more audited decisions and all rates stay as seen: one line a mode, beginning with those
 * that pass now. A line that stays low says that no number of decisions helps.
 */
export function gateModesOf(gate: GateEvaluation): MaybeFigure {
  if (gate.fleet.counts.communities === 0) return { missing: nobodyEligible(gate) };
  // Without a verdict no rate was seen, so nobody knows how many it takes.
  const seen = gate.communities.filter((one) => one.n > 0);
  const unseen = gate.communities.length - seen.length;
  if (seen.length === 0)
    return { missing: "No community has a verdict yet, so there are no rates that could stay as seen." };
  const now = (mode: GateMode) => gate.communities.filter((one) => one.passes[mode]).length;
  const needed = Object.fromEntries(
    MODES.map((mode) => [mode, seen.flatMap((one) => (one[mode].more === null ? [] : [one[mode].more]))]),
  ) as Record<GateMode, number[]>;
  if (Object.values(needed).every((list) => list.length === 0)) {
    return {
      missing: "Nobody passes in any mode, and while the rates stay as seen no number of decisions would help.",
    };
  }
  const most = practical(Object.values(needed).flat());
  const beyond = needed.certified.filter((more) => more > most).length;
  const helpless = seen.filter((one) => MODES.every((mode) => one[mode].more === null)).length;
  const [paper, certified] = [now("paper"), now("certified")];
  const lacking = paper - certified;
  return {
    id: "gate-modes",
    title:
      lacking > 0
        ? `${plural(paper, "community", "communities")} ${paper === 1 ? "passes" : "pass"} by the rates as seen; for ${lacking} of ${paper === 1 ? "it" : "them"} that is not proven yet`
        : paper === 0
          ? "Nobody passes in any mode yet"
          : `All ${plural(paper, "community", "communities")} that pass by the rates as seen are certified`,
    mark: "line",
    x: { field: "more", label: "more decisions audited in each community", format: "whole", scale: "sqrt" },
    y: { field: "communities", label: "communities that pass", format: "whole" },
    series: "mode",
    series_order: [...MODES],
    interval: "none",
    caption: `If the rates stay as seen and all other communities stay as they are. Communities: ${gate.fleet.counts.communities.toLocaleString("en")}.${beyond > 0 ? ` ${plural(beyond, "community", "communities")} would be certified beyond the edge.` : ""}${helpless > 0 ? ` For ${plural(helpless, "community", "communities")} no number of decisions helps in any mode.` : ""}${unseen > 0 ? ` Left out: ${plural(unseen, "community", "communities")} without a verdict.` : ""}`,
    rows: MODES.flatMap((mode) => steps(mode, needed[mode], most)),
  } satisfies Figure;
}

/** Edge of the picture: nine in ten of those that decisions would bring in, rounded up; the last few can take a hundred times as many. */
function practical(needed: readonly number[]): number {
  const sorted = needed.filter((more) => more > 0).sort((a, b) => a - b);
  const nine = sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0;
  if (nine === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(nine));
  return [1, 2, 5, 10].map((step) => step * power).find((edge) => edge >= nine)!;
}

/** Corners of the stairs, so that a straight line between them is right everywhere. */
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
