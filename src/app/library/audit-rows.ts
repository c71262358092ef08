import { RunHalted } from "../../audit/calls/run-halted.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Asking, AskLimits, Desk } from "./desk.js";

/**
 * Audits decisions as they come, as many at a time as the server bears, and gives each audit when it is ready. Nothing is kept. Where no call can
 * succeed (a wrong key, the cost limit), what is under way is given first, then the reason is thrown. A consumer that leaves early stops it.
 */
export async function* auditRows(
  desk: Desk,
  decisions: AsyncIterable<Decision>,
  limits: AskLimits,
  closed: AbortSignal,
): AsyncGenerator<Audit> {
  const left = new AbortController();
  const stop = AbortSignal.any([closed, left.signal]);
  let asking: Asking | null = null;
  const inHand = new Set<Promise<void>>();
  const ready: Audit[] = [];
  let failure: unknown = null;
  try {
    for await (const decision of decisions) {
      asking ??= desk.ask(limits, stop, decision);
      const { audit } = asking;
      const work = audit(decision)
        .then((made) => void ready.push(made))
        .catch((cause) => {
          failure ??= cause;
        })
        .finally(() => inHand.delete(work));
      inHand.add(work);
      while (inHand.size >= asking.width && failure === null) {
        await Promise.race(inHand);
        while (ready.length > 0) yield ready.shift()!;
      }
      if (failure !== null) break;
    }
    while (inHand.size > 0) {
      await Promise.race(inHand);
      while (ready.length > 0) yield ready.shift()!;
    }
    while (ready.length > 0) yield ready.shift()!;
    if (failure !== null) throw told(failure);
  } finally {
    left.abort();
    await Promise.all(inHand);
    asking?.close();
  }
}

/** Why no call could succeed, instead of the signal that ends a run. */
export function told(cause: unknown): unknown {
  return cause instanceof RunHalted && cause.reason ? cause.reason : cause;
}
