import { z } from "zod";
import { GATE_KEYS, GATE_VARIABLES } from "../domain/gate.js";
import type { WatchState } from "../gate/drift/watch-types.js";
import { writeFileAtomic } from "../ledger/files.js";
import { gatePaths, readJson } from "./gate-store.js";
import type { Workspace } from "./workspace.js";

/** `gate/watch.json`: how far the watch of a workspace has come, so that the next one goes on with new verdicts only. */
const storedWatchSchema = z.object({
  format: z.literal(1),
  by: z.array(z.enum(GATE_KEYS)),
  variable: z.enum(GATE_VARIABLES),
  /** Runs whose verdicts have been watched. */
  runs: z.array(z.string()),
  /** Communities that met the limits at some time: an alarm about another is no change. */
  met: z.array(z.string()),
  watch: z.custom<WatchState>((value) => typeof value === "object" && value !== null && "keys" in value),
});

export type StoredWatch = z.infer<typeof storedWatchSchema>;

export function readWatch(workspace: Workspace): StoredWatch | null {
  return readJson(gatePaths(workspace).watch, storedWatchSchema, "the state of a watch");
}

export function writeWatch(workspace: Workspace, watch: StoredWatch): void {
  writeFileAtomic(gatePaths(workspace).watch, `${JSON.stringify(watch)}\n`);
}
