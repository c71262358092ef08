import { listArms } from "../../analysis/arm-pairs.js";
import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { countGateCohorts, decidedSpan, hasThreads, threadsAt } from "../../analysis/gate/counts.js";
import type { Selection } from "../../app/audit/audit-request.js";
import type { AuditsPlace } from "../../app/find-audits.js";
import { gateSettings } from "../../app/gate/gate-settings.js";
import type { Arm } from "../../audit/arms.js";
import { GATE_MODES } from "../../core/names.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { RuleSet, Tier } from "../../core/records/rule-set.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import type { CommunityEvaluation, GateEvaluation } from "../../measures/gate/gate-evaluation.js";
import type { GateCohort } from "../../measures/gate/gate-input.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";
import { ordinaryRuns } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { type LeftOut, readSide } from "../../store/files/rule-files.js";
import type { FileContext } from "../../store/files/stores.js";
import {
  type AuditsFrom,
  armSource,
  type ExperimentAudits,
  experimentAudits,
  type Kept,
  keepResult,
  refusal,
  withArmTable,
} from "../audits.js";
import { KnownRules } from "./compare-arms.js";
import type { DiffChanges, GateChange, GateSide, RulesDiff } from "./diff/result.js";
import { buildDiff, DIFF_ARMS, type DiffLimits, type DiffParts, ownSide } from "./diff-checks.js";
import { diffEffect } from "./diff-effect.js";
import { planDiff } from "./plan-diff.js";

/** What is compared: files or folders (`old` null: the kept rules and precedents), or audits with and without precedents. */
export type DiffComparison = { old: string | null; new: string } | "precedents_off";

export interface DiffRequest {
  /** null: audits of a file. */
  context: FileContext | null;
  from: AuditsFrom;
  /** null: whatever the audits were made for, as far as it is known. */
  compared: DiffComparison | null;
  tier: Tier | undefined;
  /** If audits are made: the decisions to select from. */
  selection: Selection;
  limits: DiffLimits;
  /** Fewest decisions for a rule's figures. */
  minDecisions: number;
  /** Most decisions listed of each kind. */
  listed: number;
  /** Called before anything is audited, with the differences and with the passages of pages that belong to no rule. */
  found?: (changes: DiffChanges | null, left: readonly LeftOut[]) => void;
}

interface DiffSubject {
  what: RulesDiff["what"] | null;
  old: string;
  new: string;
  tier: string | null;
  changes: DiffChanges | null;
  /** null: the auditor reads nothing that differs. */
  arms: [Arm, Arm] | null;
  /** Rules that give citations their titles. */
  sets: readonly RuleSet[];
  left?: readonly LeftOut[];
}

/** The effect of a rewrite on past decisions; null: there is nothing to analyse. Nothing is audited if no decision could come out differently. */
export async function runDiff(request: DiffRequest): Promise<Kept<RulesDiff> | null> {
  const { context, from, compared, limits, minDecisions, listed } = request;
  const named = compared && context ? await subjectOf(context, compared, request.tier) : null;
  request.found?.(named?.changes ?? null, named?.left ?? []);
  if (named && "make" in from && (named.arms === null || (await nothingFalls(context!, named)))) {
    return { result: resultOf(named, { effect: null, gate: null }, limits), kept: null };
  }
  const wanted = named && "make" in from ? auditsOf(named, request.selection) : { kind: "diff" as const, arms: [] };
  const place = await experimentAudits(context, from, wanted);
  if (!place) return null;
  const subject = named ?? (await keptSubject(context, place));
  const found = await withArmTable(place, async (table) => {
    const there = new Set((await listArms(table)).map(({ arm }) => arm));
    const arms = DIFF_ARMS.find(([, old, now]) => there.has(old) && there.has(now)) ?? DIFF_ARMS[0];
    subject.what ??= arms[0];
    const sides = [arms[1], arms[2]] as const;
    const effect = await diffEffect(table, {
      source: armSource(place),
      arms: sides,
      changes: subject.changes,
      known: new KnownRules(subject.sets),
      minDecisions,
      listed,
    });
    return { effect, gate: await diffGate(table, sides, { context, manifest: place.manifest ?? null }) };
  });
  return keepResult(place.manifest && context, resultOf(subject, found, limits));
}

function resultOf(
  { what, old, new: now, tier, changes }: DiffSubject,
  found: Pick<DiffParts, "effect" | "gate">,
  limits: DiffLimits,
): RulesDiff {
  return buildDiff({ what: what ?? "rules", old, new: now, tier, changes, ...found, limits });
}

