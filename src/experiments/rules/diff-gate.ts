import type { AuditTable } from "../../analysis/audit-table.js";
import { openAuditTable } from "../../analysis/audit-table.js";
import { countGateCohorts, decidedSpan, hasThreads, threadsAt } from "../../analysis/gate/counts.js";
import { gateSettings } from "../../app/gate/gate-settings.js";
import { GATE_MODES } from "../../core/names.js";
import type { Manifest } from "../../core/records/manifest.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import type { CommunityEvaluation, GateEvaluation } from "../../measures/gate/gate-evaluation.js";
import type { GateCohort } from "../../measures/gate/gate-input.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";
import { ordinaryRuns } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { GateChange, GateSide } from "./diff/result.js";

const WEEK_MS = 7 * 86_400_000;

type Span = { from: number; to: number } | null;

/** The communities that were not compared, as the newest run like this one found them. */
interface Fleet {
  run_id: string;
  cohorts: GateCohort[];
  span: Span;
}

export interface GateSides {
  before: readonly GateCohort[];
  after: readonly GateCohort[];
  fleet: Pick<Fleet, "run_id" | "cohorts"> | null;
  weeks: number | null;
  settings: Pick<
    GateSettings,
    "mode" | "di" | "ai" | "min_decisions" | "variable" | "q" | "delta" | "adjust" | "thread_cap"
  >;
}

/** Which communities pass the gate with the counts of either side, the others as they are: the gate itself, evaluated twice. */
export function gateChange({ before, after, fleet, weeks, settings }: GateSides): GateChange {
  const { mode, di, ai, min_decisions, variable, q, delta, adjust, thread_cap: threadCap } = settings;
  const compared = new Set([...before, ...after].map(({ key }) => key));
  const others = (fleet?.cohorts ?? []).filter(({ key }) => !compared.has(key));
  const limits = { di, ai, min_decisions, variable };
  const gate = (side: readonly GateCohort[]) =>
    evaluateGate([...others, ...side], { limits, mode, q, delta, adjust, threadCap, frontier: false });
  const [old, now] = [gate(before), gate(after)];
  const found = (evaluation: GateEvaluation, key: string) =>
    evaluation.communities.find(({ community }) => community === key);
  return {
    mode,
    thresholds: { di, ai, min_decisions },
    variable,
    fleet: others.length > 0 ? { run_id: fleet!.run_id } : null,
    communities: old.communities.length,
    decisions: old.fleet.counts.decisions,
    weeks,
    by_mode: byMode((one) => ({ before: sideOf(old, one), after: sideOf(now, one) })),
    compared: [...compared].sort().flatMap((community) => {
      const [a, b] = [found(old, community), found(now, community)];
      return a && b ? [{ community, before: communityOf(a), after: communityOf(b) }] : [];
    }),
  };
}

function byMode<T>(of: (mode: (typeof GATE_MODES)[number]) => T): Record<(typeof GATE_MODES)[number], T> {
  return Object.fromEntries(GATE_MODES.map((mode) => [mode, of(mode)])) as Record<(typeof GATE_MODES)[number], T>;
}

function sideOf({ by_mode }: GateEvaluation, mode: (typeof GATE_MODES)[number]): GateSide {
  const { passing_communities, automated_decisions, automated_indefensible } = by_mode[mode].counts;
  return { passing: passing_communities, decisions: automated_decisions, indefensible: automated_indefensible };
}

function communityOf(one: CommunityEvaluation): GateChange["compared"][number]["before"] {
  const { n, indefensible, inverse_yes, passes } = one;
  return {
    n,
    indefensible,
    inverse_yes,
    passes: { ...passes },
    more_decisions_needed: byMode((mode) => one[mode].more),
  };
}

/**
 * The same from audits of two arms. The others come from the newest finished run that was audited the same way; its signal may be another, since
 * the gate reads verdicts alone.
 */
export async function diffGate(
  table: AuditTable,
  [before, after]: readonly [string, string],
  { context, manifest }: { context: Context | null; manifest: Manifest | null },
): Promise<GateChange | null> {
  const settings = gateSettings({}, context?.config.gate);
  if (settings.by.join() !== "community") return null;
  const fleet = context && manifest ? await fleetLike(context, manifest) : null;
  const count = (arm: string) => cohortsOf(table, arm);
  const sides = { before: await count(before), after: await count(after) };
  const spans = [await decidedSpan(table, before), fleet?.span ?? null];
  return gateChange({ ...sides, fleet, weeks: weeksOf(spans), settings });
}

async function cohortsOf(table: AuditTable, arm?: string): Promise<GateCohort[]> {
  const threads = (await hasThreads(table, arm)) ? threadsAt(null) : null;
  return countGateCohorts(table, { by: ["community"], threads, ...(arm === undefined ? {} : { arm }) });
}

async function fleetLike({ runs }: Context, like: Manifest): Promise<Fleet | null> {
  const identity = ({ auditor, auditor_version, prompt_version, template, tier }: Manifest) =>
    JSON.stringify([auditor, auditor_version, prompt_version, template, tier]);
  const run = (await ordinaryRuns(runs)).find((one) => one.status === "sealed" && identity(one) === identity(like));
  if (!run) return null;
  const source = await runs.snapshot(run.run_id);
  const also = ["thread_id", "decided_at"] as const;
  return withDuckDB(
    async (db) => {
      const table = await openAuditTable(db, source, { actions: run.actions, also });
      return { run_id: run.run_id, cohorts: await cohortsOf(table), span: await decidedSpan(table) };
    },
    { ordered: false },
  );
}

/** Time from the first decision to the last; too short a time says nothing of a week. */
function weeksOf(spans: readonly Span[]): number | null {
  const known = spans.filter((span) => span !== null);
  if (known.length === 0) return null;
  const weeks = (Math.max(...known.map(({ to }) => to)) - Math.min(...known.map(({ from }) => from))) / WEEK_MS;
  return weeks >= 1 ? weeks : null;
}
