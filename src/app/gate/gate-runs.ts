import type { HeldOut } from "../../analysis/audit-cells.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { readDecisionScores } from "../../analysis/decision-scores.js";
import { TARGETS } from "../../analysis/labels/label-sample.js";
import { readScoreColumns } from "../../analysis/score-table.js";
import type { CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import type { Config } from "../../core/config.js";
import type { Gate, GateKey } from "../../core/gate.js";
import type { Manifest } from "../../core/records/manifest.js";
import { isTime } from "../../core/text-checks.js";
import { applyToColumns, type CalibrationModel } from "../../measures/calibration/calibration-model.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";
import { cohortKey } from "../../measures/gate/route/reasons.js";
import type { SelectiveRows, ThresholdChoice, ThresholdSet } from "../../measures/gate/selective/choose-thresholds.js";
import { noRuns, ownRuns, refuseArmsOnly } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import type { AuditSource } from "../../store/ports.js";
import { type Obstacle, refuse } from "../notices.js";

const DAY = 86_400_000;

/** The decisions that a gate rests on, if not simply those of one run. */
interface GateSpan {
  /** Length of the rolling window; null if it starts at a fixed time. */
  window_days: number | null;
  since: string | null;
  from: string;
  to: string;
  /** Runs whose audits are used, newest first. */
  runs: string[];
}

/**
 * The audits of a rolling window, or of an epoch that starts at a fixed time: the newest audit of each decision over finished runs of the
 * same auditor, version, prompt, template, tier and signal, by the time of the decision. Null if the settings ask for one run.
 *
 * A window takes every such run. An epoch begins anew at a change: runs before one with another auditor, version, prompt or tier are left out.
 * The certified gate is refused on a window, because e-values must start at a fixed time.
 */
export async function gateSpan(
  { runs: ledger, now }: Pick<Context, "runs" | "now">,
  newest: Manifest,
  settings: Pick<GateSettings, "mode" | "window_days" | "since">,
): Promise<{ source: AuditSource; span: GateSpan } | null> {
  const { mode, window_days: days = null, since = null } = settings;
  if (days === null && since === null) return null;
  if (days !== null && since !== null) refuse({ code: "gate_span" });
  if (days !== null && mode === "certified") refuse({ code: "window_certified" });
  if (newest.status !== "sealed") refuse({ code: "open_run", run: newest.run_id });
  const to = now().getTime();
  if (since !== null) refuseSince(since, to);
  const from = days !== null ? to - days * DAY : Date.parse(since!);
  const runs = joined(await ledger.list(), newest, days === null);
  const [path, ...older] = (await Promise.all(runs.map((run) => ledger.snapshot(run.run_id)))).map((one) => one.path);
  return {
    source: { path: path!, format: "parquet", own: true, older, decided: { from, to } },
    span: {
      window_days: days,
      since,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      runs: runs.map((run) => run.run_id),
    },
  };
}

function refuseSince(since: string, now: number): void {
  if (!isTime(since)) refuse({ code: "gate_since", since, problem: "not_a_time" });
  if (Date.parse(since) > now) refuse({ code: "gate_since", since, problem: "in_the_future" });
}

/** Finished runs with the newest run's settings, newest first; for an epoch, only those since the last change. */
function joined(all: readonly Manifest[], newest: Manifest, epoch: boolean): Manifest[] {
  const identity = (run: Manifest) =>
    JSON.stringify([run.auditor, run.auditor_version, run.prompt_version, run.template, run.tier, run.signal]);
  const ordinary = all.filter(
    (run) =>
      !run.experiment &&
      run.status === "sealed" &&
      run.created_at <= newest.created_at &&
      run.selection.sent_by === newest.selection.sent_by,
  );
  const change = ordinary.findIndex((run) => identity(run) !== identity(newest));
  const kept = epoch && change >= 0 ? ordinary.slice(0, change) : ordinary;
  const others = kept.filter((run) => run.run_id !== newest.run_id && identity(run) === identity(newest));
  return [newest, ...others];
}

/** Whether the run audits what arrives at the live service; it is sealed when its day is over. */
const isLive = (run: Manifest) => run.selection.live !== undefined;

/** Leaves out live runs still being written, unless there are no others. */
export function settled(runs: readonly Manifest[]): Manifest[] {
  const finished = runs.filter((run) => !isLive(run) || run.status === "sealed");
  return finished.some((run) => run.experiment === undefined) ? finished : [...runs];
}

interface ChosenRun {
  manifest: Manifest;
  /** Why a gate of this run is not the workspace's own, and is only activated explicitly. */
  obstacles: Obstacle[];
}

/**
 * The run a gate is computed from: the named one, or the newest that is not an experiment's. For a watch: the newest run audited like those
 * behind the active gate. `runs`: newest first.
 */
export function chooseRun(
  runs: readonly Manifest[],
  config: Config,
  guarded: Gate | null,
  named: string | undefined,
): ChosenRun {
  const ordinary = ownRuns(runs.filter((run) => run.experiment === undefined));
  const like = guarded?.evidence && runs.find((run) => auditedLike(run, guarded.evidence!));
  const manifest = named && named !== "newest" ? runs.find((run) => run.run_id === named) : (like ?? ordinary[0]);
  if (!manifest) return noRuns(runs);
  refuseArmsOnly(manifest);
  const own = ordinary.find((run) => otherThanConfigured(run, config).length === 0);
  const differences = guarded ? [] : otherThanConfigured(manifest, config);
  const expected = guarded ? like : own;
  return {
    manifest,
    obstacles: [
      ...(manifest.experiment ? [{ code: "experiment" as const, kind: manifest.experiment.kind }] : []),
      ...differences,
      ...(differences.length === 0 && expected && expected.run_id !== manifest.run_id
        ? [{ code: "not_newest" as const, run: manifest.run_id }]
        : []),
      ...(manifest.status === "sealed" ? [] : [{ code: "not_finished" as const }]),
      ...(guarded || isLive(manifest) || Object.keys(manifest.selection).length === 0
        ? []
        : [{ code: "selection" as const }]),
    ],
  };
}

/** Whether a run was audited like the audits behind a gate. An experiment's never counts: its decisions may be selected or made up. */
export function auditedLike(
  run: Manifest,
  { auditor, template, tier, signal }: NonNullable<Gate["evidence"]>,
): boolean {
  if (run.experiment) return false;
  return run.auditor === auditor && run.template === template && run.tier === tier && run.signal === signal;
}

/** Settings in which a run differs from what the configuration would make. */
function otherThanConfigured(run: Manifest, config: Config): Obstacle[] {
  return (["auditor", "tier", "template", "temperature"] as const)
    .filter((name) => run[name] !== config[name])
    .map((name) => ({ code: "audited_otherwise", setting: name, value: run[name], configured: config[name] }));
}

/** The scored verdicts that thresholds are fitted on. */
interface ScoreRows {
  pds: Float64Array;
  score: Float64Array;
  /** The auditor's own verdict. */
  audited: Uint8Array;
  /** 1: level 3 by the labels; `UNLABELLED`: no label. */
  indefensible: Uint8Array;
  positive: Uint8Array;
  /** Weights of labels that were drawn with unequal probabilities. */
  weight?: Float64Array | undefined;
  /** Index of the row's thread; −1: no thread. Absent if no decision has one. */
  thread?: Int32Array | undefined;
  /** 1: not used for choosing communities. */
  heldOut: Uint8Array;
  community: Int32Array;
  communities: readonly string[];
}

const UNLABELLED = 255;

/** Uses the calibrated score, and counts losses by the labels that the calibration was fitted to. */
export async function calibratedRows(
  table: AuditTable,
  heldOut: HeldOut,
  calibration: StoredCalibration,
  target: CalibrationTarget | null,
  threads: boolean,
): Promise<ScoreRows> {
  const targets = target && target.kind !== "self" ? { targets: TARGETS } : {};
  const columns = await readScoreColumns(table, { ...targets, heldOut, threads });
  const audited = columns.level.map((level) => (level === 3 ? 1 : 0));
  const { targetLevel, targetWeight: weight, thread, pds, positive, community, communities } = columns;
  const indefensible = targetLevel
    ? targetLevel.map((level) => (level === 0 ? UNLABELLED : level === 3 ? 1 : 0))
    : audited;
  const score = applyToColumns(calibration.model as CalibrationModel, columns);
  const held = columns.heldOut ?? new Uint8Array(columns.n);
  return { pds, score, audited, indefensible, positive, weight, thread, heldOut: held, community, communities };
}

/** Uses the raw 1 − p(L3), and counts losses by the auditor's own level. */
export async function rawRows(table: AuditTable, heldOut: HeldOut, threads: boolean): Promise<ScoreRows> {
  const scores = await readDecisionScores(table, ["community"], heldOut, { threads });
  const { pds, pDefensible: score, indefensible, positive, cohort: community, cohorts: communities } = scores;
  return {
    pds,
    score,
    audited: indefensible,
    indefensible,
    positive,
    thread: scores.thread,
    heldOut: scores.heldOut,
    community,
    communities,
  };
}

/** Whether a community's decisions are open to automation: by action (0: not restricting, 1: restricting), then by community. */
export type Open = readonly (readonly boolean[])[];

/** False for cohorts by rule or language, and for more than two actions: the columns do not have them. */
export function toldApart(by: readonly GateKey[], actions: AuditTable["actions"]): boolean {
  return by.every((key) => key === "community" || (key === "decision" && !actions.all));
}

export function openCohorts(
  { communities }: ScoreRows,
  actions: AuditTable["actions"],
  by: readonly GateKey[],
  keys: ReadonlySet<string>,
): Open {
  return [actions.negative, actions.positive].map((decision) =>
    communities.map((community) =>
      toldApart(by, actions) ? keys.has(cohortKey(by, { community, decision })) : keys.size > 0,
    ),
  );
}

/** Communities that pass but were not chosen. */
export function withheldFrom(rows: ScoreRows, passing: Open, chosen: Open) {
  const names = (action: number) => rows.communities.filter((_, i) => passing[action]![i] && !chosen[action]![i]);
  return { other: names(0), restricting: names(1) };
}

type CertifyingRows = Required<Omit<SelectiveRows, "weight" | "thread">> & Pick<SelectiveRows, "weight" | "thread">;

/** Labelled rows of the chosen communities: only rows not used for choosing, or all. */
export function certifyingRows(rows: ScoreRows, chosen: Open, heldOutOnly: boolean): CertifyingRows {
  const size = rows.score.length;
  const score = new Float64Array(size);
  const indefensible = new Uint8Array(size);
  const positive = new Uint8Array(size);
  const community = new Int32Array(size);
  const weight = new Float64Array(rows.weight ? size : 0);
  const thread = new Int32Array(rows.thread ? size : 0);
  let n = 0;
  for (let i = 0; i < size; i++) {
    const of = rows.community[i]!;
    if (heldOutOnly && rows.heldOut[i] === 0) continue;
    if (rows.indefensible[i] === UNLABELLED || !chosen[rows.positive[i]!]![of]) continue;
    score[n] = rows.score[i]!;
    indefensible[n] = rows.indefensible[i]!;
    positive[n] = rows.positive[i]!;
    community[n] = of;
    if (rows.weight) weight[n] = rows.weight[i]!;
    if (rows.thread) thread[n] = rows.thread[i]!;
    n++;
  }
  return {
    score: score.subarray(0, n),
    indefensible: indefensible.subarray(0, n),
    positive: positive.subarray(0, n),
    community: community.subarray(0, n),
    communities: rows.communities,
    ...(rows.weight ? { weight: weight.subarray(0, n) } : {}),
    ...(rows.thread ? { thread: thread.subarray(0, n) } : {}),
  };
}

/** How many rows of passing cohorts `route` would automate: those with a score at or above the threshold of their community and action. */
export function automatedBy(
  choice: ThresholdChoice,
  rows: ScoreRows,
  passing: Open,
): { rows: number; automated: number; automated_indefensible: number } {
  const { other, restricting } = choice.by_decision ?? { other: choice, restricting: choice };
  const thresholds = [other, restricting].map((set) => thresholdsOf(set, rows.communities));
  let n = 0;
  let automated = 0;
  let automated_indefensible = 0;
  for (let i = 0; i < rows.score.length; i++) {
    const action = rows.positive[i]!;
    const community = rows.community[i]!;
    if (!passing[action]![community]) continue;
    n++;
    const threshold = thresholds[action]![community]!;
    if (threshold === null || !(rows.score[i]! >= threshold)) continue;
    automated++;
    automated_indefensible += rows.audited[i]!;
  }
  return { rows: n, automated, automated_indefensible };
}

function thresholdsOf(set: ThresholdSet, communities: readonly string[]): (number | null)[] {
  const withheld = new Set(set.withheld);
  return communities.map((name) => {
    if (withheld.has(name)) return null;
    return Object.hasOwn(set.by_community, name) ? set.by_community[name]!.threshold : set.pooled.threshold;
  });
}
