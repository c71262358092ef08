import type { Gate, GateKey } from "../../core/gate.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { chosenRun, damagedSince, ordinaryRuns, refuseDamaged, smallerThanOthers } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import type { AuditSource } from "../../store/ports.js";
import { type GateWords, type Obstacle, refuse } from "../notices.js";
import { watchReviews } from "../outcomes/import-outcomes.js";
import { realisedRisk } from "../outcomes/realised-risk.js";
import { type ApplyRequest, isDamage, recordGate } from "./activate-gate.js";
import { fileGate, type GateRequest, runGate } from "./gate-run.js";
import { chooseRun, settled } from "./gate-runs.js";
import { type GateChoices, gateSettings, inPeriod, otherSettings, settingsInForce } from "./gate-settings.js";
import { type WatchOutcome, watchFile, watchWorkspace } from "./watch.js";

/** Input of a gate, for a workspace or a file. */
export interface EvaluateRequest extends Omit<GateRequest, "settings" | "holdout"> {
  choices: GateChoices;
  /** Default seed: the workspace's. */
  holdout: { share: number; seed?: number } | null;
  words: GateWords;
}

export interface WorkspaceGateRequest extends Omit<EvaluateRequest, "watch"> {
  /** Named runs; a watch accepts several. */
  runs?: readonly string[];
  /** Record nothing. */
  dryRun: boolean;
  /** Do not record a look that changes nothing. */
  quiet?: boolean;
}

/** Computes the gate of a workspace from its newest or the named run, and records the look. The active gate is unchanged. */
export function evaluateGate(context: Context, asked: WorkspaceGateRequest): Promise<GateReport> {
  return gateOfWorkspace(context, { ...asked, watch: false, apply: false });
}

/** Computes the gate of a workspace and activates it: from now on `route` follows it, even if it differs from the workspace's own. */
export function applyGate(context: Context, asked: Omit<WorkspaceGateRequest, "dryRun">): Promise<GateReport> {
  return gateOfWorkspace(context, { ...asked, watch: false, apply: true, dryRun: false });
}

/** Guards the active gate, by its limits and on audits like those behind it: suspends communities that drift, reinstates those certified again. */
export function watchGate(context: Context, asked: WorkspaceGateRequest): Promise<GateReport> {
  return gateOfWorkspace(context, { ...asked, watch: true, apply: false });
}

/** The gate of an audits file, and the findings of a watch over it; nothing is stored. */
export async function gateOfFile(
  source: AuditSource,
  actions: Parameters<typeof fileGate>[1],
  asked: EvaluateRequest,
): Promise<GateReport> {
  const request = requestOf(asked, gateSettings(asked.choices), 1);
  const report = await fileGate(source, actions, request);
  if (!asked.watch) return report;
  report.watch = (await watchFile(source, actions, report, { ...asked, settings: request.settings })).report;
  for (const event of report.watch.events) {
    const found = report.communities.find((one) => one.community === event.community);
    if (!found || event.type === "reset" || event.type === "above") continue;
    found.suspended = event.type === "suspended" ? { since: event.at ?? request.now, reason: event.text } : null;
  }
  return report;
}

async function gateOfWorkspace(context: Context, request: AskedGate): Promise<GateReport> {
  const { report, record } = await computeGate(context, request);
  await recordGate(context.gate, report, record);
  return report;
}

type AskedGate = WorkspaceGateRequest & { watch: boolean; apply: boolean };

