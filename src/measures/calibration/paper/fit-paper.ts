import { EQUAL_WEIGHTS } from "../../signals/components.js";
import { baseRateEntropy } from "../errors/weighted-auroc.js";
import type { ScoreColumns } from "../score-columns.js";
import {
  type Contribution,
  type EntropyComponent,
  entropyColumn,
  type FitTarget,
  type LeftOut,
  type PaperDesign,
  paperContributions,
  paperDesign,
  targetLevels,
} from "./design.js";
import { fitSimplex } from "./fit-simplex.js";
import { fitSoftmax, PAPER_LOSS_EPSILON } from "./loss.js";

export type PaperMethod = "closed-simplex" | "lbfgs-softmax";

export interface PaperFitOptions {
  /** Default "h_w". */
  component?: EntropyComponent;
  /** Default "emitted", as in the paper. */
  target?: FitTarget;
  /** The method whose weights are the result; the other is also reported. Default "closed-simplex". */
  method?: PaperMethod;
}

/** Three numbers, one for each part of S. */
export interface ByWeight {
  alpha: number;
  beta: number;
  gamma: number;
}

export interface MethodResult {
  method: PaperMethod;
  weights: ByWeight;
  loss: number;
  iterations: number;
  converged: boolean;
}

export interface PaperFit {
  component: EntropyComponent;
  target: FitTarget;
  /** "equal-weights": nothing could be fitted; `reason` says why. */
  method: PaperMethod | "equal-weights";
  calibrated: boolean;
  reason: string | null;
  weights: ByWeight;
  /** Nats per row, null without a fit. */
  loss: number | null;
  /** Loss of the base rate alone. */
  base_rate_loss: number | null;
  n: number;
  n_defensible: number;
  n_indefensible: number;
  left_out: LeftOut;
  /** Weights that the closed-simplex fit puts on the boundary, such as "beta = 0". */
  active_constraints: string[];
  /** ∂L/∂w at the closed-simplex optimum. */
  gradient: ByWeight | null;
  /** False when other weights have the same loss. */
  unique: boolean | null;
  methods: MethodResult[];
  contributions: Contribution[];
  epsilon: number;
  /** Rows with z < ε at the result, where ε rather than the data determines the loss, and how many of them are indefensible. */
  rows_below_epsilon: { all: number; indefensible: number };
  warnings: string[];
}

/** If a smaller share of the rows with a target has all three parts, those rows would not represent the rest. */
const USABLE_SHARE = 0.5;
/** Fewer rows, or fewer of a class, are fitted with a warning: the optimum tends to be a vertex. */
const FEW_ROWS = 30;

const NAMES = ["alpha", "beta", "gamma"] as const;

/**
 * Fits the paper's (α, β, γ) by both methods, with the means to judge them: active constraints, gradient, contributions, rows left out. Labels
 * drawn with unequal probabilities are weighted (`targetWeight`); counts are of rows. If nothing can be fitted the result is the paper's fallback,
 * equal weights, marked as such.
 */
export function fitPaper(columns: ScoreColumns, options: PaperFitOptions = {}): PaperFit {
  const { component = "h_w", target = "emitted", method = "closed-simplex" } = options;
  const design = paperDesign(columns, component, target);
  const { counts, left_out } = design;
  const { n, ones } = counts;
  const common = {
    component,
    target,
    n,
    n_defensible: ones,
    n_indefensible: n - ones,
    left_out,
    base_rate_loss: baseRateEntropy(design.ones, design.n),
    epsilon: PAPER_LOSS_EPSILON,
  };
  const reason = whyNot(columns, n, left_out, component, target);
  if (reason !== null) return { ...common, ...equalWeights(reason) };
  const simplex = fitSimplex(design);
  const softmax = fitSoftmax(design);
  const chosen = method === "closed-simplex" ? simplex : softmax;
  return {
    ...common,
    method,
    calibrated: true,
    reason: null,
    weights: byWeight(chosen.weights),
    loss: chosen.loss,
    active_constraints: simplex.active.map((j) => `${NAMES[j]} = 0`),
    gradient: byWeight(simplex.gradient),
    unique: simplex.unique,
    methods: [methodResult("closed-simplex", simplex), methodResult("lbfgs-softmax", softmax)],
    contributions: paperContributions(design, chosen.weights, chosen.loss),
    rows_below_epsilon: rowsBelowEpsilon(columns, component, target, chosen.weights),
    warnings: warningsOf(design, simplex.unique, softmax.converged && simplex.converged),
  };
}

