import type { DefensibleError } from "../../core/errors.js";

/** Ends a run before its end. The audit in whose name it is thrown is left undone, not recorded as an error. */
export class RunHalted extends Error {
  /** @param reason why no call can succeed; null: somebody asked to stop. */
  constructor(readonly reason: DefensibleError | null) {
    super(reason?.message ?? "stopped");
    this.name = "RunHalted";
  }
}

/** The work's result, or the end of the run as soon as somebody asks to stop; the work itself is left to its fate. */
export function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onStop = () => reject(new RunHalted(null));
    if (stop.aborted) onStop();
    else stop.addEventListener("abort", onStop, { once: true });
    work.then(resolve, reject).finally(() => stop.removeEventListener("abort", onStop));
  });
}
