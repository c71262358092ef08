import type { GateConfig } from "../../core/config.js";
import type { Gate, GateCommunity } from "../../core/gate.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { ownRuns } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import type { PostgresContext } from "../../store/postgres/stores.js";
import { type ApplyRequest, recordGate } from "../gate/activate-gate.js";
import type { GateChoices } from "../gate/gate-settings.js";
import { applyGate, computeGate, evaluateGate, newerRun, watchGate } from "../gate/gate-use-cases.js";
import { actingGate, inForceGate } from "../gate/kill-switch.js";
import type { GateWords } from "../notices.js";

export interface Governed {
  /** The evaluation if a day's run was finished since the last one; else null. */
  evaluated: GateReport | null;
  /** The evaluation was activated. */
  applied: boolean;
  /** Communities that the watch suspended. */
  suspended: string[];
}

/**
 * Governs a live gate without a person. When a day's run is finished, the gate is evaluated from the start of its period and the evaluation is
 * recorded. It is activated only if the workspace says so, and not while an automated community has too few decisions in the new period.
 * Then the watch guards the active gate, and may suspend communities.
 */
export async function governLive(stores: Context, words: GateWords): Promise<Governed> {
  const gate = actingGate(stores.gate, { actor: "service" });
  const context = { ...stores, gate, config: { ...stores.config, gate: liveGate(stores.config.gate) } };
  const asked = { choices: {}, holdout: null, slices: [], now: stores.now().toISOString(), words };
  const evaluated = (await hasNewDay(stores)) ? await evaluateGate(context, { ...asked, dryRun: false }) : null;
  const applied =
    evaluated !== null && context.config.gate.apply === "scheduled" && !(await closesForWantOf(evaluated, stores));
  if (applied) await applyGate(context, asked);
  const guarded = (await stores.gate.active()) !== null && (await stores.runs.list()).length > 0;
  const watched = guarded ? await watchGate(context, { ...asked, dryRun: false, quiet: true }) : null;
  const events = watched?.watch?.events ?? [];
  return {
    evaluated,
    applied,
    suspended: events.filter(({ type }) => type === "suspended").map(({ community }) => community),
  };
}

/** Default of a live gate: it rests on the decisions of the quarter. */
function liveGate(gate: GateConfig = {}): GateConfig {
  return gate.window_days === undefined && gate.since === undefined ? { period: "quarter", ...gate } : gate;
}

/** Whether a day's run was finished since the last look. */
async function hasNewDay({ runs, gate }: Context): Promise<boolean> {
  const finished = (await runs.list()).filter((run) => run.selection.live !== undefined && run.status === "sealed");
  const [newest] = ownRuns(finished);
  if (!newest) return false;
  let looked = "";
  for await (const event of gate.history()) if (event.type === "gate" && event.at > looked) looked = event.at;
  return newest.sealed_at! > looked;
}

/** Whether it would close an automated community only because that has too few decisions in the period. */
async function closesForWantOf(evaluated: GateReport, { gate }: Context): Promise<boolean> {
  const active = (await gate.active())?.gate;
  const state = new Map(evaluated.communities.map((one) => [one.community, one.state]));
  return (active?.communities ?? []).some(
    (one) => one.passes[active!.mode] && (state.get(one.community) ?? "insufficient") === "insufficient",
  );
}

/** A gate preview as stored, so that exactly this gate can be applied. */
interface KeptPreview {
  report: GateReport;
  settings: ApplyRequest["settings"];
  obstacles: ApplyRequest["obstacles"];
  first: [string, string][];
  /** Creation time of the run it was computed from; null: the run was named, so a newer one is expected. */
  run_created_at: string | null;
}

export interface PreviewedGate {
  gate: Gate;
  report: GateReport;
  changes: GateChanges;
}

