import type { AuditTable } from "../../analysis/audit-table.js";
import { flipPairs } from "../../analysis/dual-audits.js";
import { countCohortRules } from "../../analysis/gate/cohorts.js";
import { countGateCohorts, hasThreads, type ThreadsAt } from "../../analysis/gate/counts.js";
import { countJudgements } from "../../analysis/tallies.js";
import { OPPOSITE_ARM } from "../../audit/arms.js";
import type { CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import type { Evidence, GateHarm, GateKey } from "../../core/gate.js";
import type { LabelSample } from "../../core/records/label.js";
import type { GateLook } from "../../measures/gate/adjustment.js";
import type { RuleAmbiguity } from "../../measures/gate/advice.js";
import { cohortLabels, labelCountsOf } from "../../measures/gate/certified-gate.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import type { FleetThreads } from "../../measures/gate/gate-evaluation.js";
import { type GateCohort, type GateLimits, THREAD_OPEN_DAYS } from "../../measures/gate/gate-input.js";
import type { GateReport, GateSettings, HoldoutReport } from "../../measures/gate/gate-report.js";
import { holdoutCertificate } from "../../measures/gate/holdout-certificate.js";
import type { PassOptions } from "../../measures/gate/pass-gate.js";
import { type JudgeErrorReport, judgeError } from "../../measures/metrics/judge/judge-error.js";
import { flipControl } from "../../measures/metrics/paired/dual-audit.js";
import type { DecisionFiles } from "../../store/ports.js";
import type { GateNote, GateWords } from "../notices.js";
import type { KnownRule } from "../report/build-report.js";
import { buildGateScores, buildSlices } from "./gate-scores.js";
import { chooseCommunities, gateHarm } from "./gate-settings.js";

export interface GateInputs {
  settings: GateSettings;
  gateId: string;
  createdAt: string;
  run: GateReport["run"];
  span?: NonNullable<GateReport["span"]>;
  evidence: Evidence;
  /** Rules of the workspace, used for their titles. */
  rules: readonly KnownRule[];
  /** Harm weights by action, if harm is limited. */
  harmActions?: Readonly<Record<string, number>> | undefined;
  words: Pick<GateWords, "note">;
  /** Which kind of look at these data certified mode may assume, and why. */
  look: (data: string) => { look: GateLook; why: GateNote };
  hashOf: (text: string) => string;
  calibration: StoredCalibration | null;
  target: CalibrationTarget | null;
  /** How the loaded human labels were drawn (`loadLabelSample`); null: no labels. */
  labels: LabelSample | null;
  holdout: { share: number; seed: number } | null;
  slices: { names: readonly string[]; decisions: DecisionFiles | null };
}

/** The whole gate report, from counts of audits; `thread_id` must be loaded. */
export async function buildGate(table: AuditTable, inputs: GateInputs): Promise<GateReport> {
  const { settings } = inputs;
  const { by, mode, q, delta, adjust } = settings;
  const harm =
    settings.harm === undefined ? null : gateHarm(settings.harm, table.actions, inputs.harmActions ?? {}, inputs.rules);
  const at: ThreadsAt = { now: Date.parse(inputs.createdAt), finished: inputs.run.status !== "open" };
  const threads = (await hasThreads(table)) ? at : null;
  const cohorts = await countGateCohorts(table, { by, threads, harm });
  const data = inputs.hashOf(await describeData(table, by, cohorts));
  const { look, why } = inputs.look(data);
  const { labels } = inputs;
  // Labels without a sampling design are not a sample of these decisions, so they correct nothing.
  const judged = labels?.weighted
    ? judgeError(await countJudgements(table, by, labels), { delta, sample: labels })
    : null;
  const options = {
    limits: limitsOf(settings, harm),
    mode,
    q,
    delta,
    adjust,
    look,
    threadCap: settings.thread_cap,
    labelCounts: settings.judge_error ? labelCountsOf(cohortLabels(judged)) : undefined,
  };
  const flips = await flipPairs(table, OPPOSITE_ARM.name);
  const rulesByCohort = await ruleAmbiguity(table, inputs);
  const { communities, frontier, ...evaluation } = evaluateGate(cohorts, { ...options, rulesByCohort });
  const passes = new Set(communities.filter((one) => one.passes[mode]).map((one) => one.community));
  const chosen = await chooseCommunities(table, {
    ...options,
    by,
    threads,
    harm,
  });
  const scores = await buildGateScores(table, {
    ...inputs,
    passes,
    chosen,
    threads: threads !== null,
    runId: inputs.run.run_id,
  });
  return {
    ...evaluation,
    format: 1,
    gate_id: inputs.gateId,
    created_at: inputs.createdAt,
    by,
    risk: settings.risk,
    judge_error_required: settings.judge_error,
    review_share: settings.review_share,
    thread_cap: settings.thread_cap,
    ...(harm ? { harm } : {}),
    evidence: inputs.evidence,
    run: inputs.run,
    ...(inputs.span ? { span: inputs.span } : {}),
    data,
    look,
    look_reason: inputs.words.note(why),
    frontier: frontier && { ...frontier, points: frontier.points.filter((point) => point.pareto) },
    communities,
    ...scores,
    slices: inputs.slices.names.length > 0 ? await buildSlices(table, { ...inputs.slices, by, passes }) : null,
    judge_error: judged,
    flip_control: flips && flipControl(flips),
    holdout: inputs.holdout
      ? await buildHoldout(table, { ...inputs.holdout, by, limits: options.limits, options, threads, harm })
      : null,
    watch: null,
    realised_risk: null,
    in_force: null,
    closed: null,
    notes: notesOf(inputs, evaluation.threads, judged).map(inputs.words.note),
  };
}

function limitsOf({ di, ai, min_decisions, variable }: GateSettings, harm: GateHarm | null): GateLimits {
  return { di, ai, min_decisions, variable, ...(harm ? { harm_limit: { limit: harm.limit, max: harm.max } } : {}) };
}

/** Identifies the data of a look: counts by community, whatever the gate groups by. */
async function describeData(
  table: AuditTable,
  by: GateSettings["by"],
  cohorts: readonly GateCohort[],
): Promise<string> {
  const same = by.length === 1 && by[0] === "community";
  const communities = same ? cohorts : await countGateCohorts(table, { by: ["community"] });
  return JSON.stringify(communities.map(({ design_effect: _, threads: __, harm: ___, ...counts }) => counts));
}

async function ruleAmbiguity(table: AuditTable, { settings, rules }: GateInputs) {
  const id = (scope: string, owner: string | null, ruleId: string) =>
    JSON.stringify([scope === "platform" ? "platform" : owner, ruleId]);
  const titles = new Map(rules.map((rule) => [id(rule.scope, rule.community, rule.rule_id), rule.title]));
  const byCohort = new Map<string, RuleAmbiguity[]>();
  for (const rule of await countCohortRules(table, settings.by)) {
    const { cohort, scope, owner, rule_id, n, inverse_yes: yes, inverse_yes_pure: open, open_labels } = rule;
    const known = byCohort.get(cohort) ?? [];
    const title = titles.get(id(scope, owner, rule_id)) ?? "title not known";
    known.push({ rule_id, scope, n, yes, open, title, open_labels });
    byCohort.set(cohort, known);
  }
  return (key: string) => byCohort.get(key);
}

/** Notes on the units of evidence: threads left out, and communities for which independence is assumed. */
function threadNotes({ open, late, independence_assumed }: FleetThreads): GateNote[] {
  const days = THREAD_OPEN_DAYS;
  const notes: GateNote[] = [];
  if (open > 0) notes.push({ code: "threads_open", verdicts: open, days });
  if (late > 0) notes.push({ code: "threads_late", verdicts: late, days });
  if (independence_assumed > 0) notes.push({ code: "independence_assumed", communities: independence_assumed });
  return notes;
}

function notesOf(
  { settings, span, labels }: GateInputs,
  threads: FleetThreads,
  judged: JudgeErrorReport | null,
): GateNote[] {
  const notes: GateNote[] = span ? [{ code: "span", span }] : [];
  if (settings.mode === "certified" || threads.open > 0 || threads.late > 0) notes.push(...threadNotes(threads));
  if (settings.judge_error && judged) {
    const { sample, communities, least_labels: least } = judged;
    const enough = communities.filter((one) => one.corrected !== null).length;
    if (sample && sample.flags.length > 0) notes.push({ code: "labels_certify_nothing", flags: sample.flags });
    else notes.push({ code: "labels_needed", enough, of: communities.length, least });
  }
  if (labels?.weighted === null) notes.push({ code: "labels_drawn", labels });
  return notes;
}

interface HoldoutInputs {
  by: readonly GateKey[];
  limits: GateLimits;
  options: PassOptions;
  /** Set if some decisions belong to threads, which are kept together; null: no decision does. */
  threads: ThreadsAt | null;
  harm: GateHarm | null;
  /** Share of the decisions that is held out; the seed determines which. */
  share: number;
  seed: number;
}

/** How the communities chosen on one part of the decisions perform on the other. */
export async function buildHoldout(table: AuditTable, inputs: HoldoutInputs): Promise<HoldoutReport> {
  const { by, limits, options, threads, harm, share, seed } = inputs;
  const part = { seed, share, threads: threads !== null };
  const count = (side: "in" | "out") => countGateCohorts(table, { by, heldOut: { ...part, side }, threads, harm });
  const [selection, evaluation] = [await count("out"), await count("in")];
  // Choosing is one look at the first part. Human labels cover all rows, so they stay out of it.
  const certificate = holdoutCertificate(selection, evaluation, limits, { ...options, labelCounts: undefined });
  return { ...certificate, share, seed, by_thread: threads !== null };
}
