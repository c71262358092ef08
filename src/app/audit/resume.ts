import { probeNotes } from "../../audit/arms.js";
import { dollars } from "../../audit/calls/budget.js";
import { probePatiently } from "../../audit/calls/patience.js";
import type { Capabilities } from "../../auditors/auditor.js";
import { BusyError, CheckFailedError, InputError } from "../../core/errors.js";
import { type Audit, auditKey } from "../../core/records/audit.js";
import type { Manifest } from "../../core/records/manifest.js";
import { namedRun } from "../../store/choose-run.js";
import type { RunStore, RunWriter } from "../../store/ports.js";
import type { AuditRequest } from "./audit-request.js";
import type { RunEstimate } from "./estimate.js";
import { checkArmAbilities, estimateLeft, type Prepared } from "./prepare.js";

/** A run open for writing, with its starting point. */
export interface OpenRun {
  writer: RunWriter;
  /** The run existed before. */
  continued: boolean;
  estimate: RunEstimate | null;
  /** Cost in USD of the audits it took over from another run. */
  carriedCost: number;
}

/** Opens or starts the run, asks the auditor what it can do, and takes over what a parent run had scored. */
export async function resume(prepared: Prepared, existing: Manifest | null): Promise<OpenRun> {
  const { context, request, draft } = prepared;
  const { runs: ledger } = context;
  await context.sweep();
  const continued = existing?.status === "open";
  const writer = continued ? await ledger.open(existing.run_id) : await startRun(ledger, draft, existing, request);
  try {
    const capabilities = await probe(prepared);
    const estimate = estimateLeft(prepared, continued ? [writer.counts(), writer.flipCounts()] : []);
    if (estimate) request.estimated(estimate);
    if (request.batch) checkBatchCost(request, estimate);
    const carriedCost = await takeOver(prepared, writer, continued);
    if (capabilities) await writer.annotate({ capabilities });
    return { writer, continued, estimate, carriedCost };
  } catch (cause) {
    await writer.close();
    if (!continued) await ledger.delete(writer.manifest.run_id);
    throw cause;
  }
}

/** One cheap call before many, so that missing abilities are reported at once. */
async function probe({ request, plan, parts }: Prepared): Promise<Capabilities | null> {
  const { auditor, giveUpMs, refused } = request;
  const capabilities = await probePatiently(auditor, request.stop, { limitMs: giveUpMs, tell: refused });
  checkArmAbilities(parts.flat(), request, capabilities);
  for (const text of probeNotes(capabilities, request.signal)) request.notice({ code: "remark", text }, "technical");
  if (plan.sameFamily > 0) {
    request.notice({ code: "same_family", decisions: plan.sameFamily, of: plan.decisions });
  }
  return capabilities;
}

/** Takes over what the parent had scored, also when continuing: a process may have been killed halfway. Returns the cost. */
async function takeOver({ context, request }: Prepared, writer: RunWriter, continued: boolean): Promise<number> {
  const { runs: ledger } = context;
  const { run_id, parent_run_id: parent } = writer.manifest;
  const cost = parent ? await carryOver(ledger, parent, writer, request.keepRaw) : 0;
  if (request.observe && (continued || parent)) {
    await observeRecorded(ledger.audits(run_id), request.observe, request.retryErrors);
  }
  return cost;
}

/** The run that a command refers to, if any: the named one, or the newest with the same fingerprint. */
export async function findRun(ledger: RunStore, draft: Manifest, request: AuditRequest): Promise<Manifest | null> {
  if (request.runId) {
    const run = await namedRun(ledger, request.runId);
    if (run.fingerprint === draft.fingerprint) return run;
    throw new InputError(
      "other_settings",
      `run ${run.run_id}: it was started with other decisions, rules or settings`,
      "Repeat the command it was started with, or start another run.",
    );
  }
  if (request.fresh) return null;
  return (await ledger.list()).find((run) => run.fingerprint === draft.fingerprint) ?? null;
}

/** Starts a run. If another process has just started the same one, throws an error that names it. */
async function startRun(
  ledger: RunStore,
  draft: Manifest,
  existing: Manifest | null,
  request: AuditRequest,
): Promise<RunWriter> {
  return ledger.withRunLock(async () => {
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

/** Copies the parent's scored audits into a new run. Returns their cost, which was paid by the parent. */
async function carryOver(ledger: RunStore, parent: string, writer: RunWriter, keepRaw: boolean): Promise<number> {
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

/** Reports the audits that a run already holds. Errors that will be retried are left out: their next outcome is reported instead. */
export async function observeRecorded(
  audits: AsyncIterable<Audit[]>,
  observe: (audit: Audit) => void,
  retryErrors: boolean,
): Promise<void> {
  for await (const batch of audits) {
    for (const audit of batch) if (!(retryErrors && audit.outcome === "error")) observe(audit);
  }
}

/** A batch is paid for as a whole, so the limit can only be checked before it is sent. */
function checkBatchCost({ maxCost }: AuditRequest, estimate: RunEstimate | null): void {
  const cost = estimate?.cost_usd ?? null;
  if (maxCost === null || cost === null || cost <= maxCost) return;
  throw new CheckFailedError(
    "max_cost",
    `cost: the batch would cost about ${dollars(cost)}, and the limit is ${dollars(maxCost)}`,
    "Nothing was sent. Raise the limit, or audit fewer decisions.",
  );
}
