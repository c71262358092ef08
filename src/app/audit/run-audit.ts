import { join } from "node:path";
import { checkAbilities } from "../../audit/abilities.js";
import { OPPOSITE_ARM, PLAIN_ARM } from "../../audit/arms.js";
import { dollars } from "../../audit/calls/budget.js";
import { probePatiently } from "../../audit/calls/probe-patiently.js";
import { RunHalted } from "../../audit/calls/run-halted.js";
import { unlessStopped } from "../../audit/calls/unless-stopped.js";
import { hashList } from "../../audit/identity.js";
import type { DecisionSource } from "../../audit/prefix-order.js";
import { inPrefixOrder } from "../../audit/prefix-order.js";
import { promptVersionFor } from "../../audit/prepare-prompts.js";
import type { RuleBook } from "../../audit/rules-in-force.js";
import type { Auditor } from "../../auditors/auditor.js";
import { RAW_LOG_NAME } from "../../auditors/recorded/raw-header.js";
import { CheckFailedError } from "../../core/errors.js";
import type { Decision } from "../../core/records/decision.js";
import type { Manifest, RunCounts } from "../../core/records/manifest.js";
import type { Precedent } from "../../core/records/precedent.js";
import { sweepTemporary } from "../../io/files.js";
import { readHasher } from "../../store/files/read-hash.js";
import { readPrecedents } from "../../store/files/records.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { AuditRequest, AuditResult } from "./audit-request.js";
import { type BatchVisit, visitBatch } from "./batch/visit-batch.js";
import { checkArms } from "./check-arms.js";
import { checkAnyRules, checkRuleSets, rulesNotices } from "./check-rules.js";
import { prepareConditions, settingsOf } from "./conditions.js";
import { drawFlips } from "./draw-flips.js";
import { estimateRun, type RunEstimate } from "./estimate.js";
import { carryOver, findRun, startRun } from "./find-run.js";
import { newManifest } from "./new-manifest.js";
import { nothingToAudit } from "./nothing-to-audit.js";
import { auditPasses, observeRecorded } from "./passes.js";
import { type Plan, planRun } from "./plan.js";
import { weightsFor } from "./read-weights.js";
import { Remarks } from "./remarks.js";
import type { RunEnd } from "./run.js";
import { openRunTools, pricedUsage } from "./run-tools.js";
import { selectDecisions } from "./selection.js";
import type { TaskSettings } from "./tasks.js";

export type { AuditRequest, AuditResult } from "./audit-request.js";

