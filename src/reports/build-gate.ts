import { OPPOSITE_ARM } from "../audit/arms.js";
import type { CalibrationTarget, StoredCalibration } from "../domain/calibration.js";
import type { Evidence } from "../domain/gate.js";
import type { LabelSample } from "../domain/label.js";
import type { GateLook } from "../gate/adjustment.js";
import type { RuleAmbiguity } from "../gate/advice.js";
import { cohortLabels, labelCountsOf } from "../gate/cohort-labels.js";
import { evaluateGate } from "../gate/evaluate-gate.js";
import type { GateCohort, GateLimits } from "../gate/gate-input.js";
import type { GateReport, GateSettings } from "../gate/gate-report.js";
import type { AuditTable } from "../ledger/audit-table.js";
import { countCohortRules } from "../ledger/cohort-rules.js";
import type { DecisionFiles } from "../ledger/decision-fields.js";
import { flipPairs } from "../ledger/dual-audits.js";
import { countGateCohorts } from "../ledger/gate-counts.js";
import { countJudgements } from "../ledger/label-counts.js";
import { hasThreads } from "../ledger/thread-counts.js";
import { flipControl } from "../metrics/flip-control.js";
import { type JudgeErrorReport, judgeError } from "../metrics/judge-error.js";
import { labelNotes } from "../metrics/label-sample.js";
import { buildHoldout } from "./build-holdout.js";
import type { KnownRule } from "./build-report.js";
import { chooseCommunities } from "./chosen-communities.js";
import { buildGateScores } from "./gate-scores.js";
import { buildSlices } from "./gate-slices.js";

export interface GateInputs {
  settings: GateSettings;
  gateId: string;
  createdAt: string;
  run: GateReport["run"];
  evidence: Evidence;
  /** Rules of the workspace, for their titles. */
  rules: readonly KnownRule[];
  /** How certified mode may test these data, and why. */
  look: (data: string) => { look: GateLook; reason: string };
  hashOf: (text: string) => string;
  calibration: StoredCalibration | null;
  target: CalibrationTarget | null;
  /** How people's labels were drawn, which have been loaded (`loadLabelSample`); null: there are none. */
  labels: LabelSample | null;
  holdout: { share: number; seed: number } | null;
  slices: { names: readonly string[]; decisions: DecisionFiles | null };
}

/** Everything `defensible gate` says, from counts of audits; `thread_id` must have been loaded. */
export async function buildGate(table: AuditTable, inputs: GateInputs): Promise<GateReport> {
  const { settings } = inputs;
  const { by, mode, q, delta, adjust } = settings;
  const limits: GateLimits = settings;
  const threads = await hasThreads(table);
  const cohorts = await countGateCohorts(table, { by, threads });
  const data = inputs.hashOf(await describeData(table, by, cohorts));
  const { look, reason } = inputs.look(data);
  const { labels } = inputs;
  // Labels without a design are no sample of these decisions: nothing is corrected by them.
  const judged = labels?.weighted ? judgeError(await countJudgements(table, by), { delta, sample: labels }) : null;
  const options = {
    limits: { di: limits.di, ai: limits.ai, min_decisions: limits.min_decisions, variable: limits.variable },
    mode,
    q,
    delta,
    adjust,
    look,
    labelCounts: settings.judge_error ? labelCountsOf(cohortLabels(judged)) : undefined,
  };
  const flips = await flipPairs(table, OPPOSITE_ARM.name);
  const rulesByCohort = await ruleAmbiguity(table, inputs);
  const { communities, frontier, ...evaluation } = evaluateGate(cohorts, { ...options, rulesByCohort });
  const passes = new Set(communities.filter((one) => one.passes[mode]).map((one) => one.community));
  const chosen = await chooseCommunities(table, { by, limits: options.limits, threads, mode, q, delta, adjust });
  const scores = await buildGateScores(table, { ...inputs, passes, chosen, threads, runId: inputs.run.run_id });
  return {
    ...evaluation,
    format: 1,
    gate_id: inputs.gateId,
    created_at: inputs.createdAt,
    by,
    risk: settings.risk,
    judge_error_required: settings.judge_error,
    review_share: settings.review_share,
    evidence: inputs.evidence,
    run: inputs.run,
    data,
    look,
    look_reason: reason,
    frontier: frontier && { ...frontier, points: frontier.points.filter((point) => point.pareto) },
    communities,
    ...scores,
    slices: inputs.slices.names.length > 0 ? await buildSlices(table, { ...inputs.slices, by, passes }) : null,
    judge_error: judged,
    flip_control: flips && flipControl(flips),
    holdout: inputs.holdout
      ? await buildHoldout(table, { ...inputs.holdout, by, limits: options.limits, options, threads })
      : null,
    watch: null,
    in_force: null,
    closed: null,
    notes: [
      ...notesOf(cohorts, threads, judged, settings),
      ...(labels?.weighted === null ? labelNotes(labels).map(asSentence) : []),
    ],
  };
}

function asSentence(note: string): string {
  return `${note[0]!.toUpperCase()}${note.slice(1)}.`;
}

/** What tells the data of one look from those of another: counts by community, whatever the gate divides by. */
async function describeData(
  table: AuditTable,
  by: GateSettings["by"],
  cohorts: readonly GateCohort[],
): Promise<string> {
  const same = by.length === 1 && by[0] === "community";
  const communities = same ? cohorts : await countGateCohorts(table, { by: ["community"] });
  return JSON.stringify(communities.map(({ design_effect: _, ...counts }) => counts));
}

async function ruleAmbiguity(table: AuditTable, { settings, rules }: GateInputs) {
  const id = (scope: string, owner: string | null, ruleId: string) =>
    JSON.stringify([scope === "platform" ? "platform" : owner, ruleId]);
  const titles = new Map(rules.map((rule) => [id(rule.scope, rule.community, rule.rule_id), rule.title]));
  const byCohort = new Map<string, RuleAmbiguity[]>();
  for (const rule of await countCohortRules(table, settings.by)) {
    const { cohort, scope, owner, rule_id, n } = rule;
    const yes = settings.variable === "ai" ? rule.inverse_yes : rule.inverse_yes_pure;
    const known = byCohort.get(cohort) ?? [];
    known.push({ rule_id, scope, n, yes, title: titles.get(id(scope, owner, rule_id)) ?? "title not known" });
    byCohort.set(cohort, known);
  }
  return (key: string) => byCohort.get(key);
}

function notesOf(
  cohorts: readonly GateCohort[],
  threads: boolean,
  judged: JudgeErrorReport | null,
  settings: GateSettings,
): string[] {
  const notes: string[] = [];
  const worst = cohorts.reduce((most, cohort) => Math.max(most, cohort.design_effect ?? 1), 1);
  // Less is not worth a sentence.
  if (threads && worst >= 1.05) {
    notes.push(
      `Decisions of one thread resemble each other: in certified mode counts are divided by their design effect (at most ${worst.toFixed(2)}).`,
    );
  }
  if (settings.judge_error && judged) {
    const enough = judged.communities.filter((one) => one.corrected !== null).length;
    notes.push(
      judged.sample && judged.sample.flags.length > 0
        ? `Certified mode also asks people's labels to prove that the true indefensible rate is within the limit. These labels certify nothing: ${judged.sample.flags.join(", ")}.`
        : `Certified mode also asks people's labels to prove that the true indefensible rate is within the limit, adjusted for the number of communities and for looks as its other tests are: ${enough} of ${judged.communities.length} have the ${judged.least_labels} labels it takes.`,
    );
  }
  return notes;
}
