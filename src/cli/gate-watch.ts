import type { Manifest } from "../domain/manifest.js";
import { fleetEvidence } from "../gate/drift/fleet-evidence.js";
import { planWatch } from "../gate/drift/watch-plan.js";
import { StreamWatch } from "../gate/drift/watch-streams.js";
import type { WatchEvent, WatchOptions, WatchState } from "../gate/drift/watch-types.js";
import { indefensibleLimit } from "../gate/limits.js";
import type { AuditTable } from "../ledger/audit-table.js";
import { openAuditTable } from "../ledger/audit-table.js";
import { withDuckDB } from "../ledger/duckdb.js";
import type { FileLedger } from "../ledger/file-ledger.js";
import { GateStream, WATCH_COLUMNS } from "../ledger/gate-stream.js";
import type { AuditSource } from "../ledger/ledger.js";
import type { GateReport, GateSettings, WatchedEvent, WatchReport } from "../reports/gate-report.js";
import { percent } from "../reports/numbers.js";
import { readGateInForce } from "../workspace/gate-store.js";
import { readWatch, type StoredWatch, writeWatch } from "../workspace/watch-store.js";
import type { Workspace } from "../workspace/workspace.js";

/** Share of false names among the communities that are told to have been above a limit. */
const NAMED_AT = 0.1;

export interface WatchOutcome {
  report: WatchReport;
  /** Writes down how far the watch has come; null where nothing is kept. */
  keep: (() => void) | null;
}

/** Watches an audits file from its beginning; nothing is kept. */
export async function watchFile(
  source: AuditSource,
  actions: AuditTable["actions"] | undefined,
  report: GateReport,
  settings: GateSettings,
): Promise<WatchOutcome> {
  return withDuckDB(async (db) => {
    const stream = await GateStream.create(db, settings.by);
    await stream.add(await openAuditTable(db, source, { actions, also: WATCH_COLUMNS }), 0, 0);
    const keys = watchedKeys(report, []);
    const watch = new StreamWatch(watchOptions(settings, keys.size));
    return { report: await run(stream, watch, keys, settings, { runs: [], open_runs: [], kept: false }), keep: null };
  });
}

/**
 * Goes on with the watch of a workspace: verdicts of finished runs like the gate's own that it has not seen yet, or of the runs that are
 * named. Only communities that pass are watched, and suspended ones until they are certified again.
 */
export async function watchWorkspace(
  workspace: Workspace,
  ledger: FileLedger,
  report: GateReport,
  settings: GateSettings,
  named: readonly string[] | undefined,
): Promise<WatchOutcome> {
  const stored = usable(readWatch(workspace), settings);
  const runs = await runsToWatch(ledger, report, named);
  const suspended = (readGateInForce(workspace)?.gate.communities ?? []).filter((one) => one.suspended);
  const keys = watchedKeys(
    report,
    suspended.map((one) => one.community),
  );
  for (const key of stored?.watch.keys ?? []) if (key.suspended) keys.add(key.key);
  const options = watchOptions(settings, Math.max(keys.size, stored?.watch.settings.fleet ?? 0));
  const watch = new StreamWatch(
    options,
    continued(
      stored?.watch ?? null,
      options,
      suspended.map((one) => one.community),
    ),
  );
  const seen = new Set(stored?.runs ?? []);
  const fresh = runs.finished.filter((manifest) => !seen.has(manifest.run_id));
  const before = runs.finished.filter((manifest) => seen.has(manifest.run_id));
  return withDuckDB(async (db) => {
    const stream = await GateStream.create(db, settings.by);
    const epochs = epochsOf(runs.finished);
    for (const [i, { run_id, actions }] of fresh.entries()) {
      await stream.addRun(ledger.source(run_id), { actions, epoch: epochs.get(run_id)!, run: i });
    }
    for (const { run_id } of before) await stream.leaveOut(ledger.source(run_id), epochs.get(run_id)!);
    const told = await run(stream, watch, keys, settings, {
      runs: fresh.map(({ run_id }) => run_id),
      open_runs: runs.open,
      kept: true,
    });
    const next: StoredWatch = {
      format: 1,
      by: settings.by,
      variable: settings.variable,
      runs: [...seen, ...fresh.map(({ run_id }) => run_id)],
      watch: watch.state(),
    };
    return { report: told, keep: () => writeWatch(workspace, next) };
  });
}

async function run(
  stream: GateStream,
  watch: StreamWatch,
  keys: ReadonlySet<string>,
  settings: GateSettings,
  told: Pick<WatchReport, "runs" | "open_runs" | "kept">,
): Promise<WatchReport> {
  const events: WatchedEvent[] = [];
  const rows = await stream.read(keys, settings.variable, (row) => {
    for (const event of watch.push(row)) if (!isFirstSight(event)) events.push(tell(event, settings));
  });
  const state = watch.state();
  const suspended = new Set(state.keys.filter((key) => key.suspended).map((key) => key.key));
  return {
    ...told,
    rows,
    rows_in_all: state.rows,
    communities: keys.size,
    promise: watch.plan.promise,
    events,
    named: fleetEvidence(state)
      .filter((one) => one.q <= NAMED_AT && !suspended.has(one.key))
      .sort((a, b) => a.q - b.q)
      .map(({ key, q, n, indefensible, ambiguous }) => ({ community: key, q, n, indefensible, ambiguous })),
  };
}

