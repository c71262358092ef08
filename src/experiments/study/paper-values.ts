import { ATTACK, at, type PaperRow, type PaperValue, STABILITY, sweep } from "./paper-robustness.js";

const LEVELS = at("§5.4, per level", [
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

const SIGMA = at("Table sigma_rho", [
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

const WEIGHTS = at("Table weights", [
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

const HELD_OUT = at("Table heldout_ece", [
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

const SIGNAL = at("§5.4, signals by agreement", [
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

const COVERAGE_CAVEAT = "printed as a share of communities, but the columns fit together only as a share of decisions";
const RISK_CAVEAT =
  "is the share of indefensible decisions that are not automated; a random gate of the same coverage has 1 − coverage";

function scenario(
  name: string,
  [coverage, di, ai, rate, reduction]: readonly [number, number, number, number, number],
): PaperRow[] {
  // The fleet's volumes are fitted to this coverage, which is printed for two scenarios.
  const role = name === "standard" || name === "moderate" ? "input" : "output";
  return [
    [`gate.${name}.coverage`, `${name}: coverage`, coverage, "share", 3, role, COVERAGE_CAVEAT],
    [`gate.${name}.di`, `${name}: DI of what passes`, di, "share", 3],
    [`gate.${name}.ai`, `${name}: AI of what passes`, ai, "share", 3],
    [`gate.${name}.indefensible`, `${name}: indefensible among automated`, rate, "share", 4],
    [`gate.${name}.reduction`, `${name}: risk reduction`, reduction, "share", 3, "output", RISK_CAVEAT],
  ];
}

const STATES = at("§5.3, fleet states", [
  ["states.earned_autonomy.communities", "Earned Autonomy: communities", 165, "count", 0, "input"],
  ["states.earned_autonomy.di", "Earned Autonomy: mean DI", 0.968, "share", 3, "input"],
  ["states.earned_autonomy.ai", "Earned Autonomy: mean AI", 0.07, "share", 3, "input"],
  ["states.policy_gaps.communities", "Policy Gaps: communities", 40, "count", 0, "input"],
  ["states.policy_gaps.di", "Policy Gaps: mean DI", 0.677, "share", 3, "input"],
  ["states.policy_gaps.ai", "Policy Gaps: mean AI", 0.36, "share", 3, "input"],
  ["states.normative_complexity.communities", "Normative Complexity: communities", 65, "count", 0, "input"],
  ["states.normative_complexity.di", "Normative Complexity: mean DI", 0.922, "share", 3, "input"],
  ["states.normative_complexity.ai", "Normative Complexity: mean AI", 0.23, "share", 3, "input"],
]);

const GATE = at("Table gate", [
  ...scenario("lenient", [0.847, 0.969, 0.085, 0.0308, 0.571]),
  ...scenario("moderate", [0.774, 0.972, 0.077, 0.0276, 0.649]),
  ...scenario("standard", [0.774, 0.972, 0.077, 0.0276, 0.649]),
  ...scenario("strict", [0.627, 0.976, 0.067, 0.0236, 0.757]),
]);

const TIERS = at("Table shadowing", [
  ["tiers.title.di", "title: DI", 0.974, "share", 3, "input"],
  ["tiers.sidebar.di", "sidebar: DI", 0.98, "share", 3, "input"],
  ["tiers.wiki.di", "wiki: DI", 0.981, "share", 3, "input"],
  ["tiers.title.ai", "title: AI", 0.182, "share", 3, "input"],
  ["tiers.sidebar.ai", "sidebar: AI", 0.088, "share", 3, "input"],
  ["tiers.wiki.ai", "wiki: AI", 0.074, "share", 3, "input"],
  ["tiers.title.indefensible", "title: indefensible", 962, "count", 0, "input"],
  ["tiers.sidebar.indefensible", "sidebar: indefensible", 757, "count", 0, "input"],
  ["tiers.wiki.indefensible", "wiki: indefensible", 722, "count", 0, "input", "called stable, and a fall by a quarter"],
  ["tiers.sidebar.delta_ai", "sidebar: ΔAI from title", -0.094, "points", 3],
  [
    "tiers.wiki.delta_ai",
    "wiki: ΔAI from title",
    -0.108,
    "points",
    3,
    "output",
    "the net difference; how many decisions went each way is not printed",
  ],
  ["tiers.title.removal_ai", "title: AI of removals", 0.32, "share", 3, "input"],
  [
    "tiers.wiki.removal_ai",
    "wiki: AI of removals",
    0.102,
    "share",
    3,
    "input",
    "the same for sidebar: the last 1.4 points come from approvals",
  ],
  ["tiers.title.removal_l1", "title: L1 of removals", 0.485, "share", 3, "input"],
  ["tiers.wiki.removal_l1", "wiki: L1 of removals", 0.746, "share", 3, "input"],
]);

const GAP_CAVEAT = "compares a rate over all decisions with an index that ignores true negatives";

const DATASETS = at("Table datasets", [
  ["datasets.random", "Random Sample: valid audits", 26902, "count", 0, "input", "26,984 were attempted"],
  ["datasets.balanced", "Balanced Sample: valid audits", 19899, "count", 0, "input"],
  ["datasets.underspecification", "Normative Underspecification: decisions", 37286, "count", 0, "input"],
  ["datasets.fleet", "Fleet: decisions", 109186, "count", 0, "input"],
  ["datasets.fleet_communities", "Fleet: communities", 4565, "count", 0, "input"],
  ["datasets.gate_communities", "Fleet: communities of 25 or more", 270, "count", 0, "input"],
]);

const GAP = at("Table agreement_gap", [
  ["gap.random.f1", "Random: F1", 0.457, "share", 3, "input"],
  ["gap.balanced.f1", "Balanced: F1", 0.543, "share", 3, "input"],
  ["gap.random.di", "Random: DI", 0.923, "share", 3, "input"],
  ["gap.balanced.di", "Balanced: DI", 0.873, "share", 3, "input"],
  ["gap.random.gap", "Random: DI − F1", 0.466, "points", 3, "derived", GAP_CAVEAT],
  ["gap.balanced.gap", "Balanced: DI − F1", 0.33, "points", 2, "derived", GAP_CAVEAT],
  ["gap.random.ai", "Random: AI", 0.183, "share", 3, "input", "another run of the same cohort has 22.2 to 22.8 %"],
  ["gap.balanced.ai", "Balanced: AI", 0.249, "share", 3, "input"],
  ["gap.random.fn_defensible", "Random: false negatives that are defensible", 0.798, "share", 3, "input"],
  [
    "gap.balanced.fn_defensible",
    "Balanced: false negatives that are defensible",
    0.806,
    "share",
    3,
    "input",
    "the paper uses the same number for all disagreements",
  ],
  ["gap.random.accurate_indefensible", "Random: accurate but indefensible", 0.06, "share", 2, "input"],
  [
    "gap.balanced.accurate_indefensible",
    "Balanced: accurate but indefensible",
    0.058,
    "share",
    3,
    "derived",
    "the paper's own counts give 6.1 % of all or 9.3 % of agreements",
  ],
  ["gap.balanced.model_error", "Balanced: disagreements that are model errors", 0.194, "share", 3, "input"],
  ["gap.balanced.disagreements", "Balanced: disagreements", 6760, "count", 0, "input"],
]);

const HUMANS = at("§5.4, human audit", [
  [
    "humans.pds",
    "Spearman of S and mean rating",
    0.66,
    "number",
    2,
    "output",
    "30 cases: the interval is 0.36 to 0.84",
  ],
  ["humans.level", "Spearman of level and mean rating", 0.66, "number", 2],
]);

/** Every number of the paper's tables and results that a replication can be held against. */
export const PAPER_VALUES: readonly PaperValue[] = [
  ...DATASETS,
  ...GAP,
  ...LEVELS,
  ...SIGMA,
  ...WEIGHTS,
  ...HELD_OUT,
  ...SIGNAL,
  ...STATES,
  ...GATE,
  ...TIERS,
  ...STABILITY,
  ...ATTACK,
  ...HUMANS,
];
