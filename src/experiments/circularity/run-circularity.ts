import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { countRepeats } from "../../analysis/repeat-counts.js";
import { SIGNAL_COLUMNS } from "../../analysis/signal-columns.js";
import type { AuditsPlace } from "../../app/calibrate/load-scores.js";
import type { Circularity } from "../../core/results/circularity.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { readExperiment } from "../../store/files/experiment-store.js";
import type { Workspace } from "../../store/files/workspace.js";
import { referencePlaces } from "../truth-places.js";
import { circularity } from "./circularity.js";
import { type ConvergenceEvidence, convergenceChannel } from "./convergence-channel.js";
import { gapChannel } from "./gap-channel.js";
import { humanChannel, labelChannel } from "./human-channel.js";
import { type KeptEvidence, keptEvidence } from "./kept-evidence.js";
import { readOwnEvidence, readReplicated } from "./read-evidence.js";
import { ruleChannel } from "./rule-channel.js";
import { truthChannel } from "./truth-channel.js";

export interface CircularityRequest {
  place: AuditsPlace;
  /** Null: a file, of which only the channels within it can be looked at. */
  workspace: Workspace | null;
  /** Differences of rates smaller than this count as none. */
  margin: number;
}

/** The channels, from a run and, where it has no such evidence itself, from kept results of other experiments with the same auditor. */
export async function runCircularity(request: CircularityRequest): Promise<Circularity> {
  const { place, workspace, margin } = request;
  const runs = place.manifest ? [place.manifest.run_id] : [];
  const own = await withTable(place, (table) => readOwnEvidence(table, workspace && referencePlaces(workspace)));
  const humans = await keptEvidence(workspace, "humans", place);
  const stability = await keptEvidence(workspace, "stability", place, { sameTier: true });
  const tiers = await keptEvidence(workspace, "tiers", place);
  const ofTiers = tiers.found ? await withTable(tiers.found.run, countRepeats) : [];
  const repeats = ofTiers.length > 0 ? ofTiers : own.repeats;
  const channels = [
    gapChannel({ families: own.families, humans: own.humans, margin, runs }),
    humans.found
      ? humanChannel(humans.found.result)
      : labelChannel(own.labels && { ...own.labels, runs }, humans.because),
    ruleChannel(tiers.found?.result ?? null, repeats, margin, tiers.because),
    convergenceChannel(
      own.replicates ? { ...own.replicates, runs, kept: false } : await keptReplicates(stability),
      stability.because,
    ),
    truthChannel({
      truth: own.truth,
      families: own.families,
      margin,
      runs,
      validate: workspace && readExperiment(workspace, "validate"),
    }),
  ];
  const source = { name: place.label, run_id: runs[0] ?? null, auditor: place.manifest?.auditor ?? null };
  return circularity({ source, channels, margin });
}

function withTable<T>(
  place: Pick<AuditsPlace, "source" | "actions">,
  work: (table: AuditTable) => Promise<T>,
): Promise<T> {
  return withDuckDB(async (db) =>
    work(await openAuditTable(db, place.source, { actions: place.actions, also: SIGNAL_COLUMNS })),
  );
}

/** The replicates behind a kept stability experiment. */
async function keptReplicates({ found }: KeptEvidence<unknown>): Promise<ConvergenceEvidence | null> {
  const replicates = found && (await withTable(found.run, readReplicated));
  return replicates && { ...replicates, runs: [found.run.manifest.run_id], kept: true };
}
