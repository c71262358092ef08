import type { GateConfig } from "../../core/config.js";
import { GATE_KEYS, type Gate, type GateKey, type GateMode, type GateVariable } from "../../core/gate.js";
import type { GateAdjustment } from "../../measures/gate/adjustment.js";
import { DEFAULT_DELTA } from "../../measures/gate/certified-gate.js";
import { STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";
import { DEFAULT_REVIEW_SHARE } from "../../measures/gate/review-sample.js";
import { DEFAULT_Q } from "../../measures/gate/shrunk-gate.js";
import { DEFAULT_THREAD_CAP } from "../../measures/gate/thread-units.js";

/** What may be chosen for a gate; each goes before the workspace's configuration. */
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
  judgeError?: boolean;
  threadCap?: number;
  window?: number;
  since?: string;
}

/** Flags go before the workspace's configuration, and that before the paper's Standard scenario. */
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
    ...spanSettings(flags, config),
  };
}

/** A flag replaces both settings of the configuration: a gate has a window or a start, or neither. */
function spanSettings(flags: GateChoices, config: GateConfig): Pick<GateSettings, "window_days" | "since"> {
  const given = flags.window !== undefined || flags.since !== undefined;
  const [window_days, since] = given ? [flags.window, flags.since] : [config.window_days, config.since];
  return { ...(window_days !== undefined ? { window_days } : {}), ...(since !== undefined ? { since } : {}) };
}

/** What a gate was computed with, in the place of the configuration: a watch keeps to the gate in force. */
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

/** One order, so that the same cohorts have the same names. */
export function inOrder(keys: readonly string[]): GateKey[] {
  return GATE_KEYS.filter((key) => keys.includes(key));
}
