import type { Weights } from "./weights.js";

/** The paper's fallback where no weights file exists. @see paper Appendix B, "Calibration reproducibility" */
export const EQUAL_WEIGHTS: Weights = Object.freeze({
  alpha: 1 / 3,
  beta: 1 / 3,
  gamma: 1 / 3,
  component: "h_w",
  loss: null,
  n_samples: null,
  calibrated: false,
});
