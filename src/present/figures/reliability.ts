import type { Figure, FigureRow } from "../../core/figure.js";
import { type DetailedCalibration, detailed, failsCheck } from "../../measures/calibration/candidate-result.js";
import type { ScoreEvaluation } from "../../measures/calibration/errors/evaluate-score.js";
import type { ReportPage } from "../../measures/report-page.js";
import { decimal, percent, plural, whole } from "../words/numbers.js";
import { partName, TARGET_WORDS, wordsOf } from "../words/vocabulary.js";
import { calibrationMissing, type MaybeFigure } from "./missing.js";

const PARTS = ["label_confidence", "entropy", "inverse_check"] as const;

/**
 * How much each component of S lowers ln S on average at each level: weight × mean of the component. Weights alone mislead, because they must sum to
 * 1: a component near 0 everywhere absorbs the weight that the others do not use.
 */
export function calibrationWeightsFigure(page: ReportPage): MaybeFigure {
  if (!page.report.calibration) return calibrationMissing(page);
  const { weights, component, calibrated } = detailed(page.report.calibration);
  const levels = page.calibration_details?.parts_by_level?.filter((row) => row.n > 0) ?? [];
  if (levels.length === 0) return { missing: "No verdict has all three parts of S." };
  const weight = { label_confidence: weights.alpha, entropy: weights.beta, inverse_check: weights.gamma };
  const name = (part: (typeof PARTS)[number]) => partName(part, component);
  const rows = levels.flatMap(({ level, n, ...means }) =>
    PARTS.map((part) => ({
      level,
      part: name(part),
      contribution: weight[part] * means[part],
      weight: weight[part],
      mean: means[part],
      n,
    })),
  );
  const spread = PARTS.map((part) => {
    const values = rows.filter((row) => row.part === name(part)).map((row) => row.contribution);
    return { part, range: Math.max(...values) - Math.min(...values) };
  }).reduce((most, one) => (one.range > most.range ? one : most));
  const fitted = calibrated === false ? "equal" : "the fitted";
  return {
    id: "calibration-weights",
    title:
      levels.length > 1
        ? `With ${fitted} weights, what moves S between the levels most is the ${name(spread.part)}: ${decimal(spread.range, 3)} nats between its means`
        : `What each part takes away from S with ${fitted} weights`,
    mark: "bar",
    x: { field: "level", label: "level", order: levels.map((row) => row.level) },
    y: { field: "contribution", label: "taken away from ln S, mean", unit: "nats", format: "decimal" },
    series: "part",
    series_order: PARTS.map(name),
    stack: true,
    interval: "none",
    caption: `Weight × mean of the part, over the verdicts of each level that have all parts of S.${calibrated === false ? " The weights were not fitted and are equal." : ""} ln S with these weights is minus the height of the bar.${otherWeights(page) ? " The S of this report's verdicts was computed with other weights." : ""}`,
    paper: "Table: Calibrated PDS weights",
    rows,
  } satisfies Figure;
}

/** Whether the S of the report's verdicts was computed with weights other than the calibration's. */
function otherWeights({ report: { calibration }, signal_weights: run }: ReportPage): boolean {
  if (!calibration || !run) return false;
  const { weights, component } = calibration;
  return (
    run.component !== component || (["alpha", "beta", "gamma"] as const).some((name) => run[name] !== weights[name])
  );
}

/**
 * Predicted against observed: in bins of equally many decisions, the mean score and the share that the target calls defensible, with Wilson's
 * interval. The band is where the share of a perfectly calibrated score would lie 95 times in 100.
 */
