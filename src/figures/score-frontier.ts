import type { Figure } from "../domain/figure.js";
import { kneeIndex } from "../gate/knee.js";
import { PAPER_SCORE_KNEE } from "../gate/score-frontier.js";
import type { MaybeFigure } from "./missing.js";
import { decimal, percent, plural } from "./numbers.js";
import type { ReportPage } from "./report-page.js";
import { SCORE_BINS, scoreByLevelFigure } from "./score-by-level.js";

interface Step {
  /** Least S. */
  threshold: number;
  n: number;
  indefensible: number;
}

/**
 * Automating by S alone, whatever the community: what each threshold covers, and how much of that is indefensible. Counted from the
 * histogram of S by level, whose bins begin at the thresholds, so the counts are exact.
 */
export function scoreFrontierFigure(page: ReportPage): MaybeFigure {
  const steps = thresholds(page);
  const all = steps[0];
  if (!all || all.n === 0) return scoreByLevelFigure(page);
  const live = steps.filter((step) => step.n > 0);
  // One threshold for each coverage, the strictest, in ascending order of coverage as the knee asks for.
  const distinct = [...live].reverse().filter((step, i, list) => i === 0 || list[i - 1]!.n !== step.n);
  const index = kneeIndex(distinct.map((step) => ({ coverage: step.n / all.n, risk: step.indefensible / step.n })));
  const knee = index === null ? null : distinct[index]!;
  const paper = live.find((step) => Math.abs(step.threshold - PAPER_SCORE_KNEE) < 1e-9) ?? null;
  const rate = (step: Step) => percent(step.indefensible / step.n, 2);
  const at = (step: Step) =>
    `S ≥ ${decimal(step.threshold, 2)} covers ${percent(step.n / all.n)} at ${rate(step)} indefensible`;
  return {
    id: "score-frontier",
    title: paper
      ? `${at(paper)}${knee && knee !== paper ? `; the knee is at ${decimal(knee.threshold, 2)}` : ", and the knee is there"}`
      : knee
        ? at(knee)
        : `Without a threshold ${rate(all)} of ${plural(all.n, "decision")} are indefensible`,
    mark: "line",
    x: { field: "coverage", label: "decisions with at least this S", format: "percent", domain: [0, 1] },
    y: { field: "risk", label: "indefensible among them", format: "percent" },
    name: "threshold",
    label: "mark",
    interval: "none",
    references: [{ axis: "y", value: all.indefensible / all.n, label: "all decisions" }],
    caption: `Verdicts with an S: ${all.n.toLocaleString("en")}. Indefensible by the auditor's own level, so a part of this is a circle. S is no probability: it falls with the inverse check, whatever the level.`,
    paper: "fig:pds_validation C",
    rows: live.map((step) => ({
      threshold: step.threshold,
      coverage: step.n / all.n,
      risk: step.indefensible / step.n,
      n: step.n,
      indefensible: step.indefensible,
      mark: [step === paper ? "the paper's 0.90" : "", step === knee ? "knee" : ""].filter(Boolean).join(", ") || null,
    })),
  } satisfies Figure;
}

function thresholds({ calibration_details: details }: ReportPage): Step[] {
  const steps = Array.from({ length: SCORE_BINS }, (_, bin) => ({
    threshold: bin / SCORE_BINS,
    n: 0,
    indefensible: 0,
  }));
  for (const { level, bin, n } of details?.pds_by_level ?? []) {
    for (let step = 0; step <= bin && step < SCORE_BINS; step += 1) {
      steps[step]!.n += n;
      if (level === 3) steps[step]!.indefensible += n;
    }
  }
  return steps;
}
