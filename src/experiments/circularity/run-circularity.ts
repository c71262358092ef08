import type { z } from "zod";
import type { Circularity } from "../../domain/circularity.js";
import type { ExperimentKind } from "../../domain/experiment.js";
import { humansSchema } from "../../domain/humans.js";
import { tiersSchema } from "../../domain/tiers.js";
import { validateSchema } from "../../domain/validate.js";
import { InputError } from "../../errors.js";
import { type AuditTable, openAuditTable } from "../../ledger/audit-table.js";
import { withDuckDB } from "../../ledger/duckdb.js";
import { FileLedger } from "../../ledger/file-ledger.js";
import { countRepeats } from "../../ledger/repeat-counts.js";
import { SIGNAL_COLUMNS } from "../../ledger/signal-columns.js";
import { experimentFile, readExperiment } from "../../workspace/experiment-store.js";
import type { AuditsPlace } from "../../workspace/load-scores.js";
import type { Workspace } from "../../workspace/workspace.js";
import { referencePlaces } from "../truth-places.js";
import { circularity } from "./circularity.js";
import { type ConvergenceEvidence, convergenceChannel } from "./convergence-channel.js";
import { gapChannel } from "./gap-channel.js";
import { humanChannel, labelChannel } from "./human-channel.js";
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

/** The channels, from a run and from the results of other experiments that the workspace keeps. */
export async function runCircularity(request: CircularityRequest): Promise<Circularity> {
  const { place, workspace, margin } = request;
  const runs = place.manifest ? [place.manifest.run_id] : [];
  const own = await withTable(place, (table) => readOwnEvidence(table, workspace && referencePlaces(workspace)));
  const humans = kept(workspace, "humans", humansSchema);
  const replicates = (await keptReplicates(workspace)) ?? (own.replicates && { ...own.replicates, runs, kept: false });
  const tiers = kept(workspace, "tiers", tiersSchema);
  const tiersRun = tiers && (await runOf(workspace!, tiers.runs.at(-1)));
  const ofTiers = tiersRun ? await withTable(tiersRun, countRepeats) : [];
  const repeats = ofTiers.length > 0 ? ofTiers : own.repeats;
  const channels = [
    gapChannel({ families: own.families, humans: own.humans, margin, runs }),
    humans ? humanChannel(humans) : labelChannel(own.labels && { ...own.labels, runs }),
    ruleChannel(tiers, repeats, margin),
    convergenceChannel(replicates),
    truthChannel({
      truth: own.truth,
      families: own.families,
      margin,
      runs,
      validate: kept(workspace, "validate", validateSchema),
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

/** A kept result, checked; null: it was never made. */
function kept<T>(workspace: Workspace | null, kind: ExperimentKind, schema: z.ZodType<T>): T | null {
  const result = workspace && readExperiment(workspace, kind);
  if (!workspace || !result) return null;
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new InputError(
    "damaged_experiment",
    `${experimentFile(workspace, kind)}: is not a result of experiment ${kind} as this version makes it`,
    "Delete the file, and run the experiment again.",
  );
}

type Replicates = Pick<ConvergenceEvidence, "columns" | "arm" | "runs" | "kept">;

/** The replicates behind a kept stability experiment, if its run is still there. */
async function keptReplicates(workspace: Workspace | null): Promise<Replicates | null> {
  const run = workspace && (await runOf(workspace, readExperiment(workspace, "stability")?.runs.at(-1)));
  const found = run && (await withTable(run, readReplicated));
  return found && { ...found, runs: [run.run_id], kept: true };
}

/** A run that a kept result names, if it is still there. */
async function runOf(workspace: Workspace, id: string | undefined) {
  const ledger = new FileLedger(workspace.paths.runs);
  const manifest = (await ledger.list()).find(({ run_id }) => run_id === id);
  return manifest
    ? { run_id: manifest.run_id, source: ledger.source(manifest.run_id), actions: manifest.actions }
    : null;
}
