import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { RegimeRow, SigmaRow } from "../signal/result.js";
import { type Accessors, accessors, at, type Found, perTemperature } from "./accessor.js";
import type { SignalResults } from "./build-replicate.js";
import type { FittedWeights, HeldOutRow } from "./calibration-table.js";

const SIGMA = perTemperature<SignalResults, SigmaRow>(
  "sigma",
  {
    ai: (row) => row.ambiguity_index,
    spearman: (row) => row.spearman,
    yes: (row) => row.yes,
    no: (row) => row.no,
    ratio: (row) => row.ratio,
  },
  ({ experiment }) =>
    (temperature) =>
      at(experiment.temperatures, temperature),
);

const HELD_OUT = perTemperature<SignalResults, HeldOutRow>(
  "heldout",
  {
    extracted: (row) => row.extracted,
    ece: (row) => row.ece,
    s_all: (row) => row.s_all,
    s_defensible: (row) => row.s_defensible,
    s_indefensible: (row) => row.s_indefensible,
    di: (row) => row.di,
  },
  ({ heldOut, heldOutReason }) =>
    (temperature) =>
      at(heldOut, temperature, heldOutReason),
);

const NO_EXPERT = "the workspace has no cohort of expert-labelled decisions (--cohort-expert)";

const expert =
  (of: (row: SigmaRow) => Found) =>
  (signal: SignalResults): Found =>
    signal.expert ? of(signal.expert) : undefinedEstimate(NO_EXPERT);

/** Signals by level and temperature, weights of S, held-out calibration. */
export const SIGNALS: Accessors = {
  ...accessors("signal", {
    ...Object.fromEntries(
      [1, 2, 3].flatMap((level) =>
        (["ai", "sigma"] as const).flatMap((field) =>
          (["low", "high"] as const).map((end) => [
            `levels.${level}.${field}_${end}`,
            (signal: SignalResults) => extreme(signal, level, field, end),
          ]),
        ),
      ),
    ),
    ...SIGMA,
    ...HELD_OUT,
    "sigma.expert.ai": expert((row) => row.ambiguity_index),
    "sigma.expert.spearman": expert((row) => row.spearman),
    "sigma.expert.ratio": expert((row) => row.ratio),
    "signal.sd_ratio": ({ spread }) => regime(spread, "pds", "sd"),
    "signal.sigma_ratio": ({ regimes }) => regime(regimes, "inverse_yes_prob", "value"),
    "signal.s_ratio": ({ regimes }) => regime(regimes, "pds", "value"),
  }),
  ...accessors("calibration", {
    ...Object.fromEntries(
      (["h_w", "h_kappa"] as const).flatMap((component) =>
        (["alpha", "beta", "gamma"] as const).map((name) => [
          `weights.${component}.${name}`,
          (fit: Record<typeof component, FittedWeights | null> & { reason: string | null }): Found =>
            fit[component]?.[name] ?? undefinedEstimate(fit.reason ?? "nothing could be fitted with this entropy"),
        ]),
      ),
    ),
    "weights.h_w.loss": ({ h_w, reason }) => h_w?.loss ?? undefinedEstimate(reason ?? "nothing could be fitted"),
    "weights.h_w.ece": ({ ece }) => ece,
  }),
};

/** The lowest or highest of a level's figures over the temperatures. */
function extreme({ levels }: SignalResults, level: number, field: "ai" | "sigma", end: "low" | "high"): Found {
  const rows = levels.flatMap(({ levels: all }) => all.filter((row) => row.level === level));
  const found = rows.map((row) => (field === "ai" ? row.ambiguity_index : row.means.inverse_yes_prob!));
  const defined = found.filter((one): one is Estimate & { estimate: number } => one.estimate !== null);
  if (defined.length === 0) return found[0] ?? undefinedEstimate("nothing was audited at several temperatures");
  return defined.reduce((a, b) => (b.estimate < a.estimate === (end === "low") ? b : a));
}

function regime(rows: readonly RegimeRow[], signal: RegimeRow["signal"], statistic: RegimeRow["statistic"]): Found {
  const row = rows.find((one) => one.signal === signal && one.statistic === statistic);
  return row?.ratio ?? undefinedEstimate("no labelled decision was audited more than once");
}
