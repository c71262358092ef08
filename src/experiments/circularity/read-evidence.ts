import { existsSync } from "node:fs";
import type { AuditTable } from "../../analysis/audit-table.js";
import { countFamilies, type FamilyCount } from "../../analysis/family-counts.js";
import { loadLabelTargets } from "../../analysis/label-sample.js";
import { countRepeats, type RepeatCount } from "../../analysis/repeat-counts.js";
import { type ReplicateColumns, readReplicates } from "../../analysis/replicate-columns.js";
import { armSizes, readBeside, readSignalColumns, type SignalColumns } from "../../analysis/signal-columns.js";
import { humanPairs } from "../../analysis/signal-counts.js";
import { TARGETS } from "../../analysis/targets.js";
import { loadTrueVerdicts, type TruthSource } from "../../analysis/true-verdicts.js";
import type { PairTally } from "../../measures/metrics/human-comparison.js";
import { LEAST_REPLICATES } from "../signal/sampling.js";
import type { ReferencePlaces } from "../truth-places.js";

/** What a run says by itself, or with what its workspace knows of the decisions. */
export interface OwnEvidence {
  truth: TruthSource | null;
  families: FamilyCount[];
  humans: PairTally[] | null;
  labels: { columns: SignalColumns; labels: Uint8Array } | null;
  replicates: { columns: ReplicateColumns; arm: string } | null;
  /** The same text audited twice. */
  repeats: RepeatCount[];
}

export async function readOwnEvidence(table: AuditTable, places: ReferencePlaces | null): Promise<OwnEvidence> {
  const truth = places && (await loadTrueVerdicts(table, places));
  return {
    truth,
    families: await countFamilies(table, truth !== null),
    humans: await humanPairs(table),
    labels: places && (await readLabels(table, places.labels)),
    replicates: await readReplicated(table),
    repeats: await countRepeats(table),
  };
}

async function readLabels(table: AuditTable, path: string): Promise<OwnEvidence["labels"]> {
  if (!existsSync(path)) return null;
  const count = await loadLabelTargets(table, { path, format: "jsonl" }, { source: "human" });
  if (count.n === 0) return null;
  const columns = await readSignalColumns(table, "");
  const labels = Uint8Array.from(await readBeside(table, columns, "", TARGETS, "b.level"), (one) => one || 0);
  return { columns, labels };
}

/** The arm with the most replicates, if any has enough: the plain one, or the coldest, where several have as many. */
export async function readReplicated(table: AuditTable): Promise<OwnEvidence["replicates"]> {
  const arms = (await armSizes(table)).filter(
    // Others change the question, not only the draw.
    ({ arm, most }) => most >= LEAST_REPLICATES && /^(t=[0-9.]+)?$/.test(arm),
  );
  const best = arms.reduce<(typeof arms)[number] | null>((a, b) => (a && a.most >= b.most ? a : b), null);
  if (!best) return null;
  const columns = await readReplicates(table, best.arm, LEAST_REPLICATES);
  return columns.decisions >= 3 ? { columns, arm: best.arm } : null;
}
