import type { Humans } from "../../core/results/humans.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { cohenKappa } from "../../stats/ranks/cohen-kappa.js";
import type { Ratings } from "../../stats/ranks/ratings.js";
import { type CaseCells, shareOfRun } from "./case-cells.js";
import type { RatedCases } from "./rated-cases.js";

/** The median of what raters said of each case; between two, the lower or the higher one. null: nobody said anything. */
export function medians({ cases, raters, values }: Ratings, tie: "lower" | "higher"): (number | null)[] {
  return Array.from({ length: cases }, (_, c) => {
    const said = values
      .slice(c * raters, (c + 1) * raters)
      .filter((value) => !Number.isNaN(value))
      .sort();
    return said.length === 0 ? null : said[Math.floor((said.length - (tie === "lower" ? 1 : 0)) / 2)]!;
  });
}

/** The auditor against the median rating (ties to the severe level, and to Yes); of the cases, and of the run where these were drawn from it. */
export function raterAgreement(
  rated: RatedCases,
  cells: CaseCells | null,
): Pick<Humans, "agreement" | "indices" | "indices_of_run"> {
  const levels = medians(rated.defensibility, "lower").map((score) => (score === null ? null : 3 - 2 * score));
  const opposite = medians(rated.inverse, "higher").map((value) => (value === null ? null : value === 1));
  const { audits } = rated;
  const rows = audits.map((_, c) => c);
  const sameLevel = (c: number) => (levels[c] === null ? null : audits[c]!.level === levels[c]);
  const sameSide = (c: number) => (levels[c] === null ? null : audits[c]!.level < 3 === levels[c]! < 3);
  const sameInverse = (c: number) => (opposite[c] === null ? null : audits[c]!.inverse === opposite[c]);
  const defends = (c: number) => (levels[c] === null ? null : levels[c]! < 3);
  const share = (of: (c: number) => boolean | null) => {
    const said = rows.map(of).filter((one) => one !== null);
    return proportion(said.filter(Boolean).length, said.length);
  };
  const both = rows.filter((c) => levels[c] !== null);
  const table = [1, 2, 3].map((a) =>
    [1, 2, 3].map((b) => both.filter((c) => audits[c]!.level === a && levels[c] === b).length),
  );
  return {
    agreement: {
      level: share(sameLevel),
      defensible: share(sameSide),
      inverse: share(sameInverse),
      kappa_level: cohenKappa(table),
      weighted: cells && {
        level: shareOfRun(cells, sameLevel),
        defensible: shareOfRun(cells, sameSide),
        inverse: shareOfRun(cells, sameInverse),
      },
    },
    indices: {
      defensible_by_raters: share(defends),
      defensible_by_auditor: share((c) => (levels[c] === null ? null : audits[c]!.level < 3)),
      inverse_by_raters: share((c) => opposite[c]!),
      inverse_by_auditor: share((c) => (opposite[c] === null ? null : audits[c]!.inverse)),
    },
    indices_of_run: cells && {
      defensible_by_raters: shareOfRun(cells, defends),
      inverse_by_raters: shareOfRun(cells, (c) => opposite[c]!),
    },
  };
}
