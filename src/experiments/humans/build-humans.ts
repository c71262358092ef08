import type { AuditTable } from "../../analysis/audit-table.js";
import { InputError } from "../../core/errors.js";
import type { Figure } from "../../core/figure.js";
import type { Label } from "../../core/records/label.js";
import { correlationSize } from "../../measures/gate/plan/gate-region.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { decimal } from "../../present/words/numbers.js";
import { normalQuantile } from "../../stats/distributions/normal.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { createRng } from "../../stats/random/create-rng.js";
import { caseMeans, cohenKappa, type Ratings } from "../../stats/ranks/raters.js";
import { quantile } from "../../stats/ranks/sorted-order.js";
import { auditorNotes } from "../audits.js";
import { joinRatings, levelScore, type RatedCases } from "./read-ratings.js";
import { raterReliability, ratingCorrelation } from "./reliability.js";
import type { Humans, RatingKey } from "./result.js";
import { correlationOfRun, emptyStrata, type RunSample, runSample, shareOfRun } from "./run-sample.js";

export interface HumansInputs {
  runId: string | null;
  /** The auditor of the verdicts, if known. */
  auditor?: string;
  /** Weights of S, if known. */
  weights?: Humans["weights"];
  labels: readonly Label[];
  /** The key of the sheet that the cases came from; null: they are not a drawn sample. */
  key: RatingKey | null;
  /** Whether the ratings are simulated: then no text may call the raters people. */
  simulated?: boolean;
  seed: number;
  draws: number;
}

/** People's ratings against the auditor: how far they agree, and how far agreement is possible. */
export async function buildHumans(table: AuditTable, inputs: HumansInputs): Promise<Humans> {
  const human = inputs.labels.filter(({ source }) => source === "human");
  const rated = await joinRatings(table, human);
  if (rated.audits.length === 0) {
    throw new InputError(
      "no_ratings",
      `ratings: ${human.length === 0 ? "the workspace has no label of a person" : `none of ${human.length} labels of people names a rater and a decision with a verdict in this run`}`,
      "`defensible humans sample` draws a sheet, `defensible humans import` brings ratings back; labels need a `rater`.",
    );
  }
  const { runId, key } = inputs;
  const run = await runSample(table, human, { runId, key });
  const rng = createRng(inputs.seed);
  const reliability = raterReliability(rated.defensibility, rated.inverse, { rng, draws: inputs.draws });
  const rel = reliability.icc_average.estimate;
  const against = (
    name: string,
    ratings: "defensibility" | "inverse",
    of: (audit: RatedCases["audits"][number]) => number | null,
    reliable: number | null,
  ) =>
    ratingCorrelation(name, {
      signal: rated.audits.map(of),
      ratings: rated[ratings],
      reliability: reliable,
      rng: rng.fork(name),
      draws: inputs.draws,
      ofRun: run.cases && correlationOfRun(run.cases, (drawn) => drawn[ratings], of),
    });
  const correlations = [
    against("pds", "defensibility", ({ pds }) => pds, rel),
    against("p_defensible", "defensibility", ({ p_defensible }) => p_defensible, rel),
    against("level", "defensibility", ({ level }) => levelScore(level), rel),
    against("inverse_yes_prob", "inverse", ({ inverse_yes_prob }) => inverse_yes_prob, null),
  ];
  return {
    format: 1,
    experiment: "humans",
    runs: inputs.runId === null ? [] : [inputs.runId],
    auditor: inputs.auditor ?? null,
    ...(inputs.weights && { weights: inputs.weights }),
    random: { seed: inputs.seed, draws: inputs.draws },
    counts: countsOf(rated),
    reliability,
    drawn: run.cases === null ? null : run.design.weighted === "by_verdict" ? "sheet" : "random",
    sample: run.design,
    correlations,
    ...raterAgreement(rated, run.cases),
    power: powerOf(rated.audits.length),
    figures: [ratingsFigure(rated, correlations[0]!, inputs.simulated ? "Simulated raters" : "People")],
    warnings: [...auditorNotes([inputs.auditor ?? null]), ...warningsOf(rated, key, run)],
  };
}

function countsOf({ audits, raters, ratings, defensibility, withoutVerdict, anonymous }: RatedCases): Humans["counts"] {
  const perCase = Float64Array.from(audits, (_, c) =>
    defensibility.values
      .subarray(c * raters.length, (c + 1) * raters.length)
      .reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : 1), 0),
  ).sort();
  return {
    cases: audits.length,
    raters: raters.length,
    ratings,
    ratings_per_case: { least: perCase[0]!, median: quantile(perCase, 0.5), most: perCase.at(-1)! },
    without_verdict: withoutVerdict,
    anonymous,
  };
}

/** The inverse of Fisher's transformation: what the number of cases can show, whatever the number of raters. */
function powerOf(cases: number): Humans["power"] {
  const reach = normalQuantile(0.975) + normalQuantile(0.8);
  return {
    cases,
    detectable: cases > 3 ? Math.tanh(reach / Math.sqrt(cases - 3)) : null,
    needed_for_0_3: correlationSize({ correlation: 0.3, alpha: 0.05, power: 0.8 }).n,
  };
}

