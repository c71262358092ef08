import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import type { LabelSample } from "../../../core/records/label.js";
import { type ConfusionCorrection, confusionCorrection } from "../../../stats/intervals/judge-correction.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import { stratifiedProportion } from "../../../stats/intervals/stratified-proportion.js";
import {
  confirmedByDraw,
  correctByStratum,
  correctByVerdict,
  ELSEWHERE,
  FROM_HERE,
  leastInclusion,
  verdictCells,
} from "./correct-by-cell.js";
import { type CorrectedRate, type CorrectionOptions, correctRate, type LabelDesign } from "./correct-rate.js";
import {
  AUDITED,
  HUMAN,
  HUMAN_CELLS,
  JUDGE_QUANTITIES,
  type JudgeCounts,
  type JudgeQuantity,
  type JudgeQuantityName,
  quantityStrata,
} from "./counts.js";

/** With fewer labels a community's numbers are not corrected: 29 is the least with which a rate of 10% could be certified at δ = 0.05. */
export const LEAST_LABELS = 30;

export interface JudgeErrorOptions extends CorrectionOptions {
  /** Labels that a community needs. Default LEAST_LABELS. */
  leastLabels?: number;
  /** How the labels were drawn, including the design. */
  sample?: LabelSample;
}

export interface JudgeErrorRow extends Record<JudgeQuantityName, CorrectedRate> {
  verdicts: number;
  labels: number;
  /** Share of the labelled level-3 verdicts that human labels also call indefensible. */
  confirmed: Estimate;
  /** 1 − indefensible_rate. */
  defensibility_index: { audited: Estimate; prediction_powered: Estimate; rogan_gladen: Estimate };
  /** Shares of the three levels, from the 3 × 3 confusion matrix; null if labels were not drawn at random. */
  levels: ConfusionCorrection | null;
}

export interface JudgeErrorCommunity {
  key: string;
  verdicts: number;
  labels: number;
  /** Labels of level 3, which a test of the true rate counts. */
  indefensible_labels: number;
  /**
   * Labels drawn by verdict or with unequal probabilities, by the weight that each has in a test of the true rate: the smallest probability divided
   * by its own. Null: a verdict of the community was never labelled.
   */
  label_cells?: LabelCell[] | null;
  /** Null with the reason: too few labels. */
  corrected: JudgeErrorRow | null;
  reason?: string;
}

export interface LabelCell {
  weight: number;
  labels: number;
  indefensible: number;
}

export interface JudgeErrorReport {
  design: LabelDesign;
  /** How the labels were drawn, if requested. */
  sample?: LabelSample;
  level: number;
  delta: number;
  least_labels: number;
  fleet: JudgeErrorRow;
  communities: JudgeErrorCommunity[];
}

/**
 * DI, AI and the rate of indefensible decisions as audited, and as corrected by a labelled subsample to estimate what human labels would give, for
 * the fleet and for each community with enough labels.
 *
 * Formula: see `drawnProportion`, `roganGladen`, `confusionCorrection`, `clopperPearsonBound`, `stratifiedUpperBound`, `correctByStratum`.
 * Range: all rates within [0, 1].
 * Undefined when: see there; a community with fewer than `leastLabels` labels is not corrected. AI and AI_pure need as many labels that answer the
 * inverse check.
 * Differs from the paper: the paper treats the auditor's verdicts as the truth.
 * @see `correctRate`
 */