export function reliabilityFigure(page: ReportPage): MaybeFigure {
  if (!page.report.calibration) return calibrationMissing(page);
  const calibration = detailed(page.report.calibration);
  const { evaluation } = calibration;
  // Stored as written, so a file of another version may lack it.
  if (!evaluation?.reliability || !Number.isFinite(evaluation.n)) {
    return { missing: "The calibration's file has no reliability table.", command: "defensible calibrate" };
  }
  if (evaluation.reliability.length === 0) {
    return { missing: "The calibration has no reliability table: no decision has both a score and a target." };
  }
  const by = calibration.target ? wordsOf(TARGET_WORDS, calibration.target.kind).name : "the target";
  const rows = scores(calibration).flatMap(([name, score]) => binRows(name, by, score));
  return {
    id: "reliability",
    title: title(evaluation, calibration),
    mark: "point",
    x: { field: "said", label: "mean score of the bin", format: "percent", domain: [0, 1] },
    y: { field: "found", label: "share found defensible", format: "percent", domain: [0, 1] },
    series: "by",
    choose: ["score"],
    band: { lower: "band_lower", upper: "band_upper", label: "where a perfect score would be, 95 times in 100" },
    references: [{ axis: "diagonal", value: 0, label: "perfect calibration" }],
    caption: `${plural(evaluation.n, "decision")} in ${sizes(evaluation)}. Bars are 95% intervals of the share found (Wilson); a point outside the band is more than chance explains.`,
    paper: "App. A.3, calibration error",
    rows,
  } satisfies Figure;
}

/** The calibrated score first, then the two baselines that it has to beat, if they differ. */
function scores({ method, evaluation, baselines }: DetailedCalibration): [string, ScoreEvaluation][] {
  const list: [string, ScoreEvaluation | undefined][] =
    method === "paper"
      ? [
          ["S", evaluation],
          ["1 − p(L3), as the auditor gives it", baselines?.p_defensible],
        ]
      : [
          ["calibrated probability", evaluation],
          ["1 − p(L3), as the auditor gives it", baselines?.p_defensible],
          ["S", baselines?.pds],
        ];
  return list.filter((one): one is [string, ScoreEvaluation] => (one[1]?.reliability?.length ?? 0) > 0);
}

function binRows(score: string, by: string, { reliability }: ScoreEvaluation): FigureRow[] {
  return reliability.flatMap(({ from, to, n, mean_score, rate, band, outside }) =>
    rate.estimate === null
      ? []
      : [
          {
            score,
            by,
            said: mean_score,
            found: rate.estimate,
            found_lower: rate.lower,
            found_upper: rate.upper,
            n,
            defensible: rate.k ?? null,
            from,
            to,
            band_lower: band?.lower ?? null,
            band_upper: band?.upper ?? null,
            outside,
          },
        ],
  );
}

/** Whether a score, even if right on average, fails to separate decisions: it is no better than the overall share, or than a coin. */
export function tellsNothing({ log_loss, auroc }: Pick<ScoreEvaluation, "log_loss" | "auroc">): boolean {
  const isWorse = log_loss.value !== null && log_loss.base_rate !== null && log_loss.value >= log_loss.base_rate;
  return isWorse || (auroc.estimate !== null && auroc.estimate <= 0.5);
}

/** How many bins there are, and how many decisions each has: equal scores stay together, so few distinct scores make uneven bins. */
function sizes({ reliability }: ScoreEvaluation): string {
  const counts = reliability.map(({ n }) => n);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const bins = plural(counts.length, "bin");
  if (least === most) return `${bins} of ${whole(least)} each`;
  const range = `${whole(least)} to ${whole(most)} each`;
  return most - least === 1 ? `${bins} of equally many, ${range}` : `${bins}, as even as equal scores allow, ${range}`;
}

function title(evaluation: ScoreEvaluation, { method, ece }: DetailedCalibration): string {
  const { reliability } = evaluation;
  const name = method === "paper" ? "S" : "The calibrated probability";
  const outside = reliability.filter((bin) => bin.outside);
  const worst = reliability.reduce((most, bin) => (gap(bin) > gap(most) ? bin : most));
  const where = `said ${percent(worst.mean_score, 0)} and ${percent(worst.rate.estimate ?? 0, 0)} were found`;
  if (reliability.every((bin) => bin.outside === null)) return `${name} misses most where it ${where}`;
  if (outside.length === 0 && tellsNothing(evaluation)) {
    return `${name} is off by more than chance explains in no bin, and does not separate decisions`;
  }
  if (outside.length === 0) {
    return `${name} is off by more than chance explains in no ${failsCheck(ece) ? "single bin, but is on average" : "bin"}`;
  }
  return `${name} is off by more than chance explains in ${outside.length} of ${reliability.length} bins; most where it ${where}`;
}

function gap({ mean_score, rate }: ScoreEvaluation["reliability"][number]): number {
  return rate.estimate === null ? 0 : Math.abs(rate.estimate - mean_score);
}
