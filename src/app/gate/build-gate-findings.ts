import type { AuditTable } from "../../analysis/audit-table.js";
import { absentFields, loadDecisionFields } from "../../analysis/decision-scores.js";
import { countGateCohorts, hasThreads, type ThreadsAt, threadsAt } from "../../analysis/gate/counts.js";
import { loadLabelSample } from "../../analysis/labels/label-sample.js";
import { countJudgements } from "../../analysis/tallies.js";
import type { Gate, GateHarm, GateKey } from "../../core/gate.js";
import type { LabelSample } from "../../core/records/label.js";
import { type CohortLabels, labelCountsOf } from "../../measures/gate/certified-gate.js";
import { planWatch } from "../../measures/gate/drift/watch-plan.js";
import type { GateLimits } from "../../measures/gate/gate-input.js";
import type { GateFindings, StandingEvent, StandingWatch } from "../../measures/gate/gate-report.js";
import { type PassOptions, passGate } from "../../measures/gate/pass-gate.js";
import { sliceReport } from "../../measures/gate/slices.js";
import { judgeError } from "../../measures/metrics/judge/judge-error.js";
import type { Context } from "../../store/context.js";
import type { DecisionFiles, GateStore } from "../../store/ports.js";
import type { GateWords } from "../notices.js";
import { buildHoldout } from "./build-gate.js";
import { fieldOf, sliceCounts } from "./gate-scores.js";
import { harmInForce, startGate } from "./gate-settings.js";
import { namedCommunities } from "./watch-events.js";

/** Properties by which a report slices decisions that have them; `gate --slices` accepts any. */
const SLICED = ["language", "kind", "tags"] as const;

/** Share of the decisions that a report holds out, like `gate --holdout`. */
const HELD_OUT = 0.5;

interface FindingInputs {
  by: GateKey[];
  limits: GateLimits;
  harm: GateHarm | null;
  /** Mode, error rates, correction and kind of look. */
  options: Required<Pick<PassOptions, "mode" | "q" | "delta" | "adjust" | "look" | "threadCap">>;
  /** Threads still open at that time are left out of certificates. */
  threadsAt: ThreadsAt;
  /** Human labels, if the gate uses them. */
  labels: readonly CohortLabels[] | undefined;
  seed: number;
  decisions: DecisionFiles;
  /** How the loaded human labels were drawn (`loadLabelSample`); null: no labels. */
  sample: LabelSample | null;
}

type Computed = Pick<GateFindings, "settings" | "holdout" | "slices" | "judge_error">;

/** What a gate with these settings finds beyond its counts; `thread_id` must be loaded. */
async function buildGateFindings(table: AuditTable, inputs: FindingInputs): Promise<Computed> {
  const { by, limits, options, labels, seed, harm } = inputs;
  const { threadCap, ...settings } = options;
  const { harm_limit: _, ...rates } = limits;
  const threads = (await hasThreads(table)) ? inputs.threadsAt : null;
  const cohorts = await countGateCohorts(table, { by, threads, harm });
  const passing = passGate(cohorts, limits, {
    ...options,
    ...(labels ? { labelCounts: labelCountsOf(labels) } : {}),
  });
  const passes = new Set(cohorts.filter((_, i) => passing[i]).map(({ key }) => key));
  return {
    settings: {
      ...rates,
      ...(harm ? { harm: harm.limit } : {}),
      ...settings,
      thread_cap: threadCap,
      by,
      judge_error: labels !== undefined,
    },
    holdout: await buildHoldout(table, { by, limits, options, threads, harm, share: HELD_OUT, seed }),
    slices: await standardSlices(table, inputs, passes),
    judge_error: inputs.sample?.weighted
      ? judgeError(await countJudgements(table, by, inputs.sample), { delta: options.delta, sample: inputs.sample })
      : null,
  };
}

/** Skips properties with fewer than two values: there is nothing to compare. */
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
  const several = counts.filter(({ slice }) => counts.filter((other) => other.slice === slice).length > 1);
  return several.length > 0 ? sliceReport(several) : null;
}

/**
 * What the gate finds in a whole run beyond counts, like `defensible gate --holdout --slices …`. Uses the settings of `gate`, the active
 * gate if it rests on this run, otherwise the workspace's own.
 */
export async function gateFindings(
  table: AuditTable,
  context: Pick<Context, "gate" | "labels" | "records" | "config">,
  { runId, gate, words }: { runId: string; gate: Gate | undefined; words: GateWords },
): Promise<GateFindings> {
  const { config } = context;
  const harm = await harmInForce(gate, context, table.actions);
  const start = startGate(gate, config, harm);
  const { by, limits, mode, q, delta, adjust, look, label_counts: labels } = start;
  const file = await context.labels.snapshot();
  const loaded = file && (await loadLabelSample(table, file, { source: "human", runId }));
  const found = await buildGateFindings(table, {
    harm,
    by,
    limits,
    options: { mode, q, delta, adjust, look, threadCap: start.thread_cap },
    threadsAt: threadsAt(start.as_of),
    labels,
    seed: config.seed,
    decisions: await context.records.snapshot(),
    sample: loaded && loaded.n > 0 ? loaded.sample : null,
  });
  const inForce = (await context.gate.active())?.gate ?? null;
  return {
    run_id: runId,
    in_force: gate !== undefined,
    ...found,
    watch: await standingWatch(context.gate, inForce, words),
  };
}

/** Events shown in a report, newest first: a workspace's history grows for years. */
const MOST_EVENTS = 50;

/** What the workspace's watch has found so far, from its stored state; null if it was never watched. */
async function standingWatch(store: GateStore, inForce: Gate | null, words: GateWords): Promise<StandingWatch | null> {
  const stored = await store.watch();
  if (!stored) return null;
  const { by, runs, watch } = stored;
  const suspended = new Set(inForce?.communities.filter((one) => one.suspended).map((one) => one.community));
  const events = await eventsOf(store);
  return {
    rows: watch.rows,
    by,
    runs,
    promise: planWatch(watch.settings).promise,
    events: events.slice(-MOST_EVENTS).reverse(),
    events_in_all: events.length,
    above: watch.keys.filter(({ key, suspended: alarm }) => alarm && !suspended.has(key)).map(({ key }) => key),
    named: namedCommunities(watch),
    notes: words.watchNotes(watch, suspended),
  };
}

async function eventsOf(store: GateStore): Promise<StandingEvent[]> {
  const events: StandingEvent[] = [];
  for await (const { type, at, community, decision_time, reason, by_hand } of store.history()) {
    if (type !== "suspended" && type !== "reinstated") continue;
    events.push({
      type,
      community: String(community),
      at,
      decision_time: typeof decision_time === "string" ? decision_time : null,
      text: typeof reason === "string" ? reason : "",
      by_hand: by_hand === true,
    });
  }
  return events;
}
