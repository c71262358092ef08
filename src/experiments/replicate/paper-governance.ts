import { at, type PaperRow } from "./paper-value.js";

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

export const STATES = at("§5.3, fleet states", [
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

export const GATE = at("Table gate", [
  ...scenario("lenient", [0.847, 0.969, 0.085, 0.0308, 0.571]),
  ...scenario("moderate", [0.774, 0.972, 0.077, 0.0276, 0.649]),
  ...scenario("standard", [0.774, 0.972, 0.077, 0.0276, 0.649]),
  ...scenario("strict", [0.627, 0.976, 0.067, 0.0236, 0.757]),
]);

export const TIERS = at("Table shadowing", [
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