/** Computes a gate from the newest or the named run without activating it. It can be applied by its id. Counts as a look. */
export async function previewGate(
  context: PostgresContext,
  { choices, run, words }: { choices: GateChoices; run?: string; words: GateWords },
): Promise<PreviewedGate> {
  const now = context.now().toISOString();
  const named = run === undefined ? {} : { runs: [run] };
  const asked = { choices, ...named, holdout: null, slices: [], words, now, dryRun: false, watch: false, apply: false };
  const config = { ...context.config, gate: liveGate(context.config.gate) };
  const { report, record } = await computeGate({ ...context, config }, asked);
  await recordGate(context.gate, report, record);
  const created = report.run.run_id === null ? null : (await context.runs.manifest(report.run.run_id)).created_at;
  const kept: KeptPreview = {
    report,
    settings: record.settings,
    obstacles: record.obstacles,
    first: [...record.first],
    run_created_at: run === undefined ? created : null,
  };
  await context.gate.keepPreview(report.gate_id, kept);
  const gate = gateOf(report);
  return { gate, report, changes: gateChanges((await context.gate.active())?.gate ?? null, gate) };
}

/** Activates a previewed gate, with the suspensions at that moment. null: there is no preview with that id. */
export async function applyPreview(
  context: PostgresContext,
  gateId: string,
  words: GateWords,
): Promise<PreviewedGate | null> {
  const kept = (await context.gate.preview(gateId)) as KeptPreview | null;
  if (kept === null) return null;
  const { report, settings, obstacles, first, run_created_at } = kept;
  const before = await activeOrNull(context.gate);
  await recordGate(context.gate, report, {
    settings,
    obstacles,
    first: new Map(first),
    late: async () => (run_created_at === null ? [] : newerRun(context.runs, { created_at: run_created_at })),
    otherLimits: false,
    apply: true,
    dryRun: false,
    now: context.now().toISOString(),
    watch: null,
    words,
  });
  const gate = (await context.gate.active())!.gate;
  return { gate, report, changes: gateChanges(before, gate) };
}

/** null: no gate is active, or it is damaged; the next one replaces it. */
async function activeOrNull(gate: Context["gate"]): Promise<Gate | null> {
  try {
    return (await gate.active())?.gate ?? null;
  } catch {
    return null;
  }
}

function gateOf(report: GateReport): Gate {
  return inForceGate(
    report,
    new Map(report.communities.flatMap((one) => (one.suspended ? [[one.community, one.suspended]] : []))),
  );
}

/** A gate's result for a cohort. */
interface CohortState {
  state: GateCommunity["state"];
  passes: boolean;
  suspended: boolean;
}

export interface GateChanges {
  gate_id: { before: string | null; after: string | null };
  /** Settings that differ. */
  settings: { setting: string; before: unknown; after: unknown }[];
  passing: { before: number; after: number };
  /** Share of all decisions in passing communities. */
  coverage: { before: number | null; after: number | null };
  /** Cohorts with different results; null: the gate does not have the cohort. */
  communities: { community: string; before: CohortState | null; after: CohortState | null }[];
}

const SETTINGS = [
  "mode",
  "thresholds",
  "variable",
  "by",
  "adjust",
  "delta",
  "q",
  "risk",
  "harm",
  "judge_error_required",
  "review_share",
  "thread_cap",
] as const;

function gateChanges(before: Gate | null, after: Gate): GateChanges {
  const [old, next] = [statesOf(before), statesOf(after)];
  const names = [...new Set([...old.keys(), ...next.keys()])].sort();
  return {
    gate_id: { before: before?.gate_id ?? null, after: after.gate_id ?? null },
    settings: SETTINGS.map((setting) => ({
      setting,
      before: before?.[setting] ?? null,
      after: after[setting] ?? null,
    })).filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after)),
    passing: { before: before?.fleet.passing ?? 0, after: after.fleet.passing },
    coverage: { before: before?.fleet.decision_coverage_all ?? null, after: after.fleet.decision_coverage_all },
    communities: names
      .map((community) => ({ community, before: old.get(community) ?? null, after: next.get(community) ?? null }))
      .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after)),
  };
}

function statesOf(gate: Gate | null): Map<string, CohortState> {
  return new Map(
    (gate?.communities ?? []).map(({ community, state, passes, suspended }) => [
      community,
      { state, passes: passes[gate!.mode], suspended: suspended !== null },
    ]),
  );
}
