import { readFileSync } from "node:fs";
import type { Auditor } from "../auditors/auditor.js";
import type { Manifest, RunCounts } from "../domain/manifest.js";
import type { Precedent } from "../domain/precedent.js";
import { InputError } from "../errors.js";
import { FileLedger } from "../ledger/file-ledger.js";
import type { RunWriter } from "../ledger/ledger.js";
import { EQUAL_WEIGHTS, parseWeights, type Weights } from "../signals/weights.js";
import { VERSION } from "../version.js";
import { readDecisions, readPrecedents } from "../workspace/records.js";
import { loadRuleSets } from "../workspace/rule-files.js";
import type { Workspace } from "../workspace/workspace.js";
import { Frames } from "./frames.js";
import { fingerprint, hashFiles, hashText, newRunId } from "./identity.js";
import { RuleBook } from "./rules-in-force.js";
import { auditAll, tasksOf } from "./run.js";
import { isEverything, type Selection, selectDecisions } from "./selection.js";
import type { RunSettings } from "./settings.js";

export interface AuditRequest extends Omit<RunSettings, "runId" | "weights"> {
  auditor: Auditor;
  selection: Selection;
  concurrency: number;
  retryErrors: boolean;
  /** Start another run even if one with these settings exists. */
  fresh: boolean;
  /** Continue this run. */
  runId?: string;
  /** Say what would be done and do nothing. */
  dryRun: boolean;
  stopped: () => boolean;
  progress: (done: Omit<RunCounts, "planned">, planned: number) => void;
}

export interface AuditResult {
  /** `done`: nothing was left to do. `planned`: a dry run. */
  status: "sealed" | "done" | "stopped" | "planned";
  runId: string | null;
  /** The run was there before. */
  continued: boolean;
  counts: RunCounts;
  communitiesWithoutRules: string[];
}

/** From a workspace to a sealed run: continues the open run with the same fingerprint, or starts one. */
export async function runAudit(workspace: Workspace, request: AuditRequest): Promise<AuditResult> {
  const ledger = new FileLedger(workspace.paths.runs);
  const ruleSets = loadRuleSets(workspace).map(({ set }) => set);
  const rules = new RuleBook(ruleSets);
  const precedents: Precedent[] = [];
  for await (const batch of readPrecedents(workspace)) precedents.push(...batch);
  const plan = await planOf(workspace, request, rules);
  if (plan.decisions === 0) {
    throw new InputError(
      "no_decisions",
      isEverything(request.selection)
        ? "decisions: the workspace has none"
        : "decisions: nothing matches the selection",
      isEverything(request.selection)
        ? "Import some with `defensible import FILE`, or try `defensible init DIR --example`."
        : `Loosen --communities, --filter, --cohort, --sample or --limit. ${await communitiesOf(workspace)}`,
    );
  }
  const weights = readWeights(workspace);
  const draft = manifestOf(
    workspace,
    request,
    weights,
    plan,
    hashText(JSON.stringify(ruleSets)),
    hashText(JSON.stringify(precedents)),
  );
  const existing = await findRun(ledger, draft, request);
  const result = (status: AuditResult["status"], run: Manifest | null, continued: boolean): AuditResult => ({
    status,
    runId: run?.run_id ?? null,
    continued,
    counts: run?.counts ?? draft.counts,
    communitiesWithoutRules: plan.withoutRules,
  });
  if (request.dryRun) return result("planned", existing, existing !== null);

  let writer: RunWriter;
  let continued = false;
  if (existing?.status === "open") {
    writer = await ledger.open(existing.run_id);
    continued = true;
  } else if (existing && !(request.retryErrors && existing.counts.errors > 0)) {
    ledger.tidy(existing.run_id, existing);
    return result("done", existing, true);
  } else {
    writer = await ledger.create({ ...draft, parent_run_id: existing?.run_id ?? null });
    if (existing) await carryOver(ledger, existing.run_id, writer);
  }

  try {
    const settings = { ...request, runId: writer.manifest.run_id, weights };
    const complete = await auditAll(writer, {
      decisions: selectDecisions(workspace, request.selection),
      rules,
      frames: new Frames(precedents, request.tier, workspace.config.actions),
      auditor: request.auditor,
      settings,
      concurrency: request.concurrency,
      retryErrors: request.retryErrors,
      stopped: request.stopped,
      progress: (done) => request.progress(done, plan.tasks),
    });
    if (!complete)
      return { ...result("stopped", writer.manifest, continued), counts: { planned: plan.tasks, ...writer.counts() } };
    await writer.seal(new Date().toISOString());
    return result("sealed", writer.manifest, continued);
  } finally {
    await writer.close();
  }
}

async function communitiesOf(workspace: Workspace): Promise<string> {
  const names = new Set<string>();
  for await (const batch of readDecisions(workspace)) for (const { community } of batch) names.add(community);
  const shown = [...names].sort().slice(0, 20);
  return `Communities: ${shown.join(", ")}${names.size > shown.length ? ` and ${names.size - shown.length} more` : ""}.`;
}

interface Plan {
  decisions: number;
  tasks: number;
  decisionsHash: string;
  withoutRules: string[];
}

async function planOf(workspace: Workspace, request: AuditRequest, rules: RuleBook): Promise<Plan> {
  const hash = await hashFiles([workspace.paths.decisions, workspace.paths.decisionsParquet]);
  const withoutRules = new Set<string>();
  const seen = new Set<string>();
  let decisions = 0;
  let tasks = 0;
  for await (const batch of selectDecisions(workspace, request.selection)) {
    decisions += batch.length;
    for (const decision of batch) {
      for (const _ of tasksOf(decision, request)) tasks++;
      if (seen.has(decision.community)) continue;
      seen.add(decision.community);
      if (rules.inForce(decision).community === null) withoutRules.add(decision.community);
    }
  }
  return { decisions, tasks, decisionsHash: hash, withoutRules: [...withoutRules].sort() };
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

function manifestOf(
  workspace: Workspace,
  request: AuditRequest,
  weights: Weights,
  plan: Plan,
  rulesHash: string,
  precedentsHash: string,
): Manifest {
  const now = new Date();
  const identity = {
    auditor: request.auditor.name,
    auditor_version: request.auditor.version,
    prompt_version: request.auditor.promptVersion,
    template: request.template,
    tier: request.tier,
    temperature: request.temperature,
    signal: request.signal,
    replicates: request.replicates,
    humans: request.humans,
    seed: request.seed,
    actions: workspace.config.actions,
    selection: Object.fromEntries(Object.entries(request.selection).filter(([, value]) => value !== undefined)),
    hashes: { decisions: plan.decisionsHash, rules: rulesHash, precedents: precedentsHash },
    weights: {
      alpha: weights.alpha,
      beta: weights.beta,
      gamma: weights.gamma,
      component: weights.component,
      calibrated: weights.calibrated,
    },
  };
  return {
    format: 1,
    run_id: newRunId(now),
    parent_run_id: null,
    status: "open",
    created_at: now.toISOString(),
    sealed_at: null,
    software: VERSION,
    fingerprint: fingerprint(identity),
    ...identity,
    counts: { planned: plan.tasks, verdicts: 0, unscored: 0, errors: 0 },
  };
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
