import { OPPOSITE_ARM, STATED_REASON_ARM } from "../../audit/arms.js";
import { RunHalted, unlessStopped } from "../../audit/calls/budget.js";
import { inPrefixOrder } from "../../audit/rules-in-force.js";
import type { Audit } from "../../core/records/audit.js";
import type { Manifest, RunCounts } from "../../core/records/manifest.js";
import type { Context } from "../../store/context.js";
import type { AuditRequest, AuditResult, LiveCounts } from "./audit-request.js";
import { type BatchVisit, visitBatch } from "./batch/run-batch.js";
import { countIntake, writePrompts } from "./estimate.js";
import { Remarks } from "./plan.js";
import { estimateLeft, type Prepared, prepare } from "./prepare.js";
import { findRun, type OpenRun, observeRecorded, resume } from "./resume.js";
import { auditPasses } from "./run.js";
import { openRunTools, pricedUsage, type RunTools } from "./run-tools.js";

export type { AuditRequest, AuditResult } from "./audit-request.js";

/**
 * From the workspace to a sealed run in four steps. Each step may end the audit with a status of its result.
 *
 * PREPARE reads rules, precedents and decisions, checks the request and finds its run: the named one, or the newest with the same
 * fingerprint. It writes nothing and calls no model.
 * - → `planned` for a dry run.
 * - → `done` if that run is sealed, unless it has errors to retry: then it becomes the parent of a new run.
 * - → RESUME otherwise.
 *
 * RESUME opens that run or starts a new one. The run is stored before the first question: whatever kills the process, the same command
 * finds it again. Then one call asks what the model can do, the cost is estimated, and the parent's scored audits are taken over.
 * - → `stopped`, or the error, if one of these fails. A run started here is deleted; an existing one is left unchanged.
 * - → EXECUTE otherwise.
 *
 * EXECUTE fetches what a batch has answered, or sends one, and then asks what the run still lacks. Each audit is written before the next
 * task is taken, and no key is audited twice, so EXECUTE may end at any point and RESUME continues from there.
 * - → `waiting` if a batch is at the provider, or answers are missing.
 * - → `stopped` by a signal, or with a reason: the budget, or a server that refuses every call.
 * - → `sealed` if the decisions, and then the flip control, are complete.
 *
 * FINISH releases cache, log and scheduler, and seals a complete run. Nothing is appended to a sealed run.
 */
export async function runAudit(context: Context, request: AuditRequest): Promise<AuditResult> {
  const prepared = await prepare(context, request);
  const { runs: ledger } = context;
  const existing = await findRun(ledger, prepared.draft, request);
  if (request.dryRun) {
    const prompts = request.prompt ? await writePrompts(prepared, request.prompt) : null;
    const estimate = estimateLeft(prepared, [existing?.counts, existing?.flip_counts]);
    return resultOf(prepared, "planned", existing, { estimate, prompts });
  }
  if (existing?.status === "sealed" && !(request.retryErrors && existing.counts.errors > 0)) {
    await ledger.finishSealing(existing.run_id);
    if (request.observe) await observeRecorded(ledger.audits(existing.run_id), request.observe, false);
    return resultOf(prepared, "done", existing);
  }
  let run: OpenRun;
  try {
    run = await resume(prepared, existing);
  } catch (cause) {
    if (!wasStopped(cause)) throw cause;
    const left = existing?.status === "open" ? existing : null;
    return resultOf(prepared, "stopped", left, { continued: existing !== null });
  }
  const tools = await toolsOf(prepared, run);
  try {
    return await finish(prepared, run, tools, await execute(prepared, run, tools));
  } finally {
    await tools.close();
    await run.writer.close();
  }
}

/** How EXECUTE ended, for FINISH. */
type Executed = Pick<AuditResult, "status" | "remarks"> &
  Partial<Pick<AuditResult, "reason" | "batch" | "intake" | "prompts">> & { planned: number };

