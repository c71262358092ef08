import { openAuditTable } from "../../../analysis/audit-table.js";
import { changedSince } from "../../../app/report/run-report.js";
import { OPPOSITE_ARM, PLAIN_ARM } from "../../../audit/arms.js";
import { Budget } from "../../../audit/calls/budget.js";
import { Caller, type ResponseCache } from "../../../audit/calls/caller.js";
import { Scheduler } from "../../../audit/calls/scheduler.js";
import { Frames } from "../../../audit/frames.js";
import { RuleBook } from "../../../audit/rules-in-force.js";
import { askScope } from "../../../audit/scope-question/ask-scope.js";
import { type Auditor, CallError } from "../../../auditors/auditor.js";
import type { Audit } from "../../../core/records/audit.js";
import type { Precedent } from "../../../core/records/decision.js";
import type { Manifest } from "../../../core/records/manifest.js";
import { chosenRunOf } from "../../../store/choose-run.js";
import type { Context } from "../../../store/context.js";
import { withDuckDB } from "../../../store/files/duckdb.js";
import type { FileContext } from "../../../store/files/stores.js";
import type { Scrub } from "../../../text/scrub/scrub.js";
import { changedText, type ExperimentAudits, type Kept, keepResult, type MakeAudits, refusal } from "../../audits.js";
import type { AttackCase, AttackResult } from "../result.js";
import { type AnalysisOptions, analyseAttacks, type ScoredSet, scoreCases } from "./analyse-attacks.js";
import { type AttackInputs, attackInputs, type RuleAmbiguity, ruleAmbiguity } from "./read-cases.js";
import type { ScoredCase } from "./tables.js";

/** How the second question is asked. */
interface ScopeAsking {
  auditor: Auditor;
  /** Answers are kept here, so that a repeated command pays only for missing ones; null: nowhere. */
  cache: ResponseCache | null;
  /** Most calls in flight. */
  concurrency: number;
  /** Limit in USD for the audits and these questions together; null: no limit. */
  maxCost: number | null;
  /** USD that the audits cost. */
  paid: number;
  scrub: Scrub | null;
  stop: AbortSignal;
}

/**
 * Asks the second question about every case, as many at a time as the server allows, and writes the answers into the cases. Returns the
 * number answered. Fails with RunHalted when it is stopped.
 */
export async function askAboutScope(cases: readonly ScoredCase[], asking: ScopeAsking): Promise<number> {
  const ask = askerOf(asking);
  let answered = 0;
  const waiting = [...cases].reverse();
  const work = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const { p_supported, supports } = await reply(ask, one, asking);
      if (supports !== null) answered++;
      one.scores.question = p_supported === null ? null : 1 - p_supported;
      one.supported = p_supported === null ? (supports === null ? null : supports === "Yes") : p_supported >= 0.5;
    }
  };
  await Promise.all(Array.from({ length: Math.min(asking.concurrency, cases.length) }, work));
  return answered;
}

type AskFunction = Parameters<typeof askScope>[0];

function askerOf({ auditor, cache, concurrency, maxCost, paid, stop: signal }: ScopeAsking): AskFunction {
  if (auditor.inProcess)
    return async (ask) => (await auditor.ask(ask)).generations.map((generation) => ({ generation }));
  const max = Math.min(concurrency, auditor.maxConcurrency ?? concurrency);
  const scheduler = new Scheduler({ max, signal, stop: signal });
  const budget = new Budget(maxCost, paid, 0);
  const caller = new Caller({ auditor, scheduler, cache, budget, salt: `${auditor.version}\u0000scope`, signal });
  return (ask) => caller.ask(ask);
}

/** One question; a call that failed for good is recorded as that case's outcome. */
async function reply(
  ask: AskFunction,
  { input, case: one }: ScoredCase,
  { auditor, scrub, stop: signal }: ScopeAsking,
): Promise<Pick<Awaited<ReturnType<typeof askScope>>, "p_supported" | "supports">> {
  try {
    return await askScope(ask, auditor, input, { key: `scope:${one.id}`, seed: one.id, scrub, signal });
  } catch (cause) {
    if (!(cause instanceof CallError)) throw cause;
    return { p_supported: null, supports: null };
  }
}

interface AttackRequest extends Pick<AnalysisOptions, "rate" | "seed" | "draws"> {
  context: FileContext;
  cases: readonly AttackCase[];
  /** Name of the file that contains them. */
  file: string;
  /** A run of these cases (`newest`: the newest one; `anyway`: even if rules or precedents have changed since), or new audits. */
  from: { run: string; anyway: boolean } | { make: MakeAudits };
  /** The opposite of every decision is audited too. */
  dual: boolean;
  /** Asks the second question about the cases; false: stopped. undefined: it is not asked. */
  ask: ((manifest: Manifest, cases: readonly ScoredCase[]) => Promise<boolean>) | undefined;
}

export interface AttackRun extends Kept<AttackResult> {
  set: ScoredSet;
  /** What has changed since the run, so that the result is not kept; null: nothing. */
  changed: string | null;
}

