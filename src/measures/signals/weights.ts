import { weightsSchema } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";

/** Weights of S, on the simplex. */
export interface Weights {
  alpha: number;
  beta: number;
  gamma: number;
  /** The entropy that β weights: of the precedent weight (`h_w`) or of the citation (`h_kappa`). */
  component: "h_w" | "h_kappa";
  loss: number | null;
  n_samples: number | null;
  /** False for the fallback, which was not fitted, and for weights that are not known to be fitted for this auditor. */
  calibrated: boolean;
  /** For weights from a file: `unknown` if it does not record whose audits they were fitted on. */
  provenance?: "fitted" | "unknown";
}

/** Largest deviation of α + β + γ from 1 that printed rounding explains: the paper's own file sums to 1.0001. */
export const WEIGHT_SUM_TOLERANCE = 5e-3;

const REMEDY =
  'Write {"alpha", "beta", "gamma", "component"} with weights that sum to 1, or delete the file for equal weights.';

/** Weights from the content of a weights file (its text, or the parsed value), renormalised to sum to exactly 1. */
export function parseWeights(json: unknown): Weights {
  const parsed = weightsSchema.safeParse(typeof json === "string" ? parseJson(json) : json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const where = issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
    throw new InputError("bad_weights", `weights: not a weights file; ${where}${issue.message}`, REMEDY);
  }
  const { alpha, beta, gamma, component, loss, n_samples } = parsed.data;
  const sum = alpha + beta + gamma;
  // The slack of 1e-12 makes a printed 0.995 count as 0.995.
  if (!(Math.abs(sum - 1) <= WEIGHT_SUM_TOLERANCE + 1e-12)) {
    throw new InputError(
      "bad_weights",
      `weights: do not sum to 1; got ${sum}, expected 1 ± ${WEIGHT_SUM_TOLERANCE}`,
      REMEDY,
    );
  }
  return {
    alpha: alpha / sum,
    beta: beta / sum,
    gamma: gamma / sum,
    component,
    loss: loss ?? null,
    n_samples: n_samples ?? null,
    calibrated: true,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new InputError("bad_weights", `weights: not JSON; ${(error as Error).message}`, REMEDY);
  }
}

/** The exact contents of `pds_weights.json`. @see paper Appendix B, "pds_weights.json contents" */
export const PAPER_WEIGHTS_FILE = {
  alpha: 0.6289,
  beta: 0.0114,
  gamma: 0.3598,
  component: "h_w",
  loss: 0.3127,
  n_samples: 19899,
} as const;

/** The paper's fitted weights for H[w], renormalised. @see paper Table "Calibrated PDS weights" and Appendix B */
export const PAPER_WEIGHTS: Weights = Object.freeze(parseWeights(PAPER_WEIGHTS_FILE));

/** The paper's fitted weights for H[κ] (printed to three digits, no loss), renormalised. @see paper Table "Calibrated PDS weights" */
export const PAPER_CITATION_WEIGHTS: Weights = Object.freeze(
  parseWeights({ alpha: 0.605, beta: 0.04, gamma: 0.354, component: "h_kappa", n_samples: 19899 }),
);

/** Apart, so that a page in a browser can have it without the reading of files. */
