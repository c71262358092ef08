import type { HeldOut } from "../../analysis/audit-cells.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { countGateCohorts, type ThreadsAt } from "../../analysis/gate/counts.js";
import type { Config, GateConfig } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import {
  GATE_KEYS,
  type Gate,
  type GateHarm,
  type GateKey,
  type GateMode,
  type GateVariable,
} from "../../core/gate.js";
import { type Actions, actionChoice, actionNames, isAction } from "../../core/records/actions.js";
import type { GateAdjustment } from "../../measures/gate/adjustment.js";
import { DEFAULT_DELTA } from "../../measures/gate/certified-gate.js";
import { DEFAULT_THREAD_CAP, type GateLimits, STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";
import { greatestHarm, weightOf } from "../../measures/gate/harm.js";
import { DEFAULT_Q, type PassOptions, passGate } from "../../measures/gate/pass-gate.js";
import { DEFAULT_REVIEW_SHARE } from "../../measures/gate/route/reasons.js";
import type { ReportPage } from "../../measures/report-page.js";
import type { Context } from "../../store/context.js";
import { type KnownRule, knownRules } from "../report/build-report.js";

/** Settings that can be chosen per gate; each takes precedence over the workspace's configuration. */
export interface GateChoices {
  mode?: GateMode;
  di?: number;
  ai?: number;
  min?: number;
  variable?: GateVariable;
  by?: GateKey[];
  adjust?: GateAdjustment;
  delta?: number;
  q?: number;
  risk?: number;
  harm?: number;
  judgeError?: boolean;
  threadCap?: number;
  window?: number;
  since?: string;
}

/** Precedence: choices, the workspace's configuration, the paper's Standard scenario. */
export function gateSettings(flags: GateChoices, config: GateConfig = {}): GateSettings {
  const di = flags.di ?? config.di ?? STANDARD_LIMITS.di;
  return {
    mode: flags.mode ?? config.mode ?? "shrunk",
    di,
    ai: flags.ai ?? config.ai ?? STANDARD_LIMITS.ai,
    min_decisions: flags.min ?? config.min_decisions ?? STANDARD_LIMITS.min_decisions,
    variable: flags.variable ?? config.variable ?? STANDARD_LIMITS.variable,
    by: flags.by ?? inOrder(config.by ?? ["community"]),
    adjust: flags.adjust ?? "holm",
    delta: flags.delta ?? config.delta ?? DEFAULT_DELTA,
    q: flags.q ?? config.q ?? DEFAULT_Q,
    risk: flags.risk ?? config.risk ?? Math.round((1 - di) * 1e12) / 1e12,
    judge_error: flags.judgeError ?? false,
    review_share: config.review_share ?? DEFAULT_REVIEW_SHARE,
    thread_cap: flags.threadCap ?? config.thread_cap ?? DEFAULT_THREAD_CAP,
    ...harmSetting(flags.harm ?? config.harm),
    ...spanSettings(flags, config),
  };
}

function harmSetting(harm: number | undefined): Pick<GateSettings, "harm"> {
  return harm === undefined ? {} : { harm };
}

/** A choice replaces both configured settings: a gate has a window, a start or neither. */
function spanSettings(flags: GateChoices, config: GateConfig): Pick<GateSettings, "window_days" | "since"> {
  const given = flags.window !== undefined || flags.since !== undefined;
  const [window_days, since] = given ? [flags.window, flags.since] : [config.window_days, config.since];
  return { ...(window_days !== undefined ? { window_days } : {}), ...(since !== undefined ? { since } : {}) };
}

/** A configuration with a period starts at the calendar period's beginning: the decisions of each period are tested separately. */
export function inPeriod(config: GateConfig | undefined, now: string): GateConfig | undefined {
  const { period, window_days, since } = config ?? {};
  if (period === undefined || window_days !== undefined || since !== undefined) return config;
  return { ...config, since: periodStart(period, now) };
}

function periodStart(period: NonNullable<GateConfig["period"]>, now: string): string {
  const at = new Date(now);
  const month = { month: at.getUTCMonth(), quarter: at.getUTCMonth() - (at.getUTCMonth() % 3), year: 0 }[period];
  return new Date(Date.UTC(at.getUTCFullYear(), month, 1)).toISOString();
}

/** The settings of the active gate as a configuration, because a watch keeps to them. */
export function settingsInForce(gate: Gate): GateConfig {
  const { mode, thresholds, variable, by, delta, q, risk, review_share, thread_cap } = gate;
  const { window_days, since } = gate.span ?? {};
  return {
    mode,
    ...thresholds,
    variable,
    by,
    delta,
    q,
    risk,
    review_share,
    thread_cap,
    ...(window_days ? { window_days } : {}),
    ...(since ? { since } : {}),
  };
}

/** Sorts the keys, so that the same cohorts always get the same names. */
export function inOrder(keys: readonly string[]): GateKey[] {
  return GATE_KEYS.filter((key) => keys.includes(key));
}

/**
 * Settings that differ from what the workspace's configuration would give; with any of them a gate is a dry run. If the configuration names
 * no mode, any mode may be chosen except `paper`, which guarantees nothing.
 */
export function otherSettings(settings: GateSettings, config: GateConfig = {}): (keyof GateSettings)[] {
  const configured = gateSettings(config.mode || settings.mode === "paper" ? {} : { mode: settings.mode }, config);
  // The risk follows the DI limit unless it is set.
  if (config.risk === undefined && settings.risk === gateSettings({ di: settings.di }, config).risk) {
    configured.risk = settings.risk;
  }
  return COMPARED.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(configured[name]));
}

