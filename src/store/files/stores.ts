import type { Stores } from "../context.js";
import { openResponseCache } from "./response-cache.js";
import { FileLedger } from "./run-store.js";
import type { Workspace } from "./workspace.js";

/** What a workspace keeps, as files in its folder. */
export function fileStores({ paths }: Workspace): Stores {
  return {
    runs: new FileLedger(paths.runs),
    openCache: (tell) => openResponseCache(paths.cache, tell),
  };
}