function whyNot(
  columns: ScoreColumns,
  n: number,
  leftOut: LeftOut,
  component: EntropyComponent,
  target: FitTarget,
): string | null {
  if (columns.n === 0) return "no rows";
  const withTarget = columns.n - leftOut.no_target;
  if (withTarget === 0) {
    return target === "target" && columns.targetLevel === undefined ? "no target was loaded" : "no row has a target";
  }
  if (n < USABLE_SHARE * withTarget) {
    const entropy = component === "h_w" ? "H[w]" : "H[κ]";
    return `only ${n} of ${withTarget} rows have all parts of S with ${entropy} (without λ: ${leftOut.no_label_confidence}, without ${entropy}: ${leftOut.no_entropy}, without σ(ρ): ${leftOut.no_inverse_check}), fewer than half`;
  }
  return null;
}

function warningsOf({ counts, effective, left_out }: PaperDesign, unique: boolean, converged: boolean): string[] {
  const { n, ones } = counts;
  const warnings: string[] = [];
  const zeros = n - ones;
  if (ones === 0 || zeros === 0) {
    warnings.push(
      `one class: all ${n} rows are ${zeros === 0 ? "defensible" : "indefensible"}, so the weights say nothing of their difference`,
    );
  } else if (Math.min(ones, zeros) < FEW_ROWS) {
    warnings.push(`few rows: ${ones} defensible and ${zeros} indefensible, expected at least ${FEW_ROWS} of each`);
  }
  if (n >= FEW_ROWS && effective < FEW_ROWS) {
    warnings.push(
      `weighted as they were drawn, the ${n} rows say as much as ${effective.toFixed(1)} that count the same, expected at least ${FEW_ROWS}`,
    );
  }
  if (!unique) warnings.push("other weights have the same loss: parts are collinear, equal or empty");
  if (!converged) warnings.push("a fit did not converge");
  const incomplete = left_out.total - left_out.no_target;
  if (incomplete > 0) warnings.push(`${incomplete} rows without all parts of S were left out`);
  return warnings;
}

function rowsBelowEpsilon(
  columns: ScoreColumns,
  component: EntropyComponent,
  target: FitTarget,
  weights: Float64Array,
): { all: number; indefensible: number } {
  const entropy = entropyColumn(columns, component);
  const levels = targetLevels(columns, target);
  const { lambdaNats, inverseYesProb } = columns;
  const [alpha, beta, gamma] = [weights[0]!, weights[1]!, weights[2]!];
  let all = 0;
  let indefensible = 0;
  for (let i = 0; i < columns.n; i += 1) {
    if (levels[i] === 0) continue;
    // False for NaN, so a row that was left out is not counted.
    if (alpha * -lambdaNats[i]! + beta * entropy[i]! + gamma * inverseYesProb[i]! < PAPER_LOSS_EPSILON) {
      all += 1;
      if (levels[i] === 3) indefensible += 1;
    }
  }
  return { all, indefensible };
}

function byWeight(values: Float64Array): ByWeight {
  return { alpha: values[0]!, beta: values[1]!, gamma: values[2]! };
}

function methodResult(
  method: PaperMethod,
  fit: { weights: Float64Array; loss: number; iterations: number; converged: boolean },
): MethodResult {
  return {
    method,
    weights: byWeight(fit.weights),
    loss: fit.loss,
    iterations: fit.iterations,
    converged: fit.converged,
  };
}

/** The paper's fallback, marked as such: the result if nothing could be fitted. */
export function equalWeights(reason: string) {
  const { alpha, beta, gamma } = EQUAL_WEIGHTS;
  return {
    method: "equal-weights",
    calibrated: false,
    reason,
    weights: { alpha, beta, gamma },
    loss: null,
    active_constraints: [],
    gradient: null,
    unique: null,
    methods: [],
    contributions: [],
    rows_below_epsilon: { all: 0, indefensible: 0 },
    warnings: [],
  } satisfies Partial<PaperFit>;
}