async function subjectOf(
  context: FileContext,
  compared: DiffComparison,
  tier: Tier = context.config.tier,
): Promise<DiffSubject> {
  const { workspace } = context;
  const rules = (await context.records.rules()).map(({ set }) => set);
  if (compared === "precedents_off") {
    const arms: [Arm, Arm] = [
      { name: "precedents=on", draws: "" },
      { name: "precedents=off", draws: "", precedents: false },
    ];
    return { what: compared, old: "with precedents", new: "without", tier, changes: null, arms, sets: rules };
  }
  const now = await readSide(compared.new, workspace);
  const old = compared.old === null ? await ownSide(context, now) : await readSide(compared.old, workspace);
  const plan = planDiff({ old, new: now, rules, tier, oneSided: compared.old === null });
  const sets = [...rules, ...(old.sets ?? []), ...(now.sets ?? [])];
  return { ...plan, old: old.name, new: now.name, tier, sets, left: [...(old.left ?? []), ...(now.left ?? [])] };
}

/** What was compared, from the kept result of a run; without one only the audits are known. */
async function keptSubject(context: FileContext | null, { manifest }: AuditsPlace): Promise<DiffSubject> {
  const sets = context ? (await context.records.rules()).map(({ set }) => set) : [];
  const tier = manifest?.tier ?? null;
  const unknown = { what: null, old: "old", new: "new", tier, changes: null, arms: null, sets };
  if (!context || !manifest) return unknown;
  const kept = await context.experiments.read("diff");
  if (!kept?.runs.includes(manifest.run_id)) return unknown;
  return { ...unknown, what: kept.what, old: kept.old, new: kept.new, changes: kept.changes };
}

/** Whether no past decision is of a community that differs, for example if the new rules are those of a new community. */
async function nothingFalls({ records }: FileContext, { changes }: DiffSubject): Promise<boolean> {
  const differing = changes?.communities;
  if (!differing) return false;
  let some = false;
  for await (const batch of records.decisions()) {
    if (batch.some(({ community }) => differing.includes(community))) return false;
    some ||= batch.length > 0;
  }
  return some;
}

/** The audits that a comparison needs; null: the auditor reads nothing that differs. */
export async function diffAudits(
  context: FileContext,
  compared: DiffComparison,
  { tier, selection }: Pick<DiffRequest, "tier" | "selection">,
): Promise<ExperimentAudits | null> {
  const subject = await subjectOf(context, compared, tier);
  return subject.arms && auditsOf(subject, selection);
}

function auditsOf(subject: DiffSubject, selection: Selection): ExperimentAudits {
  return { kind: "diff", arms: subject.arms!, selection: within(selection, subject) };
}

/** Selects only communities whose rules or precedents differ: in the others nothing could come out differently. */
function within(selection: Selection, { changes }: DiffSubject): Selection {
  const differing = changes?.communities;
  if (!differing) return selection;
  const asked = selection.communities;
  const communities = asked ? differing.filter((name) => asked.includes(name)) : differing;
  if (communities.length > 0) return { ...selection, communities };
  throw refusal({ code: "nothing_differs_there", asked: asked!, differing });
}

const WEEK_MS = 7 * 86_400_000;

type Span = { from: number; to: number } | null;

/** The communities that were not compared, as in the newest comparable run. */
interface Fleet {
  run_id: string;
  cohorts: GateCohort[];
  span: Span;
}

interface GateSides {
  before: readonly GateCohort[];
  after: readonly GateCohort[];
  fleet: Pick<Fleet, "run_id" | "cohorts"> | null;
  weeks: number | null;
  settings: Pick<
    GateSettings,
    "mode" | "di" | "ai" | "min_decisions" | "variable" | "q" | "delta" | "adjust" | "thread_cap"
  >;
}

/** Which communities pass the gate with the counts of either side, the others unchanged: the gate itself, evaluated twice. */
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
 * The same from audits of two arms. The other communities come from the newest finished run that was audited the same way; its signal may
 * differ, since the gate reads only verdicts.
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

/** Weeks from the first decision to the last; null if too short for a weekly rate. */
function weeksOf(spans: readonly Span[]): number | null {
  const known = spans.filter((span) => span !== null);
  if (known.length === 0) return null;
  const weeks = (Math.max(...known.map(({ to }) => to)) - Math.min(...known.map(({ from }) => from))) / WEEK_MS;
  return weeks >= 1 ? weeks : null;
}
