import { BusyError, InputError } from "../../core/errors.js";
import { auditKey } from "../../core/records/audit.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { RunStore, RunWriter } from "../../store/ports.js";
import type { AuditRequest } from "./audit-request.js";

/** The run that a command is about, if there is one: the named one, or the newest with the same fingerprint. */
export async function findRun(ledger: RunStore, draft: Manifest, request: AuditRequest): Promise<Manifest | null> {
  if (request.runId) {
    const run = await ledger.manifest(request.runId);
    if (run.fingerprint === draft.fingerprint) return run;
    throw new InputError(
      "other_settings",
      `run ${request.runId}: it was started with other decisions, rules or settings`,
      "Repeat the command it was started with, or leave out --run to start another.",
    );
  }
  if (request.fresh) return null;
  return (await ledger.list()).find((run) => run.fingerprint === draft.fingerprint) ?? null;
}

/** Starts a run, unless another process has just started the same one: then that one is told. */
export async function startRun(
  ledger: RunStore,
  draft: Manifest,
  existing: Manifest | null,
  request: AuditRequest,
): Promise<RunWriter> {
  return ledger.alone(async () => {
    const now = request.fresh ? null : await findRun(ledger, draft, request);
    if (now && now.run_id !== existing?.run_id) {
      throw new BusyError(
        "run_started",
        `run ${now.run_id}: another process has just started it with these settings`,
        "Wait for it, or repeat the command when it has ended.",
      );
    }
    return ledger.create({ ...draft, parent_run_id: existing?.run_id ?? null });
  });
}

/** A complete new run starts from what its parent had scored. Returns what that had cost: it was paid then. */
export async function carryOver(
  ledger: RunStore,
  parent: string,
  writer: RunWriter,
  keepRaw: boolean,
): Promise<number> {
  if (keepRaw) await ledger.copyRaw(parent, writer.manifest.run_id);
  let cost = 0;
  for await (const audits of ledger.audits(parent)) {
    for (const { outcome, usage } of audits) if (outcome !== "error") cost += usage?.cost_usd ?? 0;
    const kept = audits.filter(
      ({ outcome, decision_id, arm, replicate }) =>
        outcome !== "error" && writer.outcome(auditKey(decision_id, arm, replicate)) === undefined,
    );
    if (kept.length) await writer.append(kept.map((audit) => ({ ...audit, run_id: writer.manifest.run_id })));
  }
  return cost;
}
