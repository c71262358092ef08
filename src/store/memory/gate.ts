import type { GateStore } from "../ports.js";
import { type Closure, type GateInForce, sealed } from "../records/active-gate.js";
import type { GateEvent } from "../records/gate-event.js";
import { type GateStanding, standingAfter, withStanding } from "../records/suspensions.js";
import type { StoredWatch } from "../records/watch-record.js";
import { turns } from "./run-store.js";

/** The gate in memory. */
export function memoryGate(): GateStore {
  let active: GateInForce | null = null;
  let standing: GateStanding | null = null;
  let closure: Closure | null = null;
  let watch: StoredWatch | null = null;
  const history: GateEvent[] = [];
  const changes = { gate: 0, closure: 0 };
  const record = async (events: readonly GateEvent[]) => void history.push(...structuredClone(events));
  return {
    alone: turns(),
    active: async () => structuredClone(active && withStanding(active, standing)),
    async activate({ content_hash: _, signature: __, ...gate }) {
      changes.gate++;
      standing = structuredClone(standingAfter(gate));
      active = structuredClone(sealed(gate));
    },
    standing: async () => structuredClone(standing),
    keepStanding: async (next) => {
      changes.gate++;
      standing = structuredClone(next);
    },
    marks: () => ({ gate: String(changes.gate), closure: String(changes.closure) }),
    closure: async () => closure && { ...closure },
    async close(next) {
      changes.closure++;
      closure = { ...next };
      await record([{ type: "closed", at: next.since, reason: next.reason }]);
      return null;
    },
    async open(at) {
      await record([{ type: "opened", at }]);
      changes.closure++;
      closure = null;
    },
    watch: async () => structuredClone(watch),
    keepWatch: async (next) => {
      watch = structuredClone(next);
    },
    async *history() {
      for (const event of history) yield structuredClone(event);
    },
    record,
  };
}