/** Which attacks each layer of defence detected; null: there is nothing to analyse. */
export async function runAttack(request: AttackRequest): Promise<AttackRun | null> {
  const { context, cases, from, rate, seed, draws, ask } = request;
  const inputs = attackInputs(cases);
  const manifest =
    "run" in from ? await recorded(context, from.run, inputs) : await from.make(attackAudits(inputs, request.dual));
  if (!manifest) return null;
  const changed = "run" in from ? await changedRules(context, manifest, from.anyway) : null;
  const dual = manifest.experiment?.arms.some(({ name }) => name === OPPOSITE_ARM.name) ?? false;
  if (request.dual && !dual) throw refusal({ code: "no_opposite", run: manifest.run_id });
  const set = await scoreAttackRun(context, manifest, cases, inputs);
  if (ask && !(await ask(manifest, set.scored))) return null;
  const options = { rate, seed, draws, question: ask !== undefined, dual };
  const result = await attackResult(context, manifest, { cases, set }, options);
  const warnings = changed === null ? result.warnings : [changed, ...result.warnings];
  const named = { ...result, warnings, file: request.file };
  // A result under other rules must not replace the one under the run's own rules.
  return { ...(await keepResult(changed === null ? context : null, named)), set, changed };
}

/** The audits of a file's cases. */
export function attackAudits(inputs: AttackInputs, dual: boolean): ExperimentAudits {
  return {
    kind: "attack",
    arms: dual ? [PLAIN_ARM, OPPOSITE_ARM] : [PLAIN_ARM],
    source: {
      hash: inputs.hash,
      async *decisions() {
        yield inputs.decisions;
      },
    },
  };
}

/** A run of exactly these cases. */
async function recorded({ runs }: Context, runId: string, inputs: AttackInputs): Promise<Manifest> {
  const ofFile = ({ hashes }: Manifest) => hashes.decisions === inputs.hash;
  const manifest = await chosenRunOf(runs, "attack", runId, ofFile);
  if (manifest.experiment?.kind === "attack" && ofFile(manifest)) return manifest;
  throw refusal({ code: "other_run", run: runId });
}

/** The second and third layers are computed again from the workspace's rules. null: the rules are those that the auditor was shown. */
async function changedRules({ records }: Context, manifest: Manifest, anyway: boolean): Promise<string | null> {
  const parts = (await changedSince(records, manifest)).filter((name) => name !== "decisions");
  if (parts.length === 0) return null;
  const changed = { run: manifest.run_id, parts };
  if (!anyway) throw refusal({ code: "changed_since_run", ...changed });
  return `${changedText(changed)}: layers 2 and 3 judge by other texts than the auditor was shown`;
}

/** The cases with the scores of all layers. */
export async function scoreAttackRun(
  { runs, records }: Context,
  manifest: Manifest,
  cases: readonly AttackCase[],
  { auditIds }: AttackInputs,
): Promise<ScoredSet> {
  const byArm = { own: new Map<string, Audit>(), opposite: new Map<string, Audit>() };
  for await (const batch of runs.audits(manifest.run_id)) {
    for (const audit of batch) {
      if (audit.replicate !== 0) continue;
      if (audit.arm === PLAIN_ARM.name) byArm.own.set(audit.decision_id, audit);
      else if (audit.arm === OPPOSITE_ARM.name) byArm.opposite.set(audit.decision_id, audit);
    }
  }
  const rules = new RuleBook((await records.rules()).map(({ set }) => set));
  const precedents: Precedent[] = [];
  for await (const batch of records.precedents()) precedents.push(...batch);
  const frames = new Frames(precedents, manifest.tier, manifest.actions);
  return scoreCases(
    cases,
    (one) => {
      const id = auditIds.get(one.id)!;
      return { own: byArm.own.get(id) ?? null, opposite: byArm.opposite.get(id) ?? null };
    },
    (one) => frames.of(one.community, rules.inForce(one)).frame,
  );
}

/** Every number of the experiment, with the ambiguity of rules in the run that the cases were made from. */
export async function attackResult(
  context: Context,
  { run_id, auditor }: Manifest,
  { cases, set }: { cases: readonly AttackCase[]; set: ScoredSet },
  options: Omit<AnalysisOptions, "runs" | "auditor" | "ambiguity">,
): Promise<AttackResult> {
  return analyseAttacks(set, { ...options, runs: [run_id], auditor, ambiguity: await ambiguityOf(context, cases) });
}

/** null: the run that the cases were made from is not in the workspace. */
async function ambiguityOf({ runs }: Context, cases: readonly AttackCase[]): Promise<RuleAmbiguity | null> {
  const bases = new Set(cases.flatMap((one) => one.base_run ?? []));
  const known = (await runs.list()).find((one) => bases.has(one.run_id));
  if (!known) return null;
  return withDuckDB(async (db) =>
    ruleAmbiguity(await openAuditTable(db, await runs.snapshot(known.run_id), { actions: known.actions })),
  );
}

/** The output of each layer for a case, as a line of JSON. */
export function caseRecord({ case: one, scores, level, grounded, scope, supported, dual }: ScoredCase) {
  return {
    id: one.id,
    kind: one.kind,
    target: one.target,
    archetype: one.archetype,
    level,
    grounded,
    scope_flagged: scope.flagged,
    failed_checks: scope.checks.filter((check) => check.passed === false).map((check) => check.name),
    supported,
    dual: dual?.state ?? null,
    scores,
  };
}
