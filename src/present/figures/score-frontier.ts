import type { Figure } from "../../core/figure.js";
import { LEVELS } from "../../core/names.js";
import type { Level } from "../../core/records/level.js";
import { kneeIndex, PAPER_SCORE_KNEE } from "../../measures/gate/frontier.js";
import { type ReportPage, SCORE_BINS, type ScoreDetails } from "../../measures/report-page.js";
import { wilsonInterval } from "../../stats/intervals/proportion.js";
import { decimal, percent, plural, whole } from "../words/numbers.js";
import { TARGET_WORDS } from "../words/vocabulary.js";
import type { MaybeFigure, Missing } from "./missing.js";

const NO_SCORES: Missing = {
  missing:
    "No verdict has an S: the auditor gave no probabilities. (S needs the probabilities of the level, of the precedent weight and of the inverse check.)",
};

/** The distribution of S at each level that the auditor gave. */
export function scoreByLevelFigure({ calibration_details: details }: ReportPage): MaybeFigure {
  const totals = new Map<Level, number>(LEVELS.map((level) => [level, 0]));
  const counts = new Map<string, number>();
  for (const { level, bin, n } of details?.pds_by_level ?? []) {
    totals.set(level, (totals.get(level) ?? 0) + n);
    counts.set(`${level}/${bin}`, n);
  }
  const present = LEVELS.filter((level) => totals.get(level)! > 0);
  if (present.length === 0) return NO_SCORES;
  const rows = present.flatMap((level) =>
    Array.from({ length: SCORE_BINS }, (_, bin) => {
      const n = counts.get(`${level}/${bin}`) ?? 0;
      return { level, pds: (bin + 0.5) / SCORE_BINS, share: n / totals.get(level)!, n };
    }),
  );
  const medians = new Map(details?.pds_medians.map(({ level, median }) => [level, median]));
  const middles = present.map((level) => `${decimal(medians.get(level) ?? null, 2)} at level ${level}`);
  return {
    id: "score-by-level",
    title: `The median of S is ${middles.join(", ").replace(/, ([^,]*)$/, " and $1")}`,
    mark: "line",
    x: { field: "pds", label: "S", domain: [0, 1], format: "decimal" },
    y: { field: "share", label: "share of the level's verdicts", format: "percent" },
    series: "level",
    series_order: present,
    interval: "none",
    caption: `Each level's verdicts in ${SCORE_BINS} bins of S: ${present.map((level) => `${whole(totals.get(level)!)} at level ${level}`).join(", ")}. Where the curves lie over one another, S cannot tell the levels apart.`,
    paper: "fig:pds_validation A",
    rows,
  } satisfies Figure;
}

/** A share of fewer verdicts jumps with every one of them: a curve begins at this many. */
const LEAST_CASES = 50;

const OWN = "the auditor's own level";

interface Step {
  /** Least S. */
  threshold: number;
  n: number;
  indefensible: number;
}

/**
 * Automating by S alone, whatever the community: what each threshold covers and how much of it is indefensible, by the auditor's own level and, where
 * there are labels, by the labels. Counted from histograms of S, whose bins begin at the thresholds, so the counts are exact.
 */
