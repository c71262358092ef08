import type { Evidence, GateMode, GateState } from "../../core/gate.js";
import type { GateEvent } from "./gate-event.js";

/** A look at the gate, as the history keeps it: what it rested on, what it said of whom, and whether it came into force. */
export interface RecordedLook extends GateEvent {
  type: "gate";
  gate_id: string;
  in_force: boolean;
  /** It was put in force with --apply. */
  applied?: boolean;
  mode: GateMode;
  /** Everything that decides what a gate says of given audits. */
  settings: Record<string, unknown>;
  evidence: Evidence;
  /** Hash of the counts the gate was computed from. */
  data: string;
  /** How certified mode was tested. */
  look: string;
  /** State by cohort, and the cohorts that pass in the gate's mode. */
  states: Record<string, GateState>;
  passing: string[];
}

export async function readLooks(history: AsyncIterable<GateEvent>): Promise<RecordedLook[]> {
  const looks: RecordedLook[] = [];
  for await (const event of history) if (event.type === "gate") looks.push(event as RecordedLook);
  return looks;
}

/**
 * How many other data of the same auditor and prompt were looked at before: each was a chance to be certified by luck, so that tests made for
 * one look no longer keep their promise. Looking again at the same counts is no further chance.
 */
export function otherLooks(looks: readonly RecordedLook[], evidence: Evidence, data: string): number {
  const same = (look: RecordedLook) =>
    look.evidence.auditor === evidence.auditor &&
    look.evidence.auditor_version === evidence.auditor_version &&
    look.evidence.prompt_version === evidence.prompt_version;
  return new Set(looks.filter((look) => look.data !== data && same(look)).map((look) => look.data)).size;
}

/** Whether the last look said the same of the same data: then there is nothing to write down. */
export function isRepeated(looks: readonly RecordedLook[], look: RecordedLook): boolean {
  const last = looks.at(-1);
  const told = ({ data, settings, in_force, applied, look: kind, states, passing }: RecordedLook) =>
    JSON.stringify([data, settings, in_force, applied ?? false, kind, states, passing]);
  return last !== undefined && told(last) === told(look);
}
