import type { AuditTable } from "../../analysis/audit-table.js";
import { absentFields, type DecisionFiles, loadDecisionFields } from "../../analysis/decision-fields.js";
import { countGateCohorts } from "../../analysis/gate-counts.js";
import { countJudgements } from "../../analysis/label-counts.js";
import { hasThreads, type ThreadsAt } from "../../analysis/thread-counts.js";
import type { GateKey } from "../../core/gate.js";
import type { LabelSample } from "../../core/records/label.js";
import type { CohortLabels } from "../../measures/gate/cohort-labels.js";
import { labelCountsOf } from "../../measures/gate/cohort-labels.js";
import type { GateFindings } from "../../measures/gate/gate-findings.js";
import type { GateLimits } from "../../measures/gate/gate-input.js";
import { type PassOptions, passGate } from "../../measures/gate/pass-gate.js";
import { sliceReport } from "../../measures/gate/slices.js";
import { judgeError } from "../../measures/metrics/judge-error.js";
import { buildHoldout } from "./build-holdout.js";
import { fieldOf, sliceCounts } from "./gate-slices.js";

/** Properties of decisions that a report slices by, where decisions have them; `gate --slices` takes any. */
const SLICED = ["language", "kind", "tags"] as const;

/** Share of the decisions that a report holds out, as `gate --holdout` does. */
const HELD_OUT = 0.5;

export interface FindingInputs {
  by: GateKey[];
  limits: GateLimits;
  /** Mode, error rates, adjustment and look. */
  options: Required<Pick<PassOptions, "mode" | "q" | "delta" | "adjust" | "look" | "threadCap">>;
  /** Threads that are still open then are left out of certificates. */
  threadsAt: ThreadsAt;
  /** People's labels, where the gate asks for them. */
  labels: readonly CohortLabels[] | undefined;
  seed: number;
  decisions: DecisionFiles;
  /** How people's labels were drawn, which have been loaded (`loadLabelSample`); null: there are none. */
  sample: LabelSample | null;
}

type Computed = Pick<GateFindings, "settings" | "holdout" | "slices" | "judge_error">;

/** What a gate with these settings finds beyond its counts; `thread_id` must have been loaded. */
export async function buildGateFindings(table: AuditTable, inputs: FindingInputs): Promise<Computed> {
  const { by, limits, options, labels, seed } = inputs;
  const { threadCap, ...settings } = options;
  const threads = (await hasThreads(table)) ? inputs.threadsAt : null;
  const cohorts = await countGateCohorts(table, { by, threads });
  const passing = passGate(cohorts, limits, {
    ...options,
    ...(labels ? { labelCounts: labelCountsOf(labels) } : {}),
  });
  const passes = new Set(cohorts.filter((_, i) => passing[i]).map(({ key }) => key));
  return {
    settings: { ...limits, ...settings, thread_cap: threadCap, by, judge_error: labels !== undefined },
    holdout: await buildHoldout(table, { by, limits, options, threads, share: HELD_OUT, seed }),
    slices: await standardSlices(table, inputs, passes),
    judge_error: inputs.sample?.weighted
      ? judgeError(await countJudgements(table, by), { delta: options.delta, sample: inputs.sample })
      : null,
  };
}

/** A property with one value, or none, has nothing to compare. */
async function standardSlices(
  table: AuditTable,
  { by, decisions }: FindingInputs,
  passes: ReadonlySet<string>,
): Promise<GateFindings["slices"]> {
  const fields = SLICED.filter((name) => name !== "language").map(fieldOf);
  await loadDecisionFields(table, decisions, fields);
  const absent = new Set(await absentFields(table, fields));
  const counts = await sliceCounts(table, {
    names: SLICED.filter((name) => !absent.has(fieldOf(name))),
    by,
    passes,
  });
  const told = counts.filter(({ slice }) => counts.filter((other) => other.slice === slice).length > 1);
  return told.length > 0 ? sliceReport(told) : null;
}
