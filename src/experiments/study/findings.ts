import type { Estimate } from "../../core/estimate.js";
import { decimal, percent, signed, whole, wideInterval } from "../../present/words/numbers.js";
import type { Circularity } from "../circularity/result.js";
import type { Dual } from "../dual/result.js";
import type { Scopes } from "../rules/scopes/result.js";
import type { Stability } from "../stability/result.js";
import type { Validate } from "../validate/result.js";
import type { StepResults } from "./build-replicate.js";
import type { Replicate } from "./result.js";

type Finding = Replicate["findings"][number];

/** What steps found that the paper has no table for. */
export function findingsOf({ stability, scopes, dual, validate, circularity }: StepResults): Finding[] {
  return [
    ...(stability ? [{ step: "stability" as const, text: stabilityText(stability) }] : []),
    ...(scopes ? [{ step: "scopes" as const, text: scopesText(scopes) }] : []),
    ...(dual ? [{ step: "dual" as const, text: dualText(dual) }] : []),
    ...(validate ? [{ step: "validate" as const, text: validateText(validate) }] : []),
    ...(circularity ? [{ step: "circularity" as const, text: circularityText(circularity) }] : []),
  ];
}

/** "12.3% (11.0–13.6)", or why nothing is there. */
function rate(estimate: Estimate): string {
  const bounds = wideInterval(estimate);
  if (estimate.estimate === null || !bounds) return `undefined (${estimate.estimate === null ? estimate.reason : ""})`;
  const shown = (value: number) => (100 * value).toFixed(1);
  return `${shown(estimate.estimate)}% (${shown(bounds.lower)}–${shown(bounds.upper)})`;
}

const READINGS: Record<Stability["ratio_slope"]["pds"]["reading"], string> = {
  flat: "is flat over temperatures",
  falls: "falls towards 1 as temperature rises, as mere sampling noise would have it",
  rises: "rises with temperature",
  undecided: "may be flat or not: these cases cannot tell",
  undefined: "cannot be followed over temperatures",
};

function stabilityText({ ratio_slope, correlations, sequential }: Stability): string {
  const coupled = correlations.spread.find(({ x, y }) => x === "dominant_share" && y === "sd_pds");
  const disjoint = coupled?.disjoint.estimate ?? null;
  const saved = sequential.labels?.at_best.saved_against_paper ?? null;
  const parts = [
    `The ratio of spreads, Flippers over Stable, ${READINGS[ratio_slope.pds.reading]}; of 1 − p(L3) it ${READINGS[ratio_slope.p_defensible.reading]}.`,
    disjoint === null || coupled?.coupled.estimate == null
      ? ""
      : `Spread and consistency correlate at ${decimal(coupled.coupled.estimate)} on the same draws and at ${decimal(disjoint)} on disjoint ones.`,
    saved === null
      ? ""
      : `Stopping where a case is settled would have saved ${Math.round(100 * saved)}% of 1,000 replicates a case.`,
  ];
  return parts.filter(Boolean).join(" ");
}

function scopesText({ ambiguity, counts }: Scopes): string {
  const { both, classes } = ambiguity;
  return `Audited under the platform's rules alone, the community's alone and both (${whole(counts.paired)} decisions): ambiguity is ${rate(both)} under both; ${rate(classes.platform)} are open under the platform's rules alone, ${rate(classes.community)} under the community's alone, ${rate(classes.either)} under either, ${rate(classes.together)} only where the two meet.`;
}

function dualText({ all }: Dual): string {
  const { ambiguous, determinate, model_error, inverse_check } = all;
  return `Decision and opposite audited apart (${whole(all.n)} decisions): both defensible ${rate(ambiguous)}, only the decision ${rate(determinate)}, only the opposite ${rate(model_error)}, neither ${rate(all.void)}. The inverse check finds ${rate(inverse_check.sensitivity)} of the opposites that are defensible when audited, and denies ${rate(inverse_check.specificity)} of the others.`;
}

function validateText({ run, worlds }: Validate): string {
  const parts: string[] = [];
  for (const [quantity, name] of [
    ["defensibility_index", "DI"],
    ["ambiguity_index", "Ambiguity"],
  ] as const) {
    const one = run?.quantities.find((row) => row.quantity === quantity);
    if (one?.truth == null || one.error === null) continue;
    parts.push(`${name} is ${percent(one.truth)} in truth and measured ${signed(100 * one.error, 1)} points off it.`);
  }
  for (const { name, estimators } of worlds?.conditions ?? []) {
    const index = estimators.find(({ quantity }) => quantity === "defensibility_index");
    if (!index || index.error.estimate === null) continue;
    const points = 100 * index.error.estimate;
    parts.push(
      `Over ${worlds!.count} worlds, ${name}: DI is ${Math.abs(points).toFixed(1)} points too ${points < 0 ? "low" : "high"} on average.`,
    );
  }
  return parts.join(" ");
}

const VERDICTS = {
  supports: "supports",
  does_not_support: "does not support",
  cannot_tell: "cannot tell",
  not_available: "not available",
} as const;

function circularityText({ channels }: Circularity): string {
  const parts = channels.map(({ title, verdict }) => `${title.split(":")[0]!.toLowerCase()} ${VERDICTS[verdict]}`);
  return `Do the indices measure the rules, or the auditor's taste? By channel: ${parts.join("; ")}.`;
}
