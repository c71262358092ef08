import type { Stores } from "../context.js";
import { memoryCache } from "./response-cache.js";
import { MemoryRunStore } from "./run-store.js";

/** What is kept without a workspace: it is gone with the process, or with `close`. */
export function memoryStores(): Stores & { close(): void } {
  const runs = new MemoryRunStore();
  const answers = new Map<string, string>();
  return { runs, openCache: () => memoryCache(answers), close: () => runs.close() };
}
