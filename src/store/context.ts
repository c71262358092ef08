import type { ResponseCache } from "../audit/calls/response-cache.js";
import type { RunStore } from "./ports.js";

/** Everything that is kept, by what it is. `files/stores.ts` keeps it in a workspace, `memory/stores.ts` in memory. */
export interface Stores {
  runs: RunStore;
  /** The answers of models that were kept; `tell` gets what goes wrong with keeping them. */
  openCache(tell?: (message: string) => void): ResponseCache;
}
