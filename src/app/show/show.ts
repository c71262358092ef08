import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import { nearestName } from "../../core/text-checks.js";
import { chosenRun } from "../../store/choose-run.js";
import type { Stores } from "../../store/context.js";
import type { RecordStore } from "../../store/ports.js";
import { Refusal } from "../refusal.js";

export interface ListRequest {
  /** Default: the newest. */
  run?: string;
  level?: number;
  community?: string;
  /** Audits listed at most. */
  limit: number;
}

export interface ListedAudits {
  run_id: string;
  /** The least defensible first. */
  audits: Audit[];
  /** How many there are. */
  of: number;
  /** A community of the run that was probably meant, where the one that was asked for has no audit. */
  meant: string | null;
}

/** The audits of a run's decisions as they were made, without arms and replicates. */
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
  /** Null: it is no longer there. */
  decision: Decision | null;
  /** At least one. */
  audits: Audit[];
}

/** `isKnown`: the decision is there, and the run has no audit of it. */
export type ShowRefusal = { code: "unknown_decision"; id: string; run: string; isKnown: boolean };

/** A decision, and every audit of it in a run. */
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
  throw new Refusal<ShowRefusal>({ code: "unknown_decision", id, run: run_id, isKnown: decision !== null });
}

async function findDecision(records: RecordStore, id: string): Promise<Decision | null> {
  for await (const batch of records.decisions()) {
    const decision = batch.find((one) => one.id === id);
    if (decision) return decision;
  }
  return null;
}
