import { RunHalted } from "./run-halted.js";

/** The work's result, or the end of the run as soon as somebody asks to stop; the work itself is left to its fate. */
export function unlessStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onStop = () => reject(new RunHalted(null));
    if (stop.aborted) onStop();
    else stop.addEventListener("abort", onStop, { once: true });
    work.then(resolve, reject).finally(() => stop.removeEventListener("abort", onStop));
  });
}
