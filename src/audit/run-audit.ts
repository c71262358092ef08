import { join } from "node:path";
import type { Auditor } from "../auditors/auditor.js";
import type { Usage } from "../domain/audit.js";
import type { Manifest, RunCounts } from "../domain/manifest.js";
import type { Precedent } from "../domain/precedent.js";
import { CheckFailedError, type DefensibleError } from "../errors.js";
import { FileLedger } from "../ledger/file-ledger.js";
import type { RunWriter } from "../ledger/ledger.js";
import { RAW_LOG_NAME } from "../ledger/raw-header.js";
import type { Scrub } from "../prompt/scrub.js";
import { readPrecedents } from "../workspace/records.js";
import { loadRuleSets } from "../workspace/rule-files.js";
import type { Workspace } from "../workspace/workspace.js";
import { checkAbilities } from "./abilities.js";
import type { BatchOutcome } from "./batch/run-batch.js";
import { type BatchVisit, visitBatch } from "./batch/visit-batch.js";
import { dollars } from "./calls/budget.js";
import { probePatiently } from "./calls/probe-patiently.js";
import { RunHalted } from "./calls/run-halted.js";
import { unlessStopped } from "./calls/unless-stopped.js";
import { estimateRun, type RunEstimate } from "./estimate.js";
import { carryOver, findRun, startRun } from "./find-run.js";
import { Frames } from "./frames.js";
import { hashText } from "./identity.js";
import { newManifest } from "./new-manifest.js";
import { nothingToAudit } from "./nothing-to-audit.js";
import { type Plan, planRun } from "./plan.js";
import { inPrefixOrder } from "./prefix-order.js";
import { preparePrompts } from "./prepare-prompts.js";
import { readWeights } from "./read-weights.js";
import { Remarks } from "./remarks.js";
import { RuleBook } from "./rules-in-force.js";
import { auditAll } from "./run.js";
import { openRunTools, pricedUsage } from "./run-tools.js";
import { type DecisionSource, type Selection, selectDecisions } from "./selection.js";
import type { RunSettings } from "./settings.js";

export interface AuditRequest extends Omit<RunSettings, "runId" | "weights" | "promptVersion"> {
  auditor: Auditor;
  selection: Selection;
  /** Most calls in flight. */
  concurrency: number;
  retryErrors: boolean;
  /** Start another run even if one with these settings exists. */
  fresh: boolean;
  /** Continue this run. */
  runId?: string;
  /** Say what would be done and do nothing. */
  dryRun: boolean;
  /** USD that the run may cost in all; null: no limit. */
  maxCost: number | null;
  /** Send the questions to the provider's batch service, and collect what it has answered. */
  batch: boolean;
  /** Keep every answer as it came, in the run's folder. */
  keepRaw: boolean;
  /** Use answers that the same request got before. */
  cache: boolean;
  /** What is hidden from the model; `id` names it in the manifest. */
  scrub: (Scrub & { id: string }) | null;
  /** Server of a model that could stand anywhere. */
  endpoint: string | null;
  /** Tokens of prompt and answer together, if the user named them. */
  contextTokens: number | null;
  /** Ends the run early, with everything done so far kept. */
  stop: AbortSignal;
  progress: (done: Omit<RunCounts, "planned">, planned: number, usage: ReturnType<RunWriter["usage"]>) => void;
  /** Told once, before the first call. */
  estimated: (estimate: RunEstimate) => void;
  /** Something the user should know, in a sentence. */
  notice: (sentence: string) => void;
}

export interface AuditResult {
  /** `done`: nothing was left to do. `planned`: a dry run. `waiting`: a batch is at the provider. */
  status: "sealed" | "done" | "stopped" | "planned" | "waiting";
  /** Why it stopped; null: it did not, or somebody asked it to. */
  reason: DefensibleError | null;
  runId: string | null;
  /** The run was there before. */
  continued: boolean;
  counts: RunCounts;
  communitiesWithoutRules: string[];
  estimate: RunEstimate | null;
  usage: Usage | null;
  batch: BatchOutcome | null;
  remarks: Remarks;
}

