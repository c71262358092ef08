import type { DefensibleError } from "../../core/errors.js";

/** Ends a run before its end. The audit in whose name it is thrown is left undone, not recorded as an error. */
export class RunHalted extends Error {
  /** @param reason why no call can succeed; null: somebody asked to stop. */
  constructor(readonly reason: DefensibleError | null) {
    super(reason?.message ?? "stopped");
    this.name = "RunHalted";
  }
}
