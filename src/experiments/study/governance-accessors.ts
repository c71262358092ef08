import { undefinedEstimate } from "../../core/estimate.js";
import type { TierGroup, Tiers } from "../rules/tiers/result.js";
import { type Accessors, accessors, asCount, counted, type Found } from "./accessor.js";
import type { GateTable, ScenarioRow, StateRow } from "./gate-table.js";

const ofScenario: Record<string, (scenario: ScenarioRow) => Found> = {
  coverage: ({ estimates }) => estimates.decision_coverage_eligible,
  di: ({ estimates }) => estimates.fleet_di,
  ai: ({ estimates }) => estimates.fleet_ai,
  indefensible: ({ estimates }) => estimates.automated_indefensible_rate,
  reduction: ({ reduction }) => reduction,
};

const ofState: Record<string, (state: StateRow, gate: GateTable) => Found> = {
  communities: ({ share }, { eligible }) => asCount(share, eligible),
  di: ({ di }) => di,
  ai: ({ ai }) => ai,
};

type TierName = "title" | "sidebar" | "wiki";

const at =
  (tier: TierName, of: (row: TierGroup["tiers"][number], group: TierGroup) => Found) =>
  (group: TierGroup): Found => {
    const row = group.tiers.find((one) => one.tier === tier);
    return row ? of(row, group) : undefinedEstimate(`tier ${tier} was not audited`);
  };

/** Of the restricting decisions. */
const removals =
  (find: (group: TierGroup) => Found) =>
  ({ by_decision }: Tiers): Found => {
    const [group] = Object.values(by_decision);
    return group ? find(group) : undefinedEstimate("no decisions");
  };

const change =
  (to: TierName) =>
  ({ steps }: TierGroup): Found =>
    steps.find((step) => step.from === "title" && step.to === to)?.changes.ambiguity_index.difference ??
    undefinedEstimate(`title and ${to} were not both audited`);

/** Fleet, gate and rule text. */
export const GOVERNANCE: Accessors = {
  ...accessors("gate", {
    "datasets.fleet": ({ decisions }) => counted(decisions),
    "datasets.fleet_communities": ({ communities }) => counted(communities),
    "datasets.gate_communities": ({ eligible }) => counted(eligible),
    ...Object.fromEntries(
      (["earned_autonomy", "policy_gaps", "normative_complexity"] as const).flatMap((state) =>
        Object.entries(ofState).map(([field, find]) => [
          `states.${state}.${field}`,
          (gate: GateTable) => find(gate.states.find((one) => one.state === state)!, gate),
        ]),
      ),
    ),
    ...Object.fromEntries(
      ["lenient", "moderate", "standard", "strict"].flatMap((name) =>
        Object.entries(ofScenario).map(([field, find]) => [
          `gate.${name}.${field}`,
          ({ scenarios }: GateTable) => find(scenarios.find((one) => one.name.toLowerCase() === name)!),
        ]),
      ),
    ),
  }),
  ...accessors("tiers", {
    "datasets.underspecification": ({ counts }) => counted(counts.decisions),
    ...Object.fromEntries(
      (["title", "sidebar", "wiki"] as const).flatMap((tier) => [
        [`tiers.${tier}.di`, at(tier, (row) => row.defensibility_index)],
        [`tiers.${tier}.ai`, at(tier, (row) => row.ambiguity_index)],
        [`tiers.${tier}.indefensible`, at(tier, (row, { n }) => asCount(row.levels["3"], n))],
      ]),
    ),
    "tiers.sidebar.delta_ai": change("sidebar"),
    "tiers.wiki.delta_ai": change("wiki"),
    "tiers.title.removal_ai": removals(at("title", (row) => row.ambiguity_index)),
    "tiers.wiki.removal_ai": removals(at("wiki", (row) => row.ambiguity_index)),
    "tiers.title.removal_l1": removals(at("title", (row) => row.levels["1"])),
    "tiers.wiki.removal_l1": removals(at("wiki", (row) => row.levels["1"])),
  }),
};