/** From a workspace to a sealed run: continues the open run with the same fingerprint, or starts one. */
export async function runAudit(workspace: Workspace, request: AuditRequest): Promise<AuditResult> {
  const { auditor, arms: asked = [PLAIN_ARM] } = request;
  checkArms(asked, request);
  const flip = request.experiment ? 0 : (request.flip ?? 0);
  const arms = flip > 0 ? [...asked, OPPOSITE_ARM] : asked;
  for (const arm of arms) checkAbilities({ ...request, ...settingsOf(arm) }, null);
  const { runs: ledger, openCache } = fileStores(workspace);
  const ruleFiles = loadRuleSets(workspace);
  const ruleSets = ruleFiles.map(({ set }) => set);
  const precedents: Precedent[] = [];
  for await (const batch of readPrecedents(workspace)) precedents.push(...batch);
  const { actions } = workspace.config;
  const { scrub } = request;
  const conditions = await prepareConditions({
    arms,
    settings: request,
    ruleSets,
    precedents,
    actions,
    auditor,
    scrub,
  });
  const { rules } = conditions;
  const source = onlyKnown(await selectDecisions(workspace, request.selection, request.source?.decisions), auditor);
  const flips = await drawFlips(source, flip, {
    ...request,
    hasRules: (decision) => conditions.of(PLAIN_ARM.name).hasRules(decision),
  });
  const wanted: TaskSettings = { ...request, arms: flips ? arms : asked, actions, ...(flips ? { flips } : {}) };
  const plan = await planRun(workspace, {
    ...{ source, rules, wanted, auditor: auditor.name, hash: request.source?.hash ?? null },
    hasRules: (decision, arm) => conditions.of(arm).hasRules(decision),
    prefixOf: (arm) => conditions.of(arm).prefix,
  });
  if (plan.decisions === 0) throw await nothingToAudit(workspace, request);
  const { allowUnusedRules = false } = request;
  await checkRuleSets(workspace, ruleFiles, plan.communities.sizes.keys(), allowUnusedRules);
  checkAnyRules(plan, asked);
  for (const notice of rulesNotices(plan)) request.notice(notice);
  const promptVersion = await promptVersionFor(auditor, request.template);
  const { weights, notice } = weightsFor(workspace, {
    auditor: auditor.name,
    auditor_version: auditor.version,
    prompt_version: promptVersion,
    template: request.template,
    signal: request.signal,
    missing: request.missing ?? null,
  });
  if (notice && request.signal !== "none") request.notice(notice);
  const draft = newManifest({
    workspace,
    request,
    weights,
    plan,
    promptVersion,
    arms: conditions.all.map((condition) => condition.record()),
    rulesHash: hashList(ruleSets),
    precedentsHash: hashList(precedents),
  });
  const existing = await findRun(ledger, draft, request);
  const settings = { ...request, promptVersion: draft.prompt_version, weights };
  type Done = Omit<RunCounts, "planned">;
  const estimateLeft = (done: readonly (Done | null | undefined)[]): RunEstimate | null => {
    const counter = conditions.all[0]?.prompts?.counter;
    if (!counter) return null;
    const promptOf = (decision: Decision, arm: string) => {
      const condition = conditions.of(arm);
      return condition.hasRules(decision) ? condition.promptOf(decision) : null;
    };
    const templateOf = (arm: string) => conditions.of(arm).settings.template;
    let audited = 0;
    for (const counts of done) {
      if (counts) audited += counts.verdicts + counts.unscored + (request.retryErrors ? 0 : counts.errors);
    }
    const left = Math.max(0, 1 - audited / (plan.audits + plan.flips));
    return estimateRun({ promptOf, templateOf, counter, plan, auditor, settings, batch: request.batch, left });
  };
  const remarks = new Remarks();
  const result = (
    status: AuditResult["status"],
    run: Manifest | null,
    more: Partial<AuditResult> = {},
  ): AuditResult => ({
    status,
    reason: null,
    runId: run?.run_id ?? null,
    continued: existing !== null,
    counts: run?.counts ?? draft.counts,
    flip: (run ?? draft).flip_counts ?? null,
    communitiesWithoutRules: plan.withoutRules,
    noRules: {
      decisions: plan.decisions - plan.underRules,
      of: plan.decisions,
      communities: plan.withoutAnyRules,
    },
    estimate: null,
    usage: null,
    batch: null,
    remarks,
    ...more,
  });
  if (request.dryRun)
    return result("planned", existing, { estimate: estimateLeft([existing?.counts, existing?.flip_counts]) });
  if (existing?.status === "sealed" && !(request.retryErrors && existing.counts.errors > 0)) {
    await ledger.tidy(existing.run_id);
    if (request.observe) await observeRecorded(ledger.audits(existing.run_id), request.observe, false);
    return result("done", existing);
  }
  for (const folder of [workspace.root, workspace.paths.runs, workspace.paths.cache]) sweepTemporary(folder);
  // The run is there before anything is asked: whatever kills the process, repeating the command finds it again.
  const continued = existing?.status === "open";
  const writer = continued ? await ledger.open(existing.run_id) : await startRun(ledger, draft, existing, request);
  let carriedCost = 0;
  let estimate: RunEstimate | null = null;
  try {
    // One cheap call before many: what the model cannot give is said now, and no folder is left behind.
    const { giveUpMs, refused } = request;
    const capabilities = await probePatiently(auditor, request.stop, { limitMs: giveUpMs, tell: refused });
    for (const arm of arms) checkAbilities({ ...request, ...settingsOf(arm) }, capabilities);
    for (const note of capabilities?.notes ?? []) {
      if (request.signal === "logprobs" || !ABOUT_PROBABILITIES.test(note)) request.notice(note);
    }
    if (plan.sameFamily > 0) {
      request.notice(
        `${plan.sameFamily} of ${plan.decisions} decisions were made by a model of the auditor's family: it may share their mistakes. Their records are flagged same_family.`,
      );
    }
    estimate = estimateLeft(continued ? [writer.counts(), writer.flipCounts()] : []);
    if (estimate) request.estimated(estimate);
    if (request.batch) checkBatchCost(request, estimate);
    // Also when continued: a process may have been killed while it carried them over.
    const parent = writer.manifest.parent_run_id;
    if (parent) carriedCost = await carryOver(ledger, parent, writer, request.keepRaw);
    const { observe, retryErrors } = request;
    if (observe && (continued || parent))
      await observeRecorded(ledger.audits(writer.manifest.run_id), observe, retryErrors);
    if (capabilities) await writer.annotate({ capabilities });
  } catch (cause) {
    await writer.close();
    if (!continued) await ledger.delete(writer.manifest.run_id);
    if (cause instanceof RunHalted && cause.reason === null) return result("stopped", continued ? existing : null);
    throw cause;
  }
  const run = writer;
  const folder = join(workspace.paths.runs, run.manifest.run_id);
  const tools = openRunTools({
    request,
    writer: run,
    settings: { ...settings, runId: run.manifest.run_id },
    hasher: readHasher(workspace),
    openCache,
    rawFile: join(folder, RAW_LOG_NAME),
    paidBefore: Math.max(0, run.usage().cost_usd - carriedCost),
    expectedCost: estimate?.cost_usd ? estimate.cost_usd / Math.max(1, estimate.calls) : 0,
  });
  let planned = run.manifest.counts.planned;
  const { observe, again } = request;
  const inputs = {
    conditions,
    wanted,
    ...tools,
    remarks,
    retryErrors: request.retryErrors,
    stop: request.stop,
    progress: (done: Omit<RunCounts, "planned">) => request.progress(done, planned + plan.flips, run.usage()),
    ...(observe ? { observe } : {}),
    ...(again ? { again } : {}),
    planned: (audits: number) => {
      planned = audits;
      return run.replan(audits);
    },
  };
  const decisions = () => ordered(source, plan, rules, auditor);
  const ended = async (status: AuditResult["status"], more: Partial<AuditResult> = {}) => {
    await tools.close();
    const usage = pricedUsage(run, auditor);
    const flip = run.flipCounts();
    if (status === "sealed") await run.seal(new Date().toISOString());
    const counts = { planned, ...run.counts() };
    return result(status, run.manifest, { continued, counts, flip, usage, estimate, ...more });
  };
  let visit: BatchVisit | null = null;
  try {
    const before = run.usage().cost_usd;
    visit = await unlessStopped(visitBatch(run, { ...inputs, decisions, folder, submit: request.batch }), request.stop);
    if (visit && visit.outcome.waiting > 0) return await ended("waiting", { batch: visit.outcome });
    tools.budget?.charge(run.usage().cost_usd - before);
    const ask = visit ? visit.answers.before(tools.tools.ask) : tools.tools.ask;
    const asking = { ...inputs, tools: { ...tools.tools, ask }, decisions };
    // Decisions come first: a run that is stopped by its budget lacks part of the control, and no decision.
    const parts = flips ? [asked, [OPPOSITE_ARM]] : [asked];
    let end: RunEnd = { complete: true };
    for (const arms of parts)
      if (end.complete) end = await auditPasses(run, { ...asking, wanted: { ...wanted, arms } });
    return end.complete ? await ended("sealed") : await ended("stopped", { reason: end.reason });
  } catch (cause) {
    if (cause instanceof RunHalted && cause.reason === null) return await ended("stopped");
    throw cause;
  } finally {
    await visit?.answers.close();
    await tools.close();
    await run.close();
  }
}

