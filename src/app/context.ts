import type { Workspace } from "../store/files/workspace.js";

/** What a use case works with. Time comes from here, so that a use case gives the same result when it is repeated. */
export interface AppContext {
  workspace: Workspace;
  now: () => Date;
}
