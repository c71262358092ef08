import { type Estimate, undefinedEstimate } from "../../domain/estimate.js";
import type { Humans, RatingKey } from "../../domain/humans.js";
import { cohenKappa } from "../../stats/cohen-kappa.js";
import { proportion } from "../../stats/proportion.js";
import type { Ratings } from "../../stats/ratings.js";
import { stratifiedProportion } from "../../stats/stratified-proportion.js";
import { stratumName } from "./choose-cases.js";
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

/** A share of the whole run: each stratum's share by its size. */
export function stratified(key: RatingKey, agreed: ReadonlyMap<string, boolean>): Estimate {
  const strata = key.strata.map(({ level, inverse, population: size }) => {
    const name = stratumName(level, inverse);
    const cases = key.cases.flatMap((one) => (one.stratum === name ? (agreed.get(one.decision_id) ?? []) : []));
    return { name, k: cases.filter(Boolean).length, n: cases.length, size };
  });
  const unrated = strata.find(({ n, size }) => n === 0 && size > 0);
  if (unrated) {
    const rated = strata.reduce((sum, { n }) => sum + n, 0);
    return undefinedEstimate(`no case of ${unrated.name} was rated`, rated);
  }
  return stratifiedProportion(strata);
}
