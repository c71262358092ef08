import { CallError } from "../call-error.js";

/** One at a time, in the order of their coming. Who is called off while waiting leaves at once. */
export class TurnQueue {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    let started = false;
    const turn = this.last.then(() => {
      if (signal?.aborted) throw calledOff();
      started = true;
      return work();
    });
    this.last = turn.catch(() => {});
    if (!signal) return turn;
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        if (!started) reject(calledOff());
      };
      signal.addEventListener("abort", leave, { once: true });
      turn.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }
}

function calledOff(): CallError {
  return new CallError("aborted", "call: ended while it waited for the model");
}
