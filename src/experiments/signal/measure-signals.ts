import type { AuditTable } from "../../analysis/audit-table.js";
import { loadDecisionFields } from "../../analysis/decision-scores.js";
import { loadLabelTargets, TARGETS } from "../../analysis/labels/label-sample.js";
import { loadTrueVerdicts, TRUE_VERDICTS } from "../../analysis/labels/true-verdicts.js";
import { readReplicates } from "../../analysis/replicate-columns.js";
import {
  type ArmSize,
  armSizes,
  makeReplicateSpread,
  readBeside,
  readSignalColumns,
  type SignalColumns,
} from "../../analysis/signal-columns.js";
import { undefinedEstimate } from "../../core/estimate.js";
import { shareEstimate } from "../../measures/metrics/indices.js";
import { ratioOfMeans } from "../../stats/intervals/ratio-of-means.js";
import { quantile } from "../../stats/ranks/sorted-order.js";
import type { DecisionFiles } from "../../store/ports.js";
import type { ReferencePlaces } from "../audits.js";
import type {
  LevelRow,
  MeasuredSignal,
  RegimeRow,
  SamplingComparison,
  SigmaRow,
  SignalName,
  ValueSpan,
} from "./result.js";
import { compareSampling, LEAST_REPLICATES } from "./sampling.js";
import {
  associateBinary,
  correlate,
  type MeasuredColumns,
  meanWhere,
  measuredColumns,
  pairUp,
  SIGNALS,
  type Signal,
  separate,
} from "./signals.js";

/** Labels from another source: 1 to 3 by row, 0 if there is no label. */
interface Reference {
  name: string;
  level: Uint8Array;
  /** For a planted truth: the texts that it refers to. */
  under?: string[];
}

const NONE = "no verdict has this signal";

export function measureSignals(columns: MeasuredColumns, references: readonly Reference[]): MeasuredSignal[] {
  return SIGNALS.map((signal) => measureSignal(signal, columns, references));
}

function measureSignal(signal: Signal, columns: MeasuredColumns, references: readonly Reference[]): MeasuredSignal {
  const values = signal.values(columns);
  const turned = signal.higherMeans === "defensible";
  const all = pairUp(values, () => 0, columns);
  const ofLevel = (level: Uint8Array) =>
    pairUp(values, (i) => (level[i] === 0 ? null : level[i] === 3 ? 1 : 0), columns);
  const byReference = references.map(({ name, level }) => [name, separate(ofLevel(level), turned, NONE)] as const);
  return {
    signal: signal.name,
    label: signal.label,
    n: all.values.length,
    mean: meanWhere(all, 0, signal.most, NONE),
    higher_means: signal.higherMeans,
    auroc: {
      own_level: separate(ofLevel(columns.level), turned, NONE),
      references: Object.fromEntries(byReference),
    },
    level: correlate(
      pairUp(values, (i) => columns.level[i]!, columns),
      NONE,
    ),
    disagreement: associateBinary(
      pairUp(values, (i) => (columns.agrees[i] === 2 ? null : 1 - columns.agrees[i]!), columns),
      turned,
      all.values.length === 0 ? NONE : "no verdict with this signal has a human label",
    ),
    inverse: associateBinary(
      pairUp(values, (i) => columns.inverse[i]!, columns),
      turned,
      NONE,
    ),
    circular: circularity(signal.name),
  };
}

/** Reasons why a figure says more about the token it was read from than about the decision. */
function circularity(name: Signal["name"]): Record<string, string> {
  const level = "the level comes from the same answer as the signal";
  switch (name) {
    case "inverse_yes_prob":
      return {
        inverse: "σ(ρ) is the probability of the very token that the inverse check is",
        own_level: level,
        level,
      };
    case "p_defensible":
    case "output_confidence":
      return { own_level: "it is the probability of the very token that the level is", level };
    case "decider_confidence":
      return {};
    default:
      return { own_level: level, level };
  }
}