/** The gate of a workspace, with what `recordGate` needs to record or activate it. */
export async function computeGate(
  stores: Context,
  request: AskedGate,
): Promise<{ report: GateReport; record: ApplyRequest }> {
  // The same time for all parts.
  const context = { ...stores, now: () => new Date(request.now) };
  const { runs: ledger, gate: store, config } = context;
  const named = request.runs && (await Promise.all(request.runs.map((name) => chosenRun(ledger, name))));
  const asked = { ...request, runs: named?.map(({ run_id }) => run_id) };
  const guarded = asked.watch ? ((await store.active())?.gate ?? null) : null;
  if (guarded) refuseOtherKeys(asked.choices.by, guarded.by ?? ["community"]);
  const runs = settled(await ledger.list());
  if (runs.every((run) => run.experiment)) await refuseDamaged(ledger);
  const { manifest, obstacles: ofRun } = chooseRun(runs, config, guarded, asked.runs?.at(-1));
  // The gate of an older run must not pass for the newest run's.
  if (!asked.runs) await refuseDamaged(ledger, manifest);
  for (const run of await damagedSince(ledger, manifest)) ofRun.push({ code: "run_damaged", run });
  const base = guarded ? settingsInForce(guarded) : inPeriod(config.gate, request.now);
  const computed = requestOf(asked, gateSettings(asked.choices, base), config.seed);
  const { settings } = computed;
  const isSpan = (settings.window_days ?? settings.since ?? null) !== null;
  const small = asked.runs || guarded || isSpan ? null : smallerThanOthers(runs, manifest);
  if (small && asked.apply) refuse({ code: "small_run", ...small });
  const { report, first, lookedBefore } = await runGate(context, manifest, computed);
  report.closed = await store.closure();
  const { delta, thread_cap: threadCap, risk: limit } = settings;
  const replaces = asked.apply && (await activeIsDamaged(store));
  report.realised_risk = await realisedRisk(context, replaces ? { delta, threadCap, limit } : undefined);
  const other = otherSettings(settings, base);
  const obstacles: Obstacle[] = small
    ? ofRun.map((one) => (one.code === "selection" ? { ...one, run: manifest.run_id } : one))
    : ofRun;
  if (asked.look === "once" && lookedBefore) obstacles.unshift({ code: "look_once" });
  if (asked.labels) obstacles.unshift({ code: "labels_named" });
  if (asked.calibration) obstacles.unshift({ code: "calibration_named" });
  if (other.includes("mode") && settings.mode === "paper") obstacles.unshift({ code: "mode_paper" });
  const than = guarded ? "gate_in_force" : "workspace";
  if (other.length > 0) obstacles.unshift({ code: "other_settings", settings: other, than });
  const watch = async () => {
    const watched = await watchWorkspace(context, report, { ...asked, settings, named: asked.runs });
    return withReviews(watched, context, asked.words);
  };
  const record: ApplyRequest = {
    ...asked,
    settings,
    obstacles,
    late: async () => (asked.runs || guarded ? [] : newerRun(ledger, manifest)),
    otherLimits: guarded !== null && other.length > 0,
    first,
    watch: asked.watch ? watch : null,
  };
  return { report, record };
}

/** Obstacle if there is a newer finished run than the one that a gate was computed from. */
export async function newerRun(ledger: Context["runs"], of: Pick<Manifest, "created_at">): Promise<Obstacle[]> {
  const [newest] = await ordinaryRuns(ledger);
  const newer = newest?.status === "sealed" && newest.created_at > of.created_at;
  return newer ? [{ code: "newer_run", run: newest.run_id }] : [];
}

/** A damaged gate has no usable settings. Reading it is an error; replacing it is not. */
async function activeIsDamaged(store: Context["gate"]): Promise<boolean> {
  try {
    await store.active();
    return false;
  } catch (cause) {
    if (isDamage(cause)) return true;
    throw cause;
  }
}

function refuseOtherKeys(asked: readonly GateKey[] | undefined, inForce: readonly GateKey[]): void {
  if (asked && asked.join() !== inForce.join()) refuse({ code: "other_keys", asked, inForce });
}

/** Combines the watch of verdicts with that of random reviews. The auditor's verdicts cannot reopen what people or their reviews closed. */
async function withReviews(watched: WatchOutcome, context: Context, words: GateWords): Promise<WatchOutcome> {
  const gate: Gate | undefined = (await context.gate.active())?.gate;
  const found = gate ? await watchReviews(context, gate, words) : null;
  const closed = new Set([
    ...(gate?.communities ?? []).filter((one) => one.suspended?.by).map((one) => one.community),
    ...(found?.events ?? []).map(({ community }) => community),
  ]);
  const own = watched.report.events.filter((event) => event.type === "reset" || !closed.has(event.community));
  const events = [...own, ...(found?.events ?? [])];
  return { ...watched, report: { ...watched.report, events, reviews: found?.watch ?? null } };
}

function requestOf(asked: EvaluateRequest, settings: GateRequest["settings"], seed: number): GateRequest {
  const { choices: _, holdout, ...request } = asked;
  return { ...request, settings, holdout: holdout && { share: holdout.share, seed: holdout.seed ?? seed } };
}
