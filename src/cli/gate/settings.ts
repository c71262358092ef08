import { InvalidArgumentError } from "commander";
import { inOrder, otherSettings } from "../../app/gate/gate-settings.js";
import { GATE_KEYS, type GateKey } from "../../core/gate.js";
import { SETTING_FLAGS } from "../../present/gate/gate-words.js";

/** Flags that make the result another than the workspace's configuration would. */
export function departures(...compared: Parameters<typeof otherSettings>): string[] {
  return otherSettings(...compared).map((name) => SETTING_FLAGS[name]!);
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
