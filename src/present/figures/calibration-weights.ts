import type { Figure } from "../../core/figure.js";
import { detailed } from "../../measures/calibration/candidate-result.js";
import type { ReportPage } from "../../measures/report-page.js";
import { partName } from "../words/calibration-words.js";
import { decimal } from "../words/numbers.js";
import { calibrationMissing, type MaybeFigure } from "./missing.js";

const PARTS = ["label_confidence", "entropy", "inverse_check"] as const;

/**
 * How much each part of S takes away from ln S, on average, at each level: weight × mean of the part. Weights alone mislead, because they
 * must sum to 1: a part that is near 0 everywhere takes what the others do not want.
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
    caption: `Weight × mean of the part, over the verdicts of each level that have all parts of S.${calibrated === false ? " The weights were not fitted: equal ones stand in." : ""} ln S with these weights is minus the height of the bar.${otherWeights(page) ? " The S of this report's verdicts was computed with other weights." : ""}`,
    paper: "Table: Calibrated PDS weights",
    rows,
  } satisfies Figure;
}

/** Whether the S of the report's verdicts was computed with other weights than the calibration's. */
export function otherWeights({ report: { calibration }, signal_weights: run }: ReportPage): boolean {
  if (!calibration || !run) return false;
  const { weights, component } = calibration;
  return (
    run.component !== component || (["alpha", "beta", "gamma"] as const).some((name) => run[name] !== weights[name])
  );
}