function ratingsFigure(
  rated: RatedCases,
  { spearman, two_way }: Humans["correlations"][number],
  raters: "People" | "Simulated raters",
): Figure {
  const means = caseMeans(rated.defensibility);
  const inverse = caseMeans(rated.inverse);
  return {
    id: "ratings-against-pds",
    title:
      spearman.estimate === null
        ? `Mean rating of ${rated.audits.length} cases against the auditor's signals`
        : `${ratingFinding(raters, two_way ?? spearman)}: ρ = ${decimal(spearman.estimate)} over ${spearman.n} cases`,
    mark: "point",
    x: { field: "pds", label: "S (PDS)", format: "decimal" },
    y: { field: "mean_rating", label: "mean rating (1 robustly defensible, 0 not)", format: "decimal", domain: [0, 1] },
    series: "level",
    name: "decision_id",
    caption: "A point is a case with the level that the auditor gave it; the raters did not know it.",
    paper: "§5.4, human audit",
    rows: rated.audits.map((audit, i) => ({
      decision_id: audit.decision_id,
      pds: audit.pds,
      p_defensible: audit.p_defensible,
      inverse_yes_prob: audit.inverse_yes_prob,
      level: audit.level,
      mean_rating: means[i]!,
      inverse_share: Number.isNaN(inverse[i]!) ? null : inverse[i]!,
    })),
  };
}

/** The interpretation of an interval of a rank correlation. */
export function ratingFinding(
  raters: "People" | "Simulated raters",
  { lower, upper }: { lower: number; upper: number },
): string {
  if (lower > 0) return `${raters} rate higher what has a higher S`;
  if (upper < 0) return `${raters} rate lower what has a higher S`;
  return `${raters === "People" ? "People's" : "Simulated"} ratings and S are not significantly correlated`;
}

function warningsOf(
  { audits, raters, anonymous, withoutVerdict }: RatedCases,
  key: RatingKey | null,
  { design, cases }: RunSample,
): string[] {
  const empty = key ? emptyStrata(key.strata) : [];
  const undrawn = cases ? audits.length - cases.pairs.length : 0;
  return [
    ...(cases === null
      ? [
          "the cases are no drawn sample of this run: every number is of these cases alone",
          ...labelNotes(design, "defensible humans report"),
        ]
      : undrawn > 0
        ? [`${undrawn} rated cases were not drawn from this run and are left out of what is said of the run`]
        : []),
    ...(empty.length > 0 ? [`the run has no verdict of ${empty.join("; of ")}: the sheet says nothing of such`] : []),
    ...(audits.length < 20
      ? [`only ${audits.length} cases: intervals are wide, and a bootstrap of cases is too narrow`]
      : []),
    ...(raters.length < 2 ? ["one rater: nothing can be said about agreement among raters"] : []),
    ...(anonymous > 0 ? [`${anonymous} labels without a rater were left out`] : []),
    ...(withoutVerdict > 0 ? [`${withoutVerdict} rated decisions have no verdict in this run`] : []),
  ];
}

/** The median rating of each case; between two values, the lower or the higher one. null: there is no rating. */
export function medians({ cases, raters, values }: Ratings, tie: "lower" | "higher"): (number | null)[] {
  return Array.from({ length: cases }, (_, c) => {
    const said = values
      .slice(c * raters, (c + 1) * raters)
      .filter((value) => !Number.isNaN(value))
      .sort();
    return said.length === 0 ? null : said[Math.floor((said.length - (tie === "lower" ? 1 : 0)) / 2)]!;
  });
}

/**
 * The auditor against the median rating (ties go to the severe level, and to Yes), for the cases and, if they were drawn from a run, for
 * that run.
 */
function raterAgreement(
  rated: RatedCases,
  cases: RunSample["cases"],
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
      weighted: cases && {
        level: shareOfRun(cases, ({ level, targetLevel }) => level === targetLevel),
        defensible: shareOfRun(cases, ({ level, targetLevel }) => level < 3 === targetLevel < 3),
        inverse: shareOfRun(cases, ({ inverse, targetInverse }) =>
          targetInverse === null ? null : inverse === targetInverse,
        ),
      },
    },
    indices: {
      defensible_by_raters: share(defends),
      defensible_by_auditor: share((c) => (levels[c] === null ? null : audits[c]!.level < 3)),
      inverse_by_raters: share((c) => opposite[c]!),
      inverse_by_auditor: share((c) => (opposite[c] === null ? null : audits[c]!.inverse)),
    },
    indices_of_run: cases && {
      defensible_by_raters: shareOfRun(cases, ({ targetLevel }) => targetLevel < 3),
      inverse_by_raters: shareOfRun(cases, ({ targetInverse }) => targetInverse),
    },
  };
}