export function judgeError(communities: readonly JudgeCounts[], options: JudgeErrorOptions = {}): JudgeErrorReport {
  const { sample, level = CONFIDENCE_LEVEL, delta = 0.05, leastLabels = LEAST_LABELS } = options;
  const design = sample ? designOf(sample) : (options.design ?? "random");
  const own = sample !== undefined && sample.flags.length === 0;
  const cells = design === "by_verdict" ? verdictCells(communities, JUDGE_QUANTITIES.indefensible_rate) : null;
  const row = (of: readonly JudgeCounts[], inside: LabelDesign, whole = false) =>
    judgeRow(of, { design: inside, level, delta }, { leastLabels, own, whole });
  return {
    design,
    ...(sample ? { sample } : {}),
    level,
    delta,
    least_labels: leastLabels,
    fleet: row(communities, design, true),
    communities: communities.map((counts) => {
      const labels = sum(counts.labelled);
      const common = {
        key: counts.key,
        verdicts: labels + sum(counts.rest),
        labels,
        indefensible_labels: indefensibleLabels(counts),
        ...(cells ? { label_cells: labelCells(counts, cells) } : {}),
        ...(design === "by_stratum" ? { label_cells: drawnLabels(counts, leastInclusion(communities)) } : {}),
      };
      if (labels < leastLabels) {
        const reason = `${labels} labels; at least ${leastLabels} are needed`;
        return { ...common, corrected: null, reason };
      }
      // Within one community, labels drawn by community are a random sample.
      return { ...common, corrected: row([counts], design === "by_community" ? "random" : design) };
    }),
  };
}

function designOf({ weighted, flags }: LabelSample): LabelDesign {
  if (weighted === "by_verdict") return "by_verdict";
  if (weighted === "by_stratum" && flags.length === 0) return "by_stratum";
  return flags.includes("other_frame") || weighted === null ? "elsewhere" : "random";
}

/** The community's labels by their inclusion probability in the fleet. */
function labelCells(counts: JudgeCounts, fleet: ReturnType<typeof verdictCells>): LabelCell[] | null {
  const chance = new Map(fleet.map(({ name, n, size }) => [name, n / size]));
  const least = Math.min(...[...chance.values()].filter((one) => one > 0));
  const own = verdictCells([counts], JUDGE_QUANTITIES.indefensible_rate);
  if (own.some(({ name }) => chance.get(name) === 0)) return null;
  return own
    .filter(({ n }) => n > 0)
    .map(({ name, n, k }) => ({ weight: least / chance.get(name)!, labels: n, indefensible: k }));
}

function drawnLabels({ drawn = [] }: JudgeCounts, least: number): LabelCell[] {
  return drawn.map(({ inclusion, labelled }) => ({
    weight: least / inclusion,
    labels: sum(labelled),
    indefensible: indefensibleLabels({ labelled }),
  }));
}

function indefensibleLabels({ labelled }: Pick<JudgeCounts, "labelled">): number {
  return labelled.reduce((total, count, index) => total + (HUMAN[index % HUMAN_CELLS]!.level === 3 ? count : 0), 0);
}

function judgeRow(
  communities: readonly JudgeCounts[],
  options: Required<CorrectionOptions>,
  about: { leastLabels: number; own: boolean; whole: boolean },
): JudgeErrorRow {
  const { leastLabels } = about;
  const correct = (name: JudgeQuantityName) => correctQuantity(communities, JUDGE_QUANTITIES[name], options, about);
  const indefensible = correct("indefensible_rate");
  const labels = communities.reduce((total, counts) => total + sum(counts.labelled), 0);
  return {
    verdicts: labels + communities.reduce((total, counts) => total + sum(counts.rest), 0),
    labels,
    confirmed: confirmedShare(communities, options),
    indefensible_rate: indefensible,
    defensibility_index: {
      audited: complement(indefensible.audited),
      prediction_powered: complement(indefensible.prediction_powered),
      rogan_gladen: complement(indefensible.rogan_gladen),
    },
    ambiguity_index: answered(correct("ambiguity_index"), labels, leastLabels),
    ambiguity_pure: answered(correct("ambiguity_pure"), labels, leastLabels),
    levels: options.design === "random" ? correctedLevels(communities, options.level) : null,
  };
}