/** All settings except the share of random reviews, which does not affect any state. */
const COMPARED = [
  "mode",
  "di",
  "ai",
  "min_decisions",
  "variable",
  "by",
  "adjust",
  "delta",
  "q",
  "risk",
  "harm",
  "judge_error",
  "thread_cap",
  "window_days",
  "since",
] as const satisfies (keyof GateSettings)[];

/** Settings of a gate for these audits: the active gate's if it rests on them, else the configuration's. `config` null: there is no workspace. */
export function startGate(
  gate: Gate | undefined,
  config: Pick<Config, "gate"> | null,
  harm: GateHarm | null = null,
): Omit<ReportPage["gate_input"], "cohorts"> {
  const base = gate ? settingsInForce(gate) : config?.gate;
  const { di, ai, min_decisions, variable, mode, q, delta, by, thread_cap } = gateSettings({}, base);
  return {
    by,
    mode,
    limits: { di, ai, min_decisions, variable, ...(harm ? { harm_limit: { limit: harm.limit, max: harm.max } } : {}) },
    q,
    delta,
    adjust: (gate?.adjust as GateAdjustment | undefined) ?? "holm",
    // A file has no history of looks; a workspace's gate is looked at repeatedly.
    look: gate?.look ?? (config ? "anytime" : "once"),
    thread_cap,
    as_of: gate?.created_at ?? null,
    // The labels used by the gate, not today's: the page shows the active gate.
    ...(gate?.label_counts ? { label_counts: gate.label_counts } : {}),
  };
}

/** Half of the decisions choose, the other half certifies. Fixed, because a seed open to trial would be chosen by its result. */
const HELD_OUT = { seed: 1, share: 0.5 };

/** Cohorts chosen on one part of the decisions, so that the other part gives an independent estimate. */
export interface ChosenCommunities {
  /** Share of the decisions that is held out; the seed of the hash determines which. */
  share: number;
  seed: number;
  /** Whole threads are held out. */
  by_thread: boolean;
  /** Decisions that a cohort needs in the part it is chosen on: the gate's minimum times that part's share. */
  min_decisions: number;
  keys: ReadonlySet<string>;
  heldOut: HeldOut;
}

/**
 * The cohorts that pass on the part of the decisions that is not held out, in the same mode and with the same limits. Human labels are not used,
 * because they cover all decisions.
 */
export async function chooseCommunities(
  table: AuditTable,
  options: Pick<PassOptions, "mode" | "q" | "delta" | "adjust" | "threadCap"> & {
    by: readonly GateKey[];
    limits: GateLimits;
    threads: ThreadsAt | null;
    harm: GateHarm | null;
  },
): Promise<ChosenCommunities> {
  const { by, limits, threads, mode, q, delta, adjust, threadCap } = options;
  const heldOut = { ...HELD_OUT, threads: threads !== null };
  const rest = { ...heldOut, side: "out" as const };
  const cohorts = await countGateCohorts(table, { by, heldOut: rest, threads, harm: options.harm });
  const min_decisions = Math.ceil(limits.min_decisions * (1 - HELD_OUT.share));
  const passes = passGate(cohorts, { ...limits, min_decisions }, { mode, q, delta, adjust, threadCap, look: "once" });
  const keys = new Set(cohorts.filter((_, i) => passes[i]).map(({ key }) => key));
  return { ...HELD_OUT, by_thread: threads !== null, min_decisions, keys, heldOut };
}

/** Beyond this, products and sums of weights would lose digits or overflow. */
const MOST_HARM = 1e100;

/** A limit of expected harm with its weights. */
export function gateHarm(
  limit: number,
  actions: Actions,
  weights: Readonly<Record<string, number>>,
  rules: readonly KnownRule[],
): GateHarm {
  const unknown = Object.keys(weights).find((name) => !isAction(actions, name));
  if (unknown !== undefined) {
    throw new InputError(
      "bad_harm",
      `harm.actions: got "${unknown}", expected ${actionChoice(actions)}`,
      "Name the workspace's own actions under `harm` in defensible.yaml.",
    );
  }
  const weighted = rules.flatMap(({ scope, community, rule_id, harm }) =>
    harm === undefined || harm === 1 ? [] : [{ scope, community, rule_id, harm }],
  );
  const names = actionNames(actions);
  if (names.every((name) => weightOf(weights, name) === 0)) {
    throw new InputError(
      "bad_harm",
      "harm.actions: every action has weight 0, so nothing could do harm",
      "Give at least one action a weight above 0.",
    );
  }
  const greatest = Math.max(0, ...names.map((name) => weightOf(weights, name)), ...weighted.map(({ harm }) => harm));
  if (greatest > MOST_HARM) {
    throw new InputError(
      "bad_harm",
      `harm: got a weight of ${greatest}, expected at most ${MOST_HARM}`,
      "Choose a larger unit: only the ratios of weights and limit matter.",
    );
  }
  return { limit, max: greatestHarm(names, weights, weighted), actions: { ...weights }, rules: weighted };
}

/** The harm limit shown in a report: the active gate's, else the workspace's; null: harm is not limited. */
export async function harmInForce(
  gate: Gate | undefined,
  context: Pick<Context, "config" | "records"> | null,
  actions: Actions,
): Promise<GateHarm | null> {
  if (gate) return gate.harm ?? null;
  const limit = context?.config.gate?.harm;
  if (!context || limit === undefined) return null;
  return gateHarm(limit, actions, context.config.harm?.actions ?? {}, await knownRules(context.records));
}
