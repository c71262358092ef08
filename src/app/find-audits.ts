import { basename, extname } from "node:path";
import type { AuditInput } from "../analysis/audit-table.js";
import { InputError } from "../core/errors.js";
import type { Actions } from "../core/records/actions.js";
import type { Audit } from "../core/records/audit.js";
import type { Decision } from "../core/records/decision.js";
import type { Manifest } from "../core/records/manifest.js";
import { nearestName } from "../core/text-checks.js";
import { chosenRun, runThatAudited } from "../store/choose-run.js";
import type { Stores } from "../store/context.js";
import type { AuditSource, RecordStore, RecordsFile, RunStore } from "../store/ports.js";
import { Refusal } from "./notices.js";

export interface AuditsPlace {
  source: AuditInput;
  actions?: Actions;
  /** "run X" or a file name. */
  label: string;
  /** Null for a file. */
  manifest: Manifest | null;
}

/** Audits named by a command: a run (default: the newest) or a file. */
export interface NamedAudits {
  run?: string;
  file?: RecordsFile;
  actions?: Actions;
}

/** Finds a run (default: the newest) or a file. `runs` null: there is only the file. */
export async function findAudits(runs: RunStore | null, { run, file, actions }: NamedAudits): Promise<AuditsPlace> {
  if (file) return { source: { ...file, own: false }, actions, label: basename(file.path), manifest: null };
  if (!runs) throw new InputError("no_workspace", "workspace: none", "Name a file of audits.");
  const manifest = await chosenRun(runs, run);
  return {
    source: await runs.snapshot(manifest.run_id),
    actions: manifest.actions,
    label: `run ${manifest.run_id}`,
    manifest,
  };
}

interface ListRequest {
  /** Default: the newest. */
  run?: string;
  level?: number;
  community?: string;
  /** Maximum number of audits listed. */
  limit: number;
}

export interface ListedAudits {
  run_id: string;
  /** Least defensible first. */
  audits: Audit[];
  /** Total number of matching audits. */
  of: number;
  /** If the requested community has no audit: the one in the run that was probably meant. */
  meant: string | null;
}

/** A run's audits of decisions as they were made, without arms and replicates. */
export async function listAudits({ runs }: Pick<Stores, "runs">, request: ListRequest): Promise<ListedAudits> {
  const { run_id } = await chosenRun(runs, request.run);
  const found: Audit[] = [];
  const communities = new Set<string>();
  for await (const batch of runs.audits(run_id)) {
    for (const audit of batch) {
      communities.add(audit.community);
      if (isListed(audit, request)) found.push(audit);
    }
  }
  found.sort((a, b) => (a.p_defensible ?? 2) - (b.p_defensible ?? 2));
  const { community } = request;
  const isUnknown = community !== undefined && !communities.has(community);
  const meant = isUnknown ? nearestName(community, communities) : null;
  return { run_id, audits: found.slice(0, request.limit), of: found.length, meant };
}

function isListed(audit: Audit, { level, community }: ListRequest): boolean {
  return (
    audit.arm === "" &&
    audit.replicate === 0 &&
    (level === undefined || audit.level === level) &&
    (community === undefined || audit.community === community)
  );
}

export interface ShownDecision {
  run_id: string;
  /** Null: it no longer exists. */
  decision: Decision | null;
  audits: Audit[];
}

/** `isKnown`: the decision exists, but the run has no audit of it. `audited`: another run that has one. */
export type ShowRefusal = {
  code: "unknown_decision";
  id: string;
  run: string;
  isKnown: boolean;
  audited: string | null;
};

/** A decision, and all its audits in a run. */
export async function showDecision(
  { runs, records }: Pick<Stores, "runs" | "records">,
  id: string,
  run?: string,
): Promise<ShownDecision> {
  const { run_id } = await chosenRun(runs, run);
  const audits: Audit[] = [];
  for await (const batch of runs.audits(run_id)) audits.push(...batch.filter((audit) => audit.decision_id === id));
  const decision = await findDecision(records, id);
  if (audits.length > 0) return { run_id, decision, audits };
  const audited = await runThatAudited(runs, new Set([id]), [run_id]);
  throw new Refusal<ShowRefusal>({ code: "unknown_decision", id, run: run_id, isKnown: decision !== null, audited });
}

async function findDecision(records: RecordStore, id: string): Promise<Decision | null> {
  for await (const batch of records.decisions()) {
    const decision = batch.find((one) => one.id === id);
    if (decision) return decision;
  }
  return null;
}

/** The format of a file of audits or decisions, by its extension. */
export function auditFormat(path: string): AuditSource["format"] {
  const known: Record<string, AuditSource["format"]> = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
  };
  const format = known[extname(path).toLowerCase()];
  if (format) return format;
  throw new InputError(
    "unknown_format",
    `${path}: expected a file ending in .jsonl, .csv or .parquet`,
    "Rename or convert it.",
  );
}
