import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Auditor } from "../auditors/auditor.js";
import type { Manifest, RunCounts } from "../domain/manifest.js";
import type { Precedent } from "../domain/precedent.js";
import { CheckFailedError, type DefensibleError, InputError } from "../errors.js";
import { FileLedger } from "../ledger/file-ledger.js";
import type { RunWriter } from "../ledger/ledger.js";
import type { Scrub } from "../prompt/scrub.js";
import { EQUAL_WEIGHTS, parseWeights, type Weights } from "../signals/weights.js";
import { readDecisions, readPrecedents } from "../workspace/records.js";
import { loadRuleSets } from "../workspace/rule-files.js";
import type { Workspace } from "../workspace/workspace.js";
import { checkAbilities } from "./abilities.js";
import type { BatchOutcome } from "./batch/run-batch.js";
import { visitBatch } from "./batch/visit-batch.js";
import { dollars } from "./calls/budget.js";
import { probePatiently } from "./calls/probe-patiently.js";
import { estimateRun, type RunEstimate } from "./estimate.js";
import { Frames } from "./frames.js";
import { hashText } from "./identity.js";
import { newManifest } from "./new-manifest.js";
import { type Plan, planRun } from "./plan.js";
import { inPrefixOrder } from "./prefix-order.js";
import { preparePrompts } from "./prepare-prompts.js";
import { RuleBook } from "./rules-in-force.js";
import { auditAll } from "./run.js";
import { openRunTools } from "./run-tools.js";
import { type DecisionSource, isEverything, type Selection, selectDecisions } from "./selection.js";
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
  usage: ReturnType<RunWriter["usage"]> | null;
  batch: BatchOutcome | null;
}

