import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Context } from "../../store/context.js";
import type { GateEvent } from "../../store/records/gate-event.js";
import { canonicalRecord } from "../../store/records/normalise.js";
import { ruleSetIdentity } from "../../store/records/parse-rule-set.js";
import { RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";

export interface Copied {
  decisions: number;
  rules: number;
  runs: number;
  audits: number;
  labels: number;
}

const all = () => true;

/**
 * Copies a workspace to another store: from files to a database, or back. Existing records are left as they are, so an interrupted copy is
 * completed by repeating it. Hashes of what audits read are not copied, because their key belongs to the store. Model answers are not copied either.
 * @param wanted decisions to copy, with their audits and labels
 */
export async function copyWorkspace(
  from: Context,
  to: Context,
  wanted: (decision: Pick<Decision, "id">) => boolean = all,
): Promise<Copied> {
  const copied: Copied = { decisions: 0, rules: 0, runs: 0, audits: 0, labels: 0 };
  const known = new Set((await to.records.rules()).map(({ set }) => ruleSetIdentity(set)));
  for (const { set } of await from.records.rules()) {
    if (known.has(ruleSetIdentity(set))) continue;
    await to.imports.addRules(set, null);
    copied.rules++;
  }
  await copyRecords(to, "precedents", from.records.precedents());
  copied.decisions = await copyRecords(to, "decisions", from.records.decisions(), wanted);
  copied.labels = await copyRecords(to, "labels", from.labels.labels(), ({ decision_id }) =>
    wanted({ id: decision_id }),
  );
  for await (const outcomes of from.routes.outcomes()) await to.routes.addOutcomes(outcomes);
  for (const cohort of await from.cohorts.list()) {
    if (!(await to.cohorts.find(cohort.name))) await to.cohorts.keep(cohort);
  }
  const calibrations = new Set((await to.calibrations.list()).map(({ calibration_id }) => calibration_id));
  for (const one of await from.calibrations.list()) {
    if (!calibrations.has(one.calibration_id)) await to.calibrations.keep(one);
  }
  const weights = await from.calibrations.weights();
  if (weights && !(await to.calibrations.weights())) await to.calibrations.keepWeights(JSON.parse(weights.text));
  for (const result of Object.values(await from.experiments.all())) await to.experiments.keep(result);
  const sheets = new Set(await to.sheets.list());
  for (const id of await from.sheets.list()) if (!sheets.has(id)) await to.sheets.keep(await from.sheets.key(id));
  await copyRuns(from, to, wanted, copied);
  await copyGate(from, to);
  return copied;
}

/** Copies records of one kind the way an import adds them: existing ones are looked up once. Returns the number of new ones. */
async function copyRecords<T extends object>(
  { imports, config }: Context,
  kind: RecordKind,
  all: AsyncIterable<readonly T[]>,
  wanted: (record: T) => boolean = () => true,
): Promise<number> {
  let accepted = 0;
  await imports.withImportLock(async () => {
    const sink = await imports.open(kind, false);
    try {
      for await (const records of all) {
        for (const record of records) {
          if (!wanted(record)) continue;
          const canonical = canonicalRecord(RECORD_KINDS[kind].fields, record, config.actions);
          if (sink.add(canonical) === "accepted") accepted += 1;
        }
        await sink.flush();
      }
    } finally {
      await sink.close();
    }
  });
  return accepted;
}

/** Copies the gate with its whole history, and the log of routes, to a store that has neither. */
async function copyGate(from: Context, to: Context): Promise<void> {
  if (!(await hasAny(to.routes.lines()))) {
    const log = to.routes.openLog();
    for await (const lines of from.routes.lines()) await log.append(`${lines.join("\n")}\n`);
    await log.close();
  }
  if ((await to.gate.active()) !== null || (await hasAny(to.gate.history()))) return;
  const events: GateEvent[] = [];
  for await (const event of from.gate.history()) events.push(event);
  const [active, standing, watch, closure] = [
    await from.gate.active(),
    await from.gate.standing(),
    await from.gate.watch(),
    await from.gate.closure(),
  ];
  await to.gate.withGateLock(async (gate) => {
    if (closure) await gate.close(closure);
    if (active) await gate.activate(active);
    if (standing) await gate.keepStanding(standing);
    if (watch) await gate.keepWatch(watch);
    if (events.length > 0) await gate.record(events);
  });
}

async function hasAny(all: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of all) return true;
  return false;
}

async function copyRuns(
  from: Context,
  to: Context,
  wanted: (decision: Pick<Decision, "id">) => boolean,
  copied: Copied,
): Promise<void> {
  const there = new Map((await to.runs.list()).map((run) => [run.run_id, run.status]));
  for (const manifest of (await from.runs.list()).reverse()) {
    const status = there.get(manifest.run_id);
    if (status === "sealed") continue;
    const open = { ...manifest, status: "open" as const, sealed_at: null };
    const writer = status === undefined ? await to.runs.create(open) : await to.runs.open(manifest.run_id);
    copied.runs++;
    try {
      for await (const audits of from.runs.audits(manifest.run_id)) {
        const chosen = audits.filter(({ decision_id }) => wanted({ id: decision_id })).map(unread);
        await writer.append(chosen);
        copied.audits += chosen.length;
      }
      if (manifest.status === "sealed") await writer.seal(manifest.sealed_at!);
    } finally {
      await writer.close();
    }
  }
}

/** Another store has another key, with which these hashes would say that every content had changed. */
function unread({ read: _, ...audit }: Audit): Audit {
  return audit as Audit;
}
