import { at } from "./paper-value.js";

const GAP_CAVEAT = "compares a rate over all decisions with an index that ignores true negatives";

export const DATASETS = at("Table datasets", [
  ["datasets.random", "Random Sample: valid audits", 26902, "count", 0, "input", "26,984 were attempted"],
  ["datasets.balanced", "Balanced Sample: valid audits", 19899, "count", 0, "input"],
  ["datasets.underspecification", "Normative Underspecification: decisions", 37286, "count", 0, "input"],
  ["datasets.fleet", "Fleet: decisions", 109186, "count", 0, "input"],
  ["datasets.fleet_communities", "Fleet: communities", 4565, "count", 0, "input"],
  ["datasets.gate_communities", "Fleet: communities of 25 or more", 270, "count", 0, "input"],
]);

export const GAP = at("Table agreement_gap", [
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

export const HUMANS = at("§5.4, human audit", [
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