export function scoreFrontierFigure(page: ReportPage): MaybeFigure {
  const details = page.calibration_details;
  const all = steps(details?.pds_by_level ?? []);
  const total = all[0]!.n;
  if (total === 0) return NO_SCORES;
  if (total < LEAST_CASES) {
    return {
      missing: `Only ${plural(total, "verdict")} ${total === 1 ? "has" : "have"} an S; of fewer than ${LEAST_CASES} a curve would show chance.`,
    };
  }
  const drawn = all.filter((step) => step.n >= LEAST_CASES);
  const labels = details?.pds_by_label ? labelled(details.pds_by_label) : null;
  const knee = kneeOf(drawn, total);
  const paper = drawn.find((step) => Math.abs(step.threshold - PAPER_SCORE_KNEE) < 1e-9) ?? null;
  const rows = (by: string, list: readonly Step[], mark: (step: Step) => string | null) =>
    list.map(({ threshold, n, indefensible }) => {
      const { lower, upper } = wilsonInterval(indefensible, n);
      const coverage = all.find((step) => step.threshold === threshold)!.n / total;
      const own = { threshold, n, indefensible };
      return { by, ...own, coverage, risk: indefensible / n, risk_lower: lower, risk_upper: upper, mark: mark(own) };
    });
  const named = (step: Step) =>
    [
      step.threshold === paper?.threshold ? "the paper's 0.90" : "",
      step.threshold === knee?.threshold ? "knee" : "",
    ].filter(Boolean);
  return {
    id: "score-frontier",
    title: title({ all: all[0]!, paper, knee, labels }),
    mark: "line",
    x: { field: "coverage", label: "verdicts with at least this S", format: "percent", domain: [0, 1] },
    y: { field: "risk", label: "indefensible among them", format: "percent" },
    series: "by",
    series_order: [OWN, ...(labels ? [labels.name] : [])],
    name: "threshold",
    label: "mark",
    caption: `${whole(total)} verdicts have an S. By the auditor's own level this is a circle: S comes from the answer that gave the level, so a low line permits nothing. ${labels ? `${labels.n === total ? "All" : whole(labels.n)} of them have ${labels.name}${labels.n === total ? "." : "; if these were not drawn at random, their line is not of all."}` : "No label by people and no gold annotation says what is true of enough of them."} Drawn from ${LEAST_CASES} verdicts on; bands are 95% intervals (Wilson) of each threshold by itself.`,
    paper: "fig:pds_validation C",
    rows: [
      ...rows(OWN, drawn, (step) => named(step).join(", ") || null),
      ...(labels ? rows(labels.name, labels.drawn, () => null) : []),
    ],
  } satisfies Figure;
}

interface Labelled {
  name: string;
  n: number;
  drawn: Step[];
}

interface Found {
  all: Step;
  paper: Step | null;
  knee: Step | null;
  labels: Labelled | null;
}

/** The title names whose verdict it is: "1.7% indefensible" alone would read like a permission. */
function title({ all, paper, knee, labels }: Found): string {
  const at = paper ?? knee;
  const said = (step: Step) => {
    const rate = ({ indefensible, n }: Step) => percent(indefensible / n);
    const labelled = labels?.drawn.find(({ threshold }) => threshold === step.threshold);
    const others = labelled
      ? `${rate(labelled)} by ${labels!.name}`
      : `which ${labels ? "too few labels check" : "no label checks"}`;
    return `${rate(step)} of them are indefensible by the auditor's own level, ${others}`;
  };
  if (!at) return `All ${plural(all.n, "verdict")} with an S, without a threshold: ${said(all)}`;
  const covers = `${percent(at.n / all.n)} of the verdicts`;
  if (!paper) return `S ≥ ${limit(at)}, the knee, holds for ${covers}: ${said(at)}`;
  const where = !knee ? "" : knee === paper ? "; the knee is there too" : `; the knee is at ${limit(knee)}`;
  return `S ≥ ${limit(at)} holds for ${covers}: ${said(at)}${where}`;
}

/** "0.90", "0.575": as many digits as the edge of a bin has. */
function limit({ threshold }: Step): string {
  return decimal(threshold, 3).replace(/0$/, "");
}

/** One threshold per coverage, the strictest, in ascending order of coverage as the knee requires. */
function kneeOf(drawn: readonly Step[], total: number): Step | null {
  const distinct = drawn.toReversed().filter((step, i, list) => i === 0 || list[i - 1]!.n !== step.n);
  const index = kneeIndex(distinct.map(({ n, indefensible }) => ({ coverage: n / total, risk: indefensible / n })));
  return index === null ? null : distinct[index]!;
}

function labelled({ kind, bins }: NonNullable<ScoreDetails["pds_by_label"]>): Labelled | null {
  const list = steps(bins);
  const drawn = list.filter((step) => step.n >= LEAST_CASES);
  return drawn.length > 0 ? { name: TARGET_WORDS[kind].name, n: list[0]!.n, drawn } : null;
}

function steps(bins: ScoreDetails["pds_by_level"]): Step[] {
  const list = Array.from({ length: SCORE_BINS }, (_, bin) => ({ threshold: bin / SCORE_BINS, n: 0, indefensible: 0 }));
  for (const { level, bin, n } of bins) {
    for (let step = 0; step <= bin && step < SCORE_BINS; step += 1) {
      list[step]!.n += n;
      if (level === 3) list[step]!.indefensible += n;
    }
  }
  return list;
}