/** The paper's structure per level: how often the opposite is defensible, and the mean of each signal. */
export function levelRows(columns: MeasuredColumns): LevelRow[] {
  return [1, 2, 3].map((level) => {
    const counts = Array.from({ length: columns.communities.length }, () => ({ k: 0, n: 0 }));
    for (let i = 0; i < columns.n; i++) {
      if (columns.level[i] !== level) continue;
      const one = counts[columns.community[i]!]!;
      one.n++;
      one.k += columns.inverse[i]!;
    }
    const means = SIGNALS.map((signal) => {
      const paired = pairUp(signal.values(columns), (i) => columns.level[i]!, columns);
      return [
        signal.name,
        meanWhere(paired, level, signal.most, `no verdict at level ${level} has this signal`),
      ] as const;
    });
    return {
      level,
      n: counts.reduce((sum, { n }) => sum + n, 0),
      ambiguity_index: shareEstimate(counts, `no verdict at level ${level}`),
      means: Object.fromEntries(means),
    };
  });
}

/** Sd of signals over the replicates of each row's decision; NaN if it was audited once. */
type ReplicateSpread = Partial<Record<SignalName, Float64Array>>;

const NO_LABELS = "no verdict with this signal has a human label";

/** Each signal, and its sd over replicates, in disagreements against agreements. */
export function regimeRows(columns: MeasuredColumns, spread: ReplicateSpread): RegimeRow[] {
  const row = (
    signal: SignalName,
    statistic: RegimeRow["statistic"],
    values: Float64Array,
    most: number,
  ): RegimeRow => {
    const paired = pairUp(values, (i) => (columns.agrees[i] === 2 ? null : 1 - columns.agrees[i]!), columns);
    const empty = statistic === "sd" ? "no labelled decision was audited more than once" : NO_LABELS;
    const { values: x, partner, cluster, clusters } = paired;
    return {
      signal,
      statistic,
      agree: meanWhere(paired, 0, most, empty),
      disagree: meanWhere(paired, 1, most, empty),
      ratio: x.length === 0 ? undefinedEstimate(empty, 0) : ratioOfMeans(x, partner, cluster, clusters),
    };
  };
  return SIGNALS.flatMap(({ name, values, most }) => {
    const sd = spread[name];
    const plain = row(name, "value", values(columns), most);
    return sd ? [plain, row(name, "sd", sd, Number.MAX_VALUE)] : [plain];
  });
}

/** The range of values among the rows of one regime; null without rows. */
export function spanOf(values: Float64Array, agrees: Uint8Array, regime: 0 | 1): ValueSpan | null {
  const kept = values.filter((value, i) => agrees[i] === regime && Number.isFinite(value)).sort();
  if (kept.length === 0) return null;
  return {
    n: kept.length,
    least: kept[0]!,
    p05: quantile(kept, 0.05),
    median: quantile(kept, 0.5),
    p95: quantile(kept, 0.95),
    most: kept.at(-1)!,
  };
}

type SigmaColumns = Pick<SignalColumns, "inverse" | "inverseYesProb" | "community" | "communities">;

const NO_SPREAD = "no verdict has σ(ρ)";

/** A row of the paper's table of σ(ρ) as a proxy for ambiguity: one temperature of a run, or a whole run. */
export function sigmaRow(source: Pick<SigmaRow, "name" | "temperature">, columns: SigmaColumns): SigmaRow {
  const paired = pairUp(columns.inverseYesProb, (i) => columns.inverse[i]!, columns);
  const counts = Array.from({ length: columns.communities.length }, () => ({ k: 0, n: 0 }));
  for (let i = 0; i < paired.partner.length; i++) {
    const one = counts[paired.cluster[i]!]!;
    one.n++;
    one.k += paired.partner[i]!;
  }
  const n = paired.values.length;
  return {
    ...source,
    n,
    ambiguity_index: shareEstimate(counts, NO_SPREAD),
    ...associateBinary(paired, false, NO_SPREAD),
    yes: meanWhere(paired, 1, 1, "no verdict with σ(ρ) has inverse = Yes"),
    no: meanWhere(paired, 0, 1, "no verdict with σ(ρ) has inverse = No"),
    ratio:
      n === 0
        ? undefinedEstimate(NO_SPREAD, 0)
        : ratioOfMeans(paired.values, paired.partner, paired.cluster, paired.clusters),
  };
}

/** Everything the tables are made from, for the analysed arm. */
export interface SignalReading {
  arm: ArmSize;
  columns: MeasuredColumns;
  references: Reference[];
  spread: ReplicateSpread;
}

