import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { proportion } from "../../stats/intervals/proportion.js";
import type { AttackResult } from "../attack/result.js";
import type { Stability, StabilityTemperature } from "../stability/result.js";
import {
  type Accessors,
  absolute,
  accessors,
  at,
  type Beside,
  type Found,
  perTemperature,
  TEMPERATURES,
} from "./accessor.js";

const TABLE = perTemperature<Stability, StabilityTemperature>(
  "stability",
  {
    sd_all: (row) => row.sd_pds.all,
    sd_stable: (row) => row.sd_pds.stable,
    sd_flippers: (row) => row.sd_pds.flippers,
    ratio: (row) => row.sd_pds.ratio,
    flip_flippers: (row) => row.boundary_flip_rate.flippers,
    flip_stable: (row) => row.boundary_flip_rate.stable,
    h_kappa_rank: (row) => row.h_citation_rank_correlation,
    di: (row) => row.defensibility_index,
  },
  ({ temperatures }) =>
    (temperature) =>
      at(temperatures, temperature),
);

/** The same spread of 1 − p(L3), which is what the printed numbers can be. */
const OTHER_SD = {
  sd_all: "all",
  sd_stable: "stable",
  sd_flippers: "flippers",
  ratio: "ratio",
} as const;

/** Share of cases at T = 0.1 in a class, or on a side of the boundary. */
const share =
  (of: "classes" | "boundaries", name: string) =>
  (stability: Stability): Found => {
    const row = at(stability.temperatures, 0.1);
    if (typeof row === "string") return undefinedEstimate(row);
    const counts = row[of] as Record<string, number | undefined>;
    const unknown = counts.undetermined ?? 0;
    if (unknown === row.cases) {
      return undefinedEstimate("no case was audited often enough for a class", row.cases);
    }
    return proportion(counts[name] ?? 0, row.cases);
  };

const correlation =
  (of: "spread" | "signals", x: string, y: string, temperature: number) =>
  ({ correlations }: Stability): Estimate =>
    correlations[of].find((one) => one.x === x && one.y === y && one.temperature === temperature)?.coupled ??
    undefinedEstimate(`nothing was audited at T = ${temperature}`);

const detected =
  (kind: string) =>
  ({ detection }: AttackResult): Found =>
    detection.find((row) => row.target === "input" && row.kind === kind && row.layer === "two_layers")?.detected ??
    undefinedEstimate("no such attack could be made of these decisions");

const SUBSETS = {
  escaped: "hallucinated, escaped 1 and 2",
  caught: "hallucinated, caught by 1 or 2",
  clean: "clean",
} as const;

const subset =
  (name: keyof typeof SUBSETS, field: "h_citation_bits" | "confidence" | "p_defensible" | "overlap") =>
  ({ subsets }: AttackResult): Found => {
    const row = subsets.find((one) => one.subset === SUBSETS[name]);
    if (row && row.n > 0) return row[field];
    return undefinedEstimate(
      name === "clean" ? "no clean case has a verdict" : `no hallucinated grounding ${NONE[name]}`,
    );
  };

const NONE = { escaped: "escaped both layers", caught: "was caught" } as const;

/** Stability and attacks. */
export const ROBUSTNESS: Accessors = {
  ...accessors(
    "stability",
    {
      ...TABLE,
      ...Object.fromEntries(
        TEMPERATURES.map((temperature) => [
          `stability.${temperature}.sd_consistency`,
          correlation("spread", "dominant_share", "sd_pds", temperature),
        ]),
      ),
      "stability.0.1.rock_solid": share("classes", "rock_solid"),
      "stability.0.1.mostly_stable": share("classes", "mostly_stable"),
      "stability.0.1.moderate": share("classes", "moderate"),
      "stability.0.1.highly_unstable": share("classes", "highly_unstable"),
      "stability.0.1.stably_defensible": share("boundaries", "stably_defensible"),
      "stability.0.1.boundary_unstable": share("boundaries", "boundary_unstable"),
      "stability.0.1.stably_indefensible": share("boundaries", "stably_indefensible"),
      "stability.0.1.lambda_instability": (all) =>
        absolute(correlation("signals", "lambda_nats", "dominant_share", 0.1)(all)),
      "stability.0.1.h_w_instability": (all) =>
        absolute(correlation("signals", "h_weight_bits", "dominant_share", 0.1)(all)),
    },
    Object.fromEntries(
      TEMPERATURES.flatMap((temperature) =>
        Object.entries(OTHER_SD).map(([field, group]) => [
          `stability.${temperature}.${field}`,
          ({ temperatures }: Stability): Beside => {
            const row = at(temperatures, temperature);
            return {
              what: "of 1 − p(L3)",
              estimate: typeof row === "string" ? undefinedEstimate(row) : row.sd_p_defensible[group],
            };
          },
        ]),
      ),
    ),
  ),
  ...accessors("attack", {
    "attack.action_flip.detected": detected("action_flip"),
    "attack.hallucinated.detected": detected("hallucinated_grounding"),
    "attack.escaped.h_kappa": subset("escaped", "h_citation_bits"),
    "attack.caught.h_kappa": subset("caught", "h_citation_bits"),
    "attack.clean.h_kappa": subset("clean", "h_citation_bits"),
    "attack.escaped.confidence": subset("escaped", "confidence"),
    "attack.caught.confidence": subset("caught", "confidence"),
    "attack.clean.confidence": subset("clean", "confidence"),
    "attack.escaped.p_defensible": subset("escaped", "p_defensible"),
    "attack.caught.p_defensible": subset("caught", "p_defensible"),
    "attack.clean.p_defensible": subset("clean", "p_defensible"),
    "attack.escaped.overlap": subset("escaped", "overlap"),
  }),
};