/** From a workspace to a sealed run: continues the open run with the same fingerprint, or starts one. */
export async function runAudit(workspace: Workspace, request: AuditRequest): Promise<AuditResult> {
  checkAbilities(request, null);
  const ledger = new FileLedger(workspace.paths.runs);
  const ruleSets = loadRuleSets(workspace).map(({ set }) => set);
  const rules = new RuleBook(ruleSets);
  const precedents: Precedent[] = [];
  for await (const batch of readPrecedents(workspace)) precedents.push(...batch);
  const source = await selectDecisions(workspace, request.selection);
  const plan = await planRun(workspace, source, rules, request, request.auditor.name);
  if (plan.decisions === 0) throw await nothingToAudit(workspace, request.selection);
  const frames = new Frames(precedents, request.tier, workspace.config.actions);
  const prompts = await preparePrompts(request);
  const weights = readWeights(workspace);
  const draft = newManifest({
    workspace,
    request,
    weights,
    plan,
    promptVersion: prompts?.version ?? "none",
    rulesHash: hashText(JSON.stringify(ruleSets)),
    precedentsHash: hashText(JSON.stringify(precedents)),
  });
  const existing = await findRun(ledger, draft, request);
  const settings = { ...request, promptVersion: draft.prompt_version, weights };
  const estimate = prompts
    ? estimateRun({ ...prompts, plan, rules, frames, auditor: request.auditor, settings, batch: request.batch })
    : null;
  const result = (status: AuditResult["status"], run: Manifest | null, continued: boolean): AuditResult => ({
    status,
    reason: null,
    runId: run?.run_id ?? null,
    continued,
    counts: run?.counts ?? draft.counts,
    communitiesWithoutRules: plan.withoutRules,
    estimate,
    usage: null,
    batch: null,
  });
  if (request.dryRun) return result("planned", existing, existing !== null);
  if (existing?.status === "sealed" && !(request.retryErrors && existing.counts.errors > 0)) {
    ledger.tidy(existing.run_id, existing);
    return result("done", existing, true);
  }
  if (estimate) request.estimated(estimate);
  if (request.batch) checkBatchCost(request, estimate);
  // One cheap call before many: what the model cannot give is said now, and no folder is left behind.
  const capabilities = await probePatiently(request.auditor, request.stop);
  checkAbilities(request, capabilities);
  for (const note of capabilities?.notes ?? []) request.notice(note);

  const continued = existing?.status === "open";
  const writer = continued
    ? await ledger.open(existing.run_id)
    : await ledger.create({ ...draft, parent_run_id: existing?.run_id ?? null });
  if (existing && !continued) await carryOver(ledger, existing.run_id, writer);
  if (capabilities) writer.annotate({ capabilities });
  const folder = join(workspace.paths.runs, writer.manifest.run_id);
  const tools = openRunTools({
    request,
    writer,
    prompter: prompts?.prompter ?? null,
    settings: { ...settings, runId: writer.manifest.run_id },
    cacheFolder: workspace.paths.cache,
    rawFile: join(folder, "raw.jsonl"),
    expectedCost: estimate?.cost_usd ? estimate.cost_usd / plan.tasks : 0,
  });
  const inputs = {
    rules,
    frames,
    ...tools,
    retryErrors: request.retryErrors,
    stop: request.stop,
    progress: (done: Omit<RunCounts, "planned">) => request.progress(done, plan.audits, writer.usage()),
  };
  const decisions = () => ordered(source, plan, rules, request.auditor);
  try {
    const batch = await visitBatch(writer, { ...inputs, decisions, folder, submit: request.batch });
    if (batch && batch.waiting > 0) {
      await tools.close();
      const counts = { planned: plan.audits, ...writer.counts() };
      return { ...result("waiting", writer.manifest, continued), counts, usage: { ...writer.usage() }, batch };
    }
    const end = await auditAll(writer, { ...inputs, decisions: decisions() });
    await tools.close();
    const usage = { ...writer.usage() };
    if (!end.complete) {
      const counts = { planned: plan.audits, ...writer.counts() };
      return { ...result("stopped", writer.manifest, continued), reason: end.reason, counts, usage };
    }
    await writer.seal(new Date().toISOString());
    return { ...result("sealed", writer.manifest, continued), usage };
  } finally {
    await tools.close();
    await writer.close();
  }
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

async function nothingToAudit(workspace: Workspace, selection: Selection): Promise<InputError> {
  return isEverything(selection)
    ? new InputError(
        "no_decisions",
        "decisions: the workspace has none",
        "Import some with `defensible import FILE`, or try `defensible init DIR --example`.",
      )
    : new InputError(
        "no_decisions",
        "decisions: nothing matches the selection",
        `Loosen --communities, --filter, --cohort, --sample or --limit. ${await communitiesOf(workspace)}`,
      );
}

async function communitiesOf(workspace: Workspace): Promise<string> {
  const names = new Set<string>();
  for await (const batch of readDecisions(workspace)) for (const { community } of batch) names.add(community);
  const shown = [...names].sort().slice(0, 20);
  return `Communities: ${shown.join(", ")}${names.size > shown.length ? ` and ${names.size - shown.length} more` : ""}.`;
}

function readWeights(workspace: Workspace): Weights {
  let text: string;
  try {
    text = readFileSync(workspace.paths.weights, "utf8");
  } catch {
    return EQUAL_WEIGHTS;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new InputError(
      "bad_weights",
      `${workspace.paths.weights}: not JSON`,
      "Restore it, or delete it for equal weights.",
    );
  }
  return parseWeights(json);
}

async function findRun(ledger: FileLedger, draft: Manifest, request: AuditRequest): Promise<Manifest | null> {
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

/** A complete new run starts from what its parent had scored. */
async function carryOver(ledger: FileLedger, parent: string, writer: RunWriter): Promise<void> {
  for await (const audits of ledger.audits(parent)) {
    const kept = audits.filter((audit) => audit.outcome !== "error");
    if (kept.length) await writer.append(kept.map((audit) => ({ ...audit, run_id: writer.manifest.run_id })));
  }
}
