import { type Estimate, undefinedEstimate } from "../../domain/estimate.js";
import type { Humans, RatingKey } from "../../domain/humans.js";
import { cohenKappa } from "../../stats/cohen-kappa.js";
import { normalQuantile } from "../../stats/normal-quantile.js";
import { proportion } from "../../stats/proportion.js";
import type { Ratings } from "../../stats/ratings.js";
import type { RatedCases } from "./rated-cases.js";

/** What most raters said of each case; of equal numbers the more severe. null: nobody said anything. */
export function majorities({ cases, raters, values }: Ratings): (number | null)[] {
  return Array.from({ length: cases }, (_, c) => {
    const counts = new Map<number, number>();
    for (const value of values.subarray(c * raters, (c + 1) * raters)) {
      if (!Number.isNaN(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    let best: number | null = null;
    for (const [value, count] of counts) {
      const most = best === null ? 0 : counts.get(best)!;
      if (count > most || (count === most && value < best!)) best = value;
    }
    return best;
  });
}

/** The auditor against what most raters said. */
export function raterAgreement(rated: RatedCases, key: RatingKey | null): Pick<Humans, "agreement" | "indices"> {
  const levels = majorities(rated.defensibility).map((score) => (score === null ? null : 3 - 2 * score));
  const opposite = majorities(rated.inverse);
  const both = rated.audits.flatMap((audit, i) => (levels[i] === null ? [] : [{ audit, level: levels[i]! }]));
  const table = [1, 2, 3].map((a) =>
    [1, 2, 3].map((b) => both.filter(({ audit, level }) => audit.level === a && level === b).length),
  );
  const agree = ({ audit, level }: (typeof both)[number]) => audit.level < 3 === level < 3;
  const inverses = rated.audits.flatMap((audit, i) =>
    opposite[i] === null ? [] : [{ audit, yes: opposite[i] === 1 }],
  );
  const share = <T>(rows: readonly T[], test: (row: T) => boolean) => proportion(rows.filter(test).length, rows.length);
  const agreed = new Map(both.map((one) => [one.audit.decision_id, agree(one)]));
  return {
    agreement: {
      level: share(both, ({ audit, level }) => audit.level === level),
      defensible: share(both, agree),
      inverse: share(inverses, ({ audit, yes }) => audit.inverse === yes),
      kappa_level: cohenKappa(table),
      weighted: key ? { defensible: stratified(key, agreed) } : null,
    },
    indices: {
      defensible_by_raters: share(both, ({ level }) => level < 3),
      defensible_by_auditor: share(both, ({ audit }) => audit.level < 3),
      inverse_by_raters: share(inverses, ({ yes }) => yes),
      inverse_by_auditor: share(inverses, ({ audit }) => audit.inverse),
    },
  };
}

/**
 * A share of the whole run from a stratified sample: each stratum's share by its size.
 * Variance Σ (N_h/N)² (1 − n_h/N_h) p_h (1 − p_h)/(n_h − 1).
 */
export function stratified(key: RatingKey, agreed: ReadonlyMap<string, boolean>): Estimate {
  let estimate = 0;
  let variance = 0;
  let rated = 0;
  const population = key.strata.reduce((sum, stratum) => sum + stratum.population, 0);
  for (const { level, inverse, population: size } of key.strata) {
    const name = `level ${level}, inverse ${inverse ? "Yes" : "No"}`;
    const cases = key.cases
      .filter(({ stratum }) => stratum === name)
      .flatMap((one) => agreed.get(one.decision_id) ?? []);
    if (cases.length === 0) return undefinedEstimate(`no case of ${name} was rated`, rated);
    if (cases.length === 1 && size > 1) return undefinedEstimate(`only one case of ${name} was rated`, rated);
    const share = cases.filter(Boolean).length / cases.length;
    const weight = size / population;
    estimate += weight * share;
    if (size > cases.length)
      variance += (weight ** 2 * (1 - cases.length / size) * share * (1 - share)) / (cases.length - 1);
    rated += cases.length;
  }
  const half = normalQuantile(0.975) * Math.sqrt(variance);
  return {
    estimate,
    lower: Math.max(0, estimate - half),
    upper: Math.min(1, estimate + half),
    level: 0.95,
    method: "stratified, normal",
    n: rated,
    ...(half === 0 ? { warnings: ["all cases of each stratum agree: the interval has no width"] } : {}),
  };
}