/** From a workspace to a sealed run: continues the open run with the same fingerprint, or starts one. */
export async function runAudit(workspace: Workspace, request: AuditRequest): Promise<AuditResult> {
  const { auditor } = request;
  checkAbilities(request, null);
  const ledger = new FileLedger(workspace.paths.runs);
  const ruleSets = loadRuleSets(workspace).map(({ set }) => set);
  const rules = new RuleBook(ruleSets);
  const precedents: Precedent[] = [];
  for await (const batch of readPrecedents(workspace)) precedents.push(...batch);
  const source = onlyKnown(await selectDecisions(workspace, request.selection), auditor);
  const plan = await planRun(workspace, source, rules, request, auditor.name);
  if (plan.decisions === 0) throw await nothingToAudit(workspace, request);
  const frames = new Frames(precedents, request.tier, workspace.config.actions);
  const prompts = await preparePrompts(request);
  const weights = readWeights(workspace);
  const draft = newManifest({
    workspace,
    request,
    weights,
    plan,
    promptVersion: prompts?.version ?? auditor.given?.promptVersion ?? "none",
    rulesHash: hashText(JSON.stringify(ruleSets)),
    precedentsHash: hashText(JSON.stringify(precedents)),
  });
  const existing = await findRun(ledger, draft, request);
  const settings = { ...request, promptVersion: draft.prompt_version, weights };
  const estimateLeft = (done: Omit<RunCounts, "planned">): RunEstimate | null => {
    if (!prompts) return null;
    const audited = done.verdicts + done.unscored + (request.retryErrors ? 0 : done.errors);
    const left = Math.max(0, 1 - audited / plan.audits);
    return estimateRun({ ...prompts, plan, rules, frames, auditor, settings, batch: request.batch, left });
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
    communitiesWithoutRules: plan.withoutRules,
    estimate: null,
    usage: null,
    batch: null,
    remarks,
    ...more,
  });
  if (request.dryRun) return result("planned", existing, { estimate: estimateLeft(existing?.counts ?? draft.counts) });
  if (existing?.status === "sealed" && !(request.retryErrors && existing.counts.errors > 0)) {
    ledger.tidy(existing.run_id, existing);
    return result("done", existing);
  }
  // One cheap call before many: what the model cannot give is said now, and no folder is left behind.
  const capabilities = await probePatiently(auditor, request.stop);
  checkAbilities(request, capabilities);
  for (const note of capabilities?.notes ?? []) {
    if (request.signal === "logprobs" || !ABOUT_PROBABILITIES.test(note)) request.notice(note);
  }
  if (plan.sameFamily > 0) {
    request.notice(
      `${plan.sameFamily} of ${plan.decisions} decisions were made by a model of the auditor's family: it may share their mistakes. Their records are flagged same_family.`,
    );
  }

  const continued = existing?.status === "open";
  let writer = continued ? await ledger.open(existing.run_id) : null;
  let carriedCost = 0;
  const estimate = estimateLeft(writer?.counts() ?? draft.counts);
  try {
    if (estimate) request.estimated(estimate);
    if (request.batch) checkBatchCost(request, estimate);
    writer ??= await startRun(ledger, draft, existing, request);
    // Also when continued: a process may have been killed while it carried them over.
    const parent = writer.manifest.parent_run_id;
    if (parent) carriedCost = await carryOver(ledger, parent, writer, request.keepRaw);
    if (capabilities) writer.annotate({ capabilities });
  } catch (cause) {
    await writer?.close();
    throw cause;
  }
  const run = writer;
  const folder = join(workspace.paths.runs, run.manifest.run_id);
  const tools = openRunTools({
    request,
    writer: run,
    prompter: prompts?.prompter ?? null,
    settings: { ...settings, runId: run.manifest.run_id },
    cacheFolder: workspace.paths.cache,
    rawFile: join(folder, RAW_LOG_NAME),
    paidBefore: Math.max(0, run.usage().cost_usd - carriedCost),
    expectedCost: estimate?.cost_usd ? estimate.cost_usd / Math.max(1, estimate.calls) : 0,
  });
  const inputs = {
    rules,
    frames,
    ...tools,
    remarks,
    retryErrors: request.retryErrors,
    stop: request.stop,
    progress: (done: Omit<RunCounts, "planned">) => request.progress(done, plan.audits, run.usage()),
  };
  const decisions = () => ordered(source, plan, rules, auditor);
  const ended = async (status: AuditResult["status"], more: Partial<AuditResult> = {}) => {
    await tools.close();
    const usage = pricedUsage(run, auditor);
    if (status === "sealed") await run.seal(new Date().toISOString());
    const counts = { planned: plan.audits, ...run.counts() };
    return result(status, run.manifest, { continued, counts, usage, estimate, ...more });
  };
  let visit: BatchVisit | null = null;
  try {
    const before = run.usage().cost_usd;
    visit = await unlessStopped(visitBatch(run, { ...inputs, decisions, folder, submit: request.batch }), request.stop);
    if (visit && visit.outcome.waiting > 0) return await ended("waiting", { batch: visit.outcome });
    tools.budget?.charge(run.usage().cost_usd - before);
    const ask = visit ? visit.answers.before(tools.tools.ask) : tools.tools.ask;
    const end = await auditAll(run, { ...inputs, tools: { ...tools.tools, ask }, decisions: decisions() });
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
