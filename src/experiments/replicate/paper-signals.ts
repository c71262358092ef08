import { at, sweep } from "./paper-value.js";

export const LEVELS = at("§5.4, per level", [
  ["levels.1.ai_low", "L1: AI, lowest over temperatures", 0.017, "share", 3, "input"],
  ["levels.1.ai_high", "L1: AI, highest", 0.029, "share", 3, "input"],
  ["levels.2.ai_low", "L2: AI, lowest", 0.588, "share", 3, "input"],
  ["levels.2.ai_high", "L2: AI, highest", 0.614, "share", 3, "input"],
  ["levels.3.ai_low", "L3: AI, lowest", 0.861, "share", 3, "input"],
  ["levels.3.ai_high", "L3: AI, highest", 0.905, "share", 3, "input"],
  ["levels.1.sigma_low", "L1: mean σ(ρ), lowest", 0.063, "number", 3, "input"],
  ["levels.1.sigma_high", "L1: mean σ(ρ), highest", 0.083, "number", 3, "input"],
  ["levels.2.sigma_low", "L2: mean σ(ρ), lowest", 0.783, "number", 3, "input"],
  ["levels.2.sigma_high", "L2: mean σ(ρ), highest", 0.809, "number", 3, "input"],
  ["levels.3.sigma_low", "L3: mean σ(ρ), lowest", 0.91, "number", 3, "input"],
  ["levels.3.sigma_high", "L3: mean σ(ρ), highest", 0.932, "number", 3, "input"],
]);

export const SIGMA = at("Table sigma_rho", [
  ...sweep("sigma", "ai", "AI", [0.222, 0.225, 0.224, 0.228], "share", 3),
  ...sweep(
    "sigma",
    "spearman",
    "Spearman of σ(ρ) and inverse",
    [0.592, 0.593, 0.581, 0.573],
    "number",
    3,
    "output",
    "σ(ρ) is the probability of that very token",
  ),
  ...sweep("sigma", "yes", "mean σ(ρ) where the inverse fires", [0.894, 0.9, 0.907, 0.905], "number", 3, [
    "input",
    "output",
    "output",
    "output",
  ]),
  ...sweep("sigma", "no", "mean σ(ρ) where it does not", [0.127, 0.129, 0.142, 0.151], "number", 3),
  ...sweep("sigma", "ratio", "ratio of the two", [7.04, 6.95, 6.38, 5.97], "number", 2),
  ["sigma.expert.ai", "Expert-labelled: AI", 0.156, "share", 3, "input"],
  ["sigma.expert.spearman", "Expert-labelled: Spearman", 0.19, "number", 3],
  ["sigma.expert.ratio", "Expert-labelled: ratio", 1.56, "number", 2],
]);

export const WEIGHTS = at("Table weights", [
  [
    "weights.h_w.alpha",
    "α with H[w]",
    0.629,
    "number",
    3,
    "output",
    "weights sum to 1 and λ is near 0, so α is where unused weight is parked",
  ],
  ["weights.h_w.beta", "β with H[w]", 0.011, "number", 3, "output", "held at 0 by the constraint on its sign"],
  ["weights.h_w.gamma", "γ with H[w]", 0.36, "number", 3],
  ["weights.h_kappa.alpha", "α with H[κ]", 0.605, "number", 3],
  ["weights.h_kappa.beta", "β with H[κ]", 0.04, "number", 3],
  ["weights.h_kappa.gamma", "γ with H[κ]", 0.354, "number", 3],
  ["weights.h_w.loss", "loss, nats a case", 0.313, "number", 3],
  ["weights.h_w.ece", "calibration error on the cohort it was fitted on", 0.076, "number", 3],
]);

export const HELD_OUT = at("Table heldout_ece", [
  ...sweep("heldout", "extracted", "share with signals", [0.983, 0.98, 0.968, 0.964], "share", 3, [
    "input",
    "derived",
    "derived",
    "input",
  ]),
  ...sweep("heldout", "ece", "calibration error of S", [0.0567, 0.0514, 0.0419, 0.0468], "number", 4),
  ...sweep("heldout", "s_all", "mean S", [0.893, 0.8921, 0.8901, 0.8873], "number", 4),
  ...sweep("heldout", "s_defensible", "mean S of defensible decisions", [0.9083, 0.9072, 0.905, 0.9009], "number", 4),
  ...sweep(
    "heldout",
    "s_indefensible",
    "mean S of indefensible decisions",
    [0.7099, 0.7075, 0.7092, 0.715],
    "number",
    4,
  ),
  ...sweep("heldout", "di", "defensible", [0.923, 0.924, 0.924, 0.927], "share", 3, "input"),
]);

export const SIGNAL = at("§5.4, signals by agreement", [
  [
    "signal.sd_ratio",
    "sd of S, disagreement over agreement",
    1.54,
    "number",
    2,
    "output",
    "0.081/0.052 is 1.56 within rounding",
  ],
  ["signal.sigma_ratio", "σ(ρ), disagreement over agreement", 1.63, "number", 2, "input"],
  ["signal.s_ratio", "S, disagreement over agreement", 0.93, "number", 2],
]);
