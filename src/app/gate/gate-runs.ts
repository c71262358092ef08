import type { Config } from "../../core/config.js";
import type { Gate } from "../../core/gate.js";
import type { Manifest } from "../../core/records/manifest.js";
import { isTime } from "../../core/text-checks.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";
import { noRuns, ownRuns, refuseArmsOnly } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import type { AuditSource } from "../../store/ports.js";
import { type Obstacle, refuse } from "./gate-codes.js";

const DAY = 86_400_000;

/** The decisions that a gate rests on, where these are not simply those of one run. */
interface GateSpan {
  /** Length of the rolling window, or null where it starts at a fixed time. */
  window_days: number | null;
  since: string | null;
  from: string;
  to: string;
  /** Runs whose audits count, newest first. */
  runs: string[];
}

/**
 * The audits of a rolling window, or of an epoch that starts at a fixed time: the newest audit of each decision over finished runs of the
 * same auditor, version, prompt, template, tier and signal, by the time of the decision. Null where the settings ask for one run.
 *
 * A window takes every such run. An epoch ends at a change: runs before one of another auditor, version, prompt or tier are left out. The certified gate is
 * refused on a window, because e-values must start at a fixed time.
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

/** Finished runs like the newest, newest first; for an epoch only those since the last change. */
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

/** Whether a run takes what arrives at the live service, until its day is over. */
const isLive = (run: Manifest) => run.selection.live !== undefined;

/** Without live runs that are still written, unless there are no others. */
export function settled(runs: readonly Manifest[]): Manifest[] {
  const finished = runs.filter((run) => !isLive(run) || run.status === "sealed");
  return finished.some((run) => run.experiment === undefined) ? finished : [...runs];
}

interface ChosenRun {
  manifest: Manifest;
  /** What keeps a gate of this run from coming into force by itself. */
  obstacles: Obstacle[];
}

/**
 * The run a gate is computed from: the one that is named, or the newest that is no experiment's; for a watch the newest that was audited as the gate it guards.
 * `runs`: newest first.
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

/** Whether a run was audited as the audits behind a gate. An experiment's never was: its decisions may be chosen, or made up. */
export function auditedLike(
  run: Manifest,
  { auditor, template, tier, signal }: NonNullable<Gate["evidence"]>,
): boolean {
  if (run.experiment) return false;
  return run.auditor === auditor && run.template === template && run.tier === tier && run.signal === signal;
}

/** In what a run is another than the configuration would make. */
function otherThanConfigured(run: Manifest, config: Config): Obstacle[] {
  return (["auditor", "tier", "template", "temperature"] as const)
    .filter((name) => run[name] !== config[name])
    .map((name) => ({ code: "audited_otherwise", setting: name, value: run[name], configured: config[name] }));
}