async function execute(prepared: Prepared, { writer }: OpenRun, tools: RunTools): Promise<Executed> {
  const { context, request, conditions, parts, wanted, plan, source } = prepared;
  const { auditor, observe, again, stop, retryErrors } = request;
  const remarks = new Remarks();
  const live: LiveCounts = { levels: [0, 0, 0], retries: 0 };
  let planned = writer.manifest.counts.planned;
  const inputs = {
    conditions,
    wanted,
    ...tools,
    remarks,
    retryErrors,
    stop,
    progress: (done: Omit<RunCounts, "planned">) => request.progress(done, planned + plan.flips, writer.usage(), live),
    observe: (audit: Audit) => {
      noteLive(live, audit);
      observe?.(audit);
    },
    ...(again ? { again } : {}),
    planned: (audits: number) => {
      planned = audits;
      return writer.replan(audits);
    },
    // An auditor that reads no prompt keeps the file's order: it gains nothing from another.
    decisions: () => (auditor.readsPrompt ? inPrefixOrder(source, plan.communities, conditions.rules) : source()),
  };
  let visit: BatchVisit | null = null;
  try {
    const before = writer.usage().cost_usd;
    visit = await unlessStopped(
      visitBatch(writer, { ...inputs, store: context.runs.batches(writer.manifest.run_id), submit: request.batch }),
      stop,
    );
    if (visit && visit.outcome.waiting > 0) return { status: "waiting", batch: visit.outcome, remarks, planned };
    tools.budget?.charge(writer.usage().cost_usd - before);
    const ask = visit ? visit.answers.before(tools.tools.ask) : tools.tools.ask;
    let pending = 0;
    for (const arms of parts) {
      const own = { ...wanted, arms };
      const end = await auditPasses(writer, { ...inputs, tools: { ...tools.tools, ask }, wanted: own });
      if (!end.complete && end.pending === undefined)
        return { status: "stopped", reason: end.reason, remarks, planned };
      if (!end.complete) pending += end.pending;
    }
    const prompts = request.prompt && pending > 0 ? await writePrompts(prepared, request.prompt) : null;
    const intake = auditor.intake ? await countIntake(prepared, auditor.intake, pending) : null;
    return { status: pending > 0 ? "waiting" : "sealed", intake, prompts, remarks, planned };
  } catch (cause) {
    if (!wasStopped(cause)) throw cause;
    return { status: "stopped", remarks, planned };
  } finally {
    await visit?.answers.close();
  }
}

function noteLive(live: LiveCounts, { arm, level, outcome, attempts, samples }: Audit): void {
  // Each sample is a separate answer, so only further attempts are retries.
  live.retries += Math.max(0, attempts - (samples ?? 1));
  if (outcome === "verdict" && level && arm !== OPPOSITE_ARM.name && arm !== STATED_REASON_ARM.name)
    live.levels[level - 1]!++;
}

async function finish(
  prepared: Prepared,
  { writer, continued, estimate }: OpenRun,
  tools: RunTools,
  { planned, ...executed }: Executed,
): Promise<AuditResult> {
  await tools.close();
  const usage = pricedUsage(writer, prepared.request.auditor);
  const flip = writer.flipCounts();
  if (executed.status === "sealed") await writer.seal(prepared.context.now().toISOString());
  const counts = { planned, ...writer.counts() };
  return resultOf(prepared, executed.status, writer.manifest, {
    continued,
    counts,
    flip,
    usage,
    estimate,
    ...executed,
  });
}

/** Stopped by a signal, not by an error. */
function wasStopped(cause: unknown): boolean {
  return cause instanceof RunHalted && cause.reason === null;
}

async function toolsOf(
  { context, request, settings }: Prepared,
  { writer, carriedCost, estimate }: OpenRun,
): Promise<RunTools> {
  const { run_id } = writer.manifest;
  return openRunTools({
    request,
    writer,
    settings: { ...settings, runId: run_id },
    hasher: await context.openHasher(),
    openCache: context.openCache,
    raw: context.runs.raw(run_id),
    paidBefore: Math.max(0, writer.usage().cost_usd - carriedCost),
    expectedCost: estimate?.cost_usd ? estimate.cost_usd / Math.max(1, estimate.calls) : 0,
  });
}

function resultOf(
  { plan, draft }: Prepared,
  status: AuditResult["status"],
  run: Manifest | null,
  more: Partial<AuditResult> = {},
): AuditResult {
  return {
    status,
    reason: null,
    runId: run?.run_id ?? null,
    continued: run !== null,
    counts: run?.counts ?? draft.counts,
    flip: (run ?? draft).flip_counts ?? null,
    alternatives: plan.alternatives,
    stated: plan.stated,
    communitiesWithoutRules: plan.withoutRules,
    noRules: {
      decisions: plan.decisions - plan.underRules,
      of: plan.decisions,
      communities: plan.withoutAnyRules,
    },
    estimate: null,
    usage: null,
    batch: null,
    intake: null,
    prompts: null,
    remarks: new Remarks(),
    ...more,
  };
}
