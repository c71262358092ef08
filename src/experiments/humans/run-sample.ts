import type { AuditTable } from "../../analysis/audit-table.js";
import { judgedPairs, loadHumanLabels, verdictCells } from "../../analysis/judgements.js";
import type { Estimate } from "../../core/estimate.js";
import type { Label, LabelSample } from "../../core/records/label.js";
import type { RatingKey } from "../../core/results/humans.js";
import type { JudgedPair, JudgedSample } from "../../measures/metrics/against.js";
import { populationShare, populationStatistic } from "../../measures/metrics/weighted-against.js";
import { caseMeans, type Ratings } from "../../stats/ranks/ratings.js";
import { weightedSpearman } from "../../stats/ranks/weighted-spearman.js";
import { joinRatings, type RatedCases } from "./rated-cases.js";
import { designOf } from "./read-ratings.js";

/** What ratings of drawn cases say of the whole run, weighed as `report --against human` and the gate weigh them. */
export interface RunSample {
  /** How the labels were drawn. */
  design: LabelSample;
  /** Null: the cases are no drawn sample of this run, and say nothing of it. */
  cases: {
    /** Cases with the median of what raters said whose labels are part of the sample. */
    pairs: readonly JudgedPair[];
    sample: JudgedSample;
    /** The same ratings one by one. */
    rated: RatedCases;
  } | null;
}

/** The rated cases that are a sample of this run (`chooseLabels`). Labels from before designs were kept have that of their sheet's key. */
export async function runSample(
  table: AuditTable,
  labels: readonly Label[],
  { runId, key }: { runId: string | null; key: RatingKey | null },
): Promise<RunSample> {
  const cases = new Map(key?.cases.map((one) => [one.decision_id, one]));
  const named = labels
    .filter(({ rater }) => rater?.trim())
    .map((label) => {
      const one = label.drawn || label.sheet_id !== key?.sheet_id ? undefined : cases.get(label.decision_id);
      return one ? { ...label, ...designOf(key!, one) } : label;
    });
  const file = { path: "labels", format: "jsonl" as const, rows: named };
  const design = await loadHumanLabels(table, file, runId);
  if (design.weighted === null || design.flags.length > 0) return { design, cases: null };
  const used = new Set(design.designs.flatMap((one) => (one.used ? [designKey(one)] : [])));
  const isUsed = ({ drawn, frame }: Label) => used.has(designKey({ drawn: drawn ?? "unknown", frame: frame ?? null }));
  return {
    design,
    cases: {
      pairs: await judgedPairs(table),
      sample: { design, population: await verdictCells(table) },
      rated: await joinRatings(table, named.filter(isUsed)),
    },
  };
}

function designKey({ drawn, frame }: { drawn: string; frame: string | null }): string {
  return JSON.stringify([drawn, frame]);
}

type DrawnCases = NonNullable<RunSample["cases"]>;

/** A share of the whole run; `of` is null for a case whose raters do not say. */
export function shareOfRun({ pairs, sample }: DrawnCases, of: (pair: JudgedPair) => boolean | null): Estimate {
  return populationShare(pairs, sample, of);
}

/** Rank correlation of a signal with the mean rating in the whole run. */
export function correlationOfRun(
  { pairs, sample, rated }: DrawnCases,
  ratingsOf: (rated: RatedCases) => Ratings,
  signalOf: (audit: RatedCases["audits"][number]) => number | null,
): Estimate {
  const means = caseMeans(ratingsOf(rated));
  const cases = new Map(
    rated.audits.map((audit, i) => [audit.decision_id, { signal: signalOf(audit), mean: means[i]! }]),
  );
  const rows = pairs.flatMap((pair) => {
    const { signal = null, mean = Number.NaN } = cases.get(pair.decision_id!) ?? {};
    return signal === null || Number.isNaN(mean) ? [] : [{ ...pair, signal, mean }];
  });
  const rho = weightedSpearman(
    rows.map(({ signal }) => signal),
    rows.map(({ mean }) => mean),
  );
  return populationStatistic(rows, { pairs, sample }, rho, [-1, 1]);
}
