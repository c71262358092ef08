import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { GateStream, WATCH_COLUMNS } from "../../analysis/gate/stream.js";
import type { Evidence, GateCommunity } from "../../core/gate.js";
import type { Manifest } from "../../core/records/manifest.js";
import { StreamWatch } from "../../measures/gate/drift/watch-streams.js";
import type { WatchOptions } from "../../measures/gate/drift/watch-types.js";
import type { GateReport, GateSettings, WatchReport } from "../../measures/gate/gate-report.js";
import { indefensibleLimit } from "../../measures/gate/limits.js";
import { refuseDamaged } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { AuditSource, GateStore, RunStore } from "../../store/ports.js";
import type { StoredWatch } from "../../store/records/gate-event.js";
import type { GateWords } from "../notices.js";
import { auditedLike } from "./gate-runs.js";
import { alarmTime, continuedState, GateWatch } from "./watch-events.js";

export interface WatchOutcome {
  report: WatchReport;
  /** Stores the progress of the watch; null if nothing is stored. */
  keep: ((store: Pick<GateStore, "keepWatch">) => Promise<void>) | null;
}

/** Watches an audits file from its beginning; nothing is stored. */
export async function watchFile(
  source: AuditSource,
  actions: AuditTable["actions"] | undefined,
  report: GateReport,
  { settings, words }: { settings: GateSettings; words: GateWords },
): Promise<WatchOutcome> {
  return withDuckDB(async (db) => {
    const stream = await GateStream.create(db, settings.by);
    await stream.add(await openAuditTable(db, source, { actions, also: WATCH_COLUMNS }), 0, 0);
    const keys = judged(report);
    const streams = new StreamWatch(watchOptions(settings, keys.size));
    const watch = new GateWatch(streams, { settings, words }, { automated: passing(report), met: [] });
    const found = await watch.run(stream, { keys, now: Date.parse(report.created_at), before: null });
    return { report: { ...found, runs: [], open_runs: [], kept: false }, keep: null };
  });
}

/**
 * Continues a workspace's watch with verdicts it has not seen, from the named runs or from finished runs like the gate's own. It watches the
 * communities with enough decisions, and any that were watched or automated before.
 */
export async function watchWorkspace(
  { gate, runs: ledger }: Pick<Context, "gate" | "runs">,
  report: GateReport,
  { settings, words, named }: { settings: GateSettings; words: GateWords; named: readonly string[] | undefined },
): Promise<WatchOutcome> {
  const stored = usable(await gate.watch(), settings);
  const inForce = (await gate.active())?.gate;
  const automated = passing(inForce ?? report);
  const suspended = new Map(
    (inForce?.communities ?? []).flatMap((one) => (one.suspended ? [[one.community, alarmTime(one.suspended)]] : [])),
  );
  const known = stored?.watch.keys.map((key) => key.key) ?? [];
  const keys = new Set([...judged(report), ...automated, ...suspended.keys(), ...known]);
  const options = watchOptions(settings, Math.max(keys.size, stored?.watch.settings.fleet ?? 0));
  const state = continuedState(stored?.watch ?? null, options, { suspended, automated });
  const watch = new GateWatch(
    new StreamWatch(options, state),
    { settings, words },
    { automated, met: stored?.met ?? [] },
  );
  const runs = await runsToWatch(ledger, inForce?.evidence ?? report.evidence, named);
  const seen = new Set(stored?.runs ?? []);
  const before = stored?.closed_until === undefined ? null : Date.parse(stored.closed_until);
  const fresh = runs.finished.filter(({ run_id }) => !seen.has(run_id)).map(({ run_id }) => run_id);
  return withDuckDB(async (db) => {
    const stream = await GateStream.create(db, settings.by);
    await fill(stream, ledger, runs.finished, seen);
    const found = await watch.run(stream, { keys, now: Date.parse(report.created_at), before });
    const next: StoredWatch = {
      format: 1,
      by: settings.by,
      variable: settings.variable,
      runs: [...seen, ...fresh],
      closed_until: report.created_at,
      met: watch.metLimits(),
      watch: watch.state(),
    };
    return {
      report: { ...found, runs: fresh, open_runs: runs.open, kept: true },
      keep: (store) => store.keepWatch(next),
    };
  });
}

/** Adds the verdicts of all runs. Those already watched may have had open threads, and they show which verdicts are not new. */
async function fill(
  stream: GateStream,
  ledger: RunStore,
  runs: readonly Manifest[],
  seen: ReadonlySet<string>,
): Promise<void> {
  const epochs = epochsOf(runs);
  // A decision counts as first watched, so runs already seen come first.
  const order = [...runs.keys()].sort(
    (a, b) => Number(seen.has(runs[b]!.run_id)) - Number(seen.has(runs[a]!.run_id)) || a - b,
  );
  for (const i of order) {
    const { run_id, actions } = runs[i]!;
    const epoch = epochs.get(run_id)!;
    await stream.addRun(await ledger.snapshot(run_id), { actions, epoch, run: i, seen: seen.has(run_id) });
  }
}

/** Communities with enough decisions to be judged; the others have too few for a watch, too. */
function judged(report: GateReport): Set<string> {
  return new Set(report.communities.filter((one) => one.state !== "insufficient").map((one) => one.community));
}

function passing(gate: { mode: GateReport["mode"]; communities: GateCommunity[] } | null): Set<string> {
  return new Set(gate?.communities.filter((one) => one.passes[gate.mode]).map((one) => one.community));
}

/** The fleet size is rounded up to a power of two: thresholds depend on it and should not move with every new community. */
function watchOptions(settings: GateSettings, communities: number): WatchOptions {
  return {
    p0: { indefensible: indefensibleLimit(settings), ambiguous: settings.ai },
    fleet: 2 ** Math.ceil(Math.log2(Math.max(8, communities))),
    delta: settings.delta,
    units: "threads",
  };
}

/** The stored state, unless it is for cohorts by other keys or another kind of ambiguity: those cannot be continued. */
function usable(stored: StoredWatch | null, { by, variable }: GateSettings): StoredWatch | null {
  return stored && stored.variable === variable && JSON.stringify(stored.by) === JSON.stringify(by) ? stored : null;
}

/** Finished runs, oldest first: the named ones, or all that were audited like the gate's own. */
async function runsToWatch(ledger: RunStore, evidence: Evidence, named: readonly string[] | undefined) {
  // The verdicts of an unreadable run would never be watched.
  if (!named) await refuseDamaged(ledger);
  const all = (await ledger.list()).reverse();
  const wanted = all.filter((run) => (named ? named.includes(run.run_id) : auditedLike(run, evidence)));
  return {
    finished: wanted.filter((run) => run.status === "sealed"),
    open: wanted.filter((run) => run.status !== "sealed").map((run) => run.run_id),
  };
}

/** Epoch number of each run: another auditor version or prompt begins a new epoch. */
function epochsOf(runs: readonly Manifest[]): Map<string, number> {
  const epochs = new Map<string, number>();
  let epoch = -1;
  let version = "";
  for (const run of runs) {
    const own = JSON.stringify([run.auditor, run.auditor_version, run.prompt_version]);
    if (own !== version) epoch++;
    version = own;
    epochs.set(run.run_id, epoch);
  }
  return epochs;
}