/** Notes of a probe that matter only to those who use its probabilities. */
const ABOUT_PROBABILITIES = /logprob|probabilit|entrop/i;

/** An auditor that answers from a file audits what is in the file. */
function onlyKnown(source: DecisionSource, auditor: Auditor): DecisionSource {
  if (!auditor.knows) return source;
  return async function* () {
    for await (const batch of source()) {
      const known = batch.filter(({ id }) => auditor.knows!(id));
      if (known.length > 0) yield known;
    }
  };
}

/** A batch is paid as a whole, so that it can only be refused before it is sent. */
function checkBatchCost({ maxCost }: AuditRequest, estimate: RunEstimate | null): void {
  const cost = estimate?.cost_usd ?? null;
  if (maxCost === null || cost === null || cost <= maxCost) return;
  throw new CheckFailedError(
    "max_cost",
    `cost: the batch would cost about ${dollars(cost)}, and the limit is ${dollars(maxCost)}`,
    "Nothing was sent. Raise --max-cost, or audit fewer decisions with --limit.",
  );
}

/** The file's order for an auditor that has no use for another. */
function ordered(source: DecisionSource, plan: Plan, rules: RuleBook, auditor: Auditor) {
  return auditor.readsPrompt ? inPrefixOrder(source, plan.communities, rules) : source();
}
