import { useMemo } from "react";
import { evaluateGate } from "../../src/measures/gate/evaluate-gate.js";
import type { GateEvaluation } from "../../src/measures/gate/gate-evaluation.js";
import type { GateCohort } from "../../src/measures/gate/gate-input.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { communityLabels, gateOptions } from "../../src/present/figures/gate-modes.js";
import { rulesByCommunity } from "../../src/present/words/rule-texts.js";
import type { GateSettings } from "./gate-settings.ts";
import { usePage } from "./page-context.ts";
import { type GateInUse, useGateEvaluation } from "./use-gate.ts";

export function gatesCommunities({ gate_input: { by } }: ReportPage): boolean {
  return by.length === 1 && by[0] === "community";
}

/** The gate of whole communities under the settings in the address, even if the active gate divides differently. */
export function useCommunityGate(): GateInUse {
  const page = usePage();
  const gate = useGateEvaluation();
  const whole = gatesCommunities(page);
  const evaluation = useMemo(
    () => (whole ? gate.evaluation : evaluateWhole(page, gate.settings)),
    [whole, gate.evaluation, page, gate.settings],
  );
  return { ...gate, evaluation };
}

function evaluateWhole(page: ReportPage, { mode, ...limits }: GateSettings): GateEvaluation {
  const rulesByCohort = rulesByCommunity(page, limits.variable);
  const options = {
    ...gateOptions(page, communityLabels(page)),
    limits,
    mode,
    frontier: false as const,
    rulesByCohort,
  };
  return evaluateGate(wholeCommunities(page), options);
}

function wholeCommunities({ communities, report }: ReportPage): GateCohort[] {
  const counts = new Map(report.communities.map((one) => [one.community, one.counts]));
  return communities.map(({ community, levels, inverse_yes }) => {
    const { unscored = 0, errors = 0 } = counts.get(community) ?? {};
    return {
      key: community,
      n: levels[0] + levels[1] + levels[2],
      indefensible: levels[2],
      inverse_yes: inverse_yes[0] + inverse_yes[1] + inverse_yes[2],
      inverse_yes_pure: inverse_yes[0] + inverse_yes[1],
      unscored: unscored + errors,
    };
  });
}