/** The plain arm; if the run has none, its coldest temperature, else its first arm. */
export async function readSignalRun(table: AuditTable, places: ReferencePlaces | null): Promise<SignalReading | null> {
  const [arm] = await armSizes(table);
  if (!arm) return null;
  const columns = await readSignalColumns(table, arm.arm);
  const confidence = places ? await deciderConfidence(table, columns, arm.arm, places.decisions) : null;
  return {
    arm,
    columns: measuredColumns(columns, confidence),
    references: places ? await readReferences(table, columns, arm.arm, places) : [],
    spread: arm.replicated > 0 ? await replicateSpread(table, columns, arm.arm) : {},
  };
}

async function deciderConfidence(
  table: AuditTable,
  columns: Parameters<typeof readBeside>[1],
  arm: string,
  decisions: DecisionFiles,
): Promise<Float64Array> {
  await loadDecisionFields(table, decisions, ["decider.confidence"]);
  const value = `CASE WHEN TRY_CAST(b."decider.confidence" AS DOUBLE) BETWEEN 0 AND 1 THEN TRY_CAST(b."decider.confidence" AS DOUBLE) END`;
  return readBeside(table, columns, arm, "decision_fields", value);
}

const SPREAD = [
  "pds",
  "p_defensible",
  "inverse_yes_prob",
  "h_weight_bits",
  "h_citation_bits",
  "output_confidence",
] as const satisfies readonly SignalName[];

async function replicateSpread(
  table: AuditTable,
  columns: Parameters<typeof readBeside>[1],
  arm: string,
): Promise<ReplicateSpread> {
  await makeReplicateSpread(table, arm);
  const spread: ReplicateSpread = {};
  for (const name of SPREAD) spread[name] = await readBeside(table, columns, arm, "replicate_spread", `b.${name}`);
  return spread;
}

/** A row of the σ(ρ) table for the plain arm and for each temperature of a run. */
export async function sigmaRows(table: AuditTable, label: string): Promise<SigmaRow[]> {
  const rows: SigmaRow[] = [];
  for (const { arm } of await armSizes(table)) {
    if (arm !== "" && !/^t=[0-9.]+$/.test(arm)) continue;
    const columns = await readSignalColumns(table, arm);
    const temperature = arm === "" ? columns.temperature.find((t) => !Number.isNaN(t)) : Number(arm.slice(2));
    const name = arm === "" ? label : `${label}, ${arm}`;
    rows.push(sigmaRow({ name, temperature: temperature ?? null }, columns));
  }
  return rows;
}

/** Probabilities against frequencies, for each arm whose decisions were audited often enough. */
export async function samplingComparisons(table: AuditTable, label: string): Promise<SamplingComparison[]> {
  const found: SamplingComparison[] = [];
  for (const { arm, most, sampled } of await armSizes(table)) {
    // A level chosen by a majority of draws is not a single draw.
    if (sampled || most < LEAST_REPLICATES || (arm !== "" && !/^t=[0-9.]+$/.test(arm))) continue;
    const replicates = await readReplicates(table, arm, LEAST_REPLICATES);
    if (replicates.decisions < 2) continue;
    found.push(compareSampling(arm === "" ? label : `${label}, ${arm}`, replicates));
  }
  return found;
}

/** Other evidence on whether these decisions are defensible: truth or gold, people, another auditor. */
async function readReferences(
  table: AuditTable,
  columns: SignalColumns,
  arm: string,
  places: ReferencePlaces,
): Promise<Reference[]> {
  const found: Reference[] = [];
  const add = async (name: string, relation: string, under: string[] = []) => {
    const level = Uint8Array.from(await readBeside(table, columns, arm, relation, "b.level"), (one) => one || 0);
    if (level.some((one) => one > 0)) found.push({ name, level, ...(under.length > 0 && { under }) });
  };
  const truth = await loadTrueVerdicts(table, places, arm);
  if (truth) await add(truth.kind === "simulation" ? "truth" : "gold", TRUE_VERDICTS, truth.under);
  const { labels, runId } = places;
  if (!labels) return found;
  for (const source of ["human", "gold", "auditor"] as const) {
    if (found.some(({ name }) => name === source)) continue;
    if ((await loadLabelTargets(table, labels, { source, runId })).given > 0) await add(source, TARGETS);
  }
  return found;
}
