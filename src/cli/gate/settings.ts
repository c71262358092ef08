import { InvalidArgumentError } from "commander";
import { gateSettings, inOrder } from "../../app/gate/gate-settings.js";
import type { GateConfig } from "../../core/config.js";
import { GATE_KEYS, type GateKey } from "../../core/gate.js";
import type { GateSettings } from "../../measures/gate/gate-report.js";

const FLAG_NAMES: Partial<Record<keyof GateSettings, string>> = {
  mode: "--mode",
  di: "--di",
  ai: "--ai",
  min_decisions: "--min",
  variable: "--variable",
  by: "--by",
  adjust: "--adjust",
  delta: "--delta",
  q: "--q",
  risk: "--risk",
  judge_error: "--judge-error",
  thread_cap: "--thread-cap",
  window_days: "--window",
  since: "--since",
};

/**
 * Flags that make the result another than the workspace's configuration would: with any of them a gate is a what-if. A workspace that
 * does not name its mode leaves it to the flag, except for the mode that promises nothing.
 */
export function departures(settings: GateSettings, config: GateConfig = {}): string[] {
  const configured = gateSettings(config.mode || settings.mode === "paper" ? {} : { mode: settings.mode }, config);
  // The risk follows the DI limit unless somebody says otherwise.
  if (config.risk === undefined && settings.risk === gateSettings({ di: settings.di }, config).risk) {
    configured.risk = settings.risk;
  }
  return (Object.keys(FLAG_NAMES) as (keyof GateSettings)[])
    .filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(configured[name]))
    .map((name) => FLAG_NAMES[name]!);
}

/** `community,decision`. */
export function gateKeys(text: string): GateKey[] {
  const keys = text.split(",").map((part) => part.trim());
  const unknown = keys.filter((key) => !(GATE_KEYS as readonly string[]).includes(key));
  if (unknown.length > 0 || new Set(keys).size < keys.length) {
    throw new InvalidArgumentError(`expected one or more of ${GATE_KEYS.join(", ")}, each once.`);
  }
  return inOrder(keys);
}