/** A suspended community that the watch knew nothing of has no version yet. */
function isFirstSight(event: WatchEvent): boolean {
  return event.type === "reset" && event.from === "";
}

function tell(event: WatchEvent, settings: GateSettings): WatchedEvent {
  const { type, key: community, at } = event;
  if (type === "reset") {
    return { type, community, at, text: `version changed from ${event.from} to ${event.to}`, remedy: null };
  }
  if (type === "reinstated") {
    return {
      type,
      community,
      at,
      text: `Certified again by ${event.n} decisions since the alarm: ${event.indefensible} indefensible, ${event.ambiguous} ambiguous.`,
      remedy: null,
    };
  }
  const limit = event.which === "indefensible" ? indefensibleLimit(settings) : settings.ai;
  const what = event.which === "indefensible" ? "indefensible" : "ambiguous";
  return {
    type,
    community,
    at,
    text: `Alarm: more ${what} decisions than the limit of ${percent(limit)} allows (${event.detector === "cusum" ? "CUSUM" : "e-detector"} ${event.statistic.toFixed(1)}, alarm at ${event.threshold.toFixed(1)}).`,
    remedy:
      event.which === "indefensible"
        ? "Suspended. See what is new with `defensible show --level 3`; mend decider or rules, then audit new decisions."
        : "Suspended. See which rule leaves the new decisions open with `defensible report`; clarify it, then audit new decisions.",
  };
}

function watchedKeys(report: GateReport, more: readonly string[]): Set<string> {
  const passing = report.communities.filter((one) => one.passes[report.mode]).map((one) => one.community);
  return new Set([...passing, ...more]);
}

/** The fleet is rounded up to a power of two: thresholds depend on it, and should not move with every community that joins. */
function watchOptions(settings: GateSettings, communities: number): WatchOptions {
  return {
    p0: { indefensible: indefensibleLimit(settings), ambiguous: settings.ai },
    fleet: 2 ** Math.ceil(Math.log2(Math.max(8, communities))),
    delta: settings.delta,
  };
}

function usable(stored: StoredWatch | null, { by, variable }: GateSettings): StoredWatch | null {
  return stored && stored.variable === variable && JSON.stringify(stored.by) === JSON.stringify(by) ? stored : null;
}

/**
 * A state to go on with. A larger fleet only moves thresholds. Other limits make what was summed up meaningless: it starts at zero, and
 * only suspensions stay. A community that the gate has suspended and the watch does not know is taken as suspended.
 */
function continued(state: WatchState | null, options: WatchOptions, suspended: readonly string[]): WatchState {
  const { settings } = planWatch(options);
  const same = state && JSON.stringify({ ...state.settings, fleet: settings.fleet }) === JSON.stringify(settings);
  const zeros = () => ({ n: 0, indefensible: 0, ambiguous: 0 });
  const cleared = () => ({ ...zeros(), m: Array(2 * settings.odds_ratios.length).fill(0), cusum: [0, 0] });
  const keys = (state?.keys ?? []).map((key) =>
    same ? key : { ...key, ...cleared(), suspended: key.suspended && { ...key.suspended, since: zeros() } },
  );
  const known = new Set(keys.filter((key) => key.suspended).map((key) => key.key));
  for (const key of suspended) {
    if (known.has(key)) continue;
    const alarm = { type: "suspended", key, at: null, row: 0, which: "indefensible", detector: "e_detector" } as const;
    const unknown = { ...alarm, statistic: 0, threshold: 0, version: "", since: zeros() };
    keys.push({ key, version: "", resets: 0, ...cleared(), suspended: unknown });
  }
  const one = new Map(keys.map((key) => [key.key, key]));
  return { format: 1, settings, rows: state?.rows ?? 0, keys: [...one.values()] };
}

/** Finished runs, oldest first: those named, or all that were audited as the gate's own was. */
async function runsToWatch(ledger: FileLedger, report: GateReport, named: readonly string[] | undefined) {
  const all = (await ledger.list()).reverse();
  const { auditor, template, tier, signal } = report.evidence;
  const like = (run: Manifest) =>
    run.auditor === auditor && run.template === template && run.tier === tier && run.signal === signal;
  const wanted = all.filter((run) => (named ? named.includes(run.run_id) : like(run)));
  return {
    finished: wanted.filter((run) => run.status === "sealed"),
    open: wanted.filter((run) => run.status !== "sealed").map((run) => run.run_id),
  };
}

/** Number of the epoch of each run: another auditor version or prompt begins a new one. */
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