function correctQuantity(
  communities: readonly JudgeCounts[],
  quantity: JudgeQuantity,
  options: Required<CorrectionOptions>,
  { own, whole }: { own: boolean; whole: boolean },
): CorrectedRate {
  if (options.design === "by_verdict") return correctByVerdict(communities, quantity, options);
  const elsewhere = options.design === "elsewhere";
  if (isDrawn(communities)) {
    // A community is a part of what was drawn, so its number of labels is random.
    return correctByStratum(communities, quantity, { ...options, elsewhere, sizes: whole ? "known" : "estimated" });
  }
  const rate = correctRate(quantityStrata(communities, quantity), {
    ...options,
    design: elsewhere ? "random" : options.design,
  });
  if (own) {
    return {
      ...rate,
      rogan_gladen: undefinedEstimate(FROM_HERE, rate.labels),
      upper_bound: { ...rate.upper_bound, rogan_gladen: null },
    };
  }
  if (!elsewhere) return rate;
  return {
    ...rate,
    prediction_powered: undefinedEstimate(ELSEWHERE, rate.labels),
    upper_bound: { ...rate.upper_bound, exact: null, prediction_powered: null },
    warnings: [],
  };
}

/** Whether the labels had unequal probabilities. */
function isDrawn(communities: readonly JudgeCounts[]): boolean {
  return communities.some(({ drawn }) => drawn !== undefined);
}

function confirmedShare(communities: readonly JudgeCounts[], { level, design }: Required<CorrectionOptions>): Estimate {
  const cells = verdictCells(communities, JUDGE_QUANTITIES.indefensible_rate).filter(({ audited }) => audited);
  const labelled = cells.reduce((sum, { n }) => sum + n, 0);
  if (labelled === 0) return undefinedEstimate("no level-3 verdict is labelled");
  if (design === "by_verdict") return stratifiedProportion(cells, level);
  if (isDrawn(communities)) {
    return confirmedByDraw(communities, JUDGE_QUANTITIES.indefensible_rate, level);
  }
  return proportion(
    cells.reduce((sum, { k }) => sum + k, 0),
    labelled,
    level,
  );
}

/** Labels may omit the inverse check. Those that answer it are often few and seldom representative, so if there are too few nothing is corrected. */
function answered(rate: CorrectedRate, labels: number, leastLabels: number): CorrectedRate {
  if (rate.labels >= leastLabels || labels === 0) return rate;
  const none = undefinedEstimate(
    `${rate.labels} of ${labels} labels answer the inverse check; at least ${leastLabels} are needed`,
    rate.labels,
  );
  return {
    ...rate,
    prediction_powered: none,
    rogan_gladen: none,
    sensitivity: none,
    specificity: none,
    upper_bound: { delta: rate.upper_bound.delta, exact: null, prediction_powered: null, rogan_gladen: null },
    warnings: [],
  };
}

/** The three shares of levels. Rows of the table are human labels, columns audited levels. */
function correctedLevels(communities: readonly JudgeCounts[], level: number): ConfusionCorrection {
  const table = [1, 2, 3].map(() => [0, 0, 0]);
  const judged = [0, 0, 0];
  for (const counts of communities) {
    AUDITED.forEach((cell, index) => {
      judged[cell.level - 1]! += counts.rest[index]!;
      HUMAN.forEach((label, column) => {
        const count = counts.labelled[index * HUMAN_CELLS + column]!;
        table[label.level - 1]![cell.level - 1]! += count;
        judged[cell.level - 1]! += count;
      });
    });
  }
  return confusionCorrection(table, judged, level);
}

/** 1 − rate, with its interval and counts. */
function complement(rate: Estimate): Estimate {
  if (rate.estimate === null) return { estimate: null, reason: rate.reason, n: rate.n };
  const { estimate, lower, upper, level, method, n, k, cluster, warnings } = rate;
  return {
    estimate: 1 - estimate,
    lower: 1 - upper,
    upper: 1 - lower,
    level,
    method,
    ...(k === undefined ? {} : { k: n - k }),
    n,
    ...(cluster ? { cluster: { ...cluster, lower: 1 - cluster.upper, upper: 1 - cluster.lower } } : {}),
    ...(warnings ? { warnings } : {}),
  };
}

function sum(counts: Float64Array): number {
  return counts.reduce((total, count) => total + count, 0);
}
