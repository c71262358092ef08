import type { GateStore } from "../../store/ports.js";
import type { GateEvent } from "../../store/records/gate-event.js";

/** Who changes a gate, and why. */
export interface Actor {
  actor: string;
  reason?: string | undefined;
}

/** The same gate, whose history says who did what through it. The reason is that of activations and openings; other events have their own. */
export function actingGate<Store extends GateStore>(store: Store, who: Actor): Store {
  const { actor, reason } = who;
  const signed = (event: GateEvent): GateEvent => ({
    ...event,
    actor,
    ...(event.type === "gate" && event.in_force === true && reason ? { reason } : {}),
  });
  const own: Pick<GateStore, "withGateLock" | "record" | "close" | "open"> = {
    withGateLock: (work) => store.withGateLock((inside) => work(actingGate(inside, who))),
    record: (events) => store.record(events.map(signed)),
    close: (closure) => store.close(closure, actor),
    open: (at) => store.open(at, who),
  };
  return Object.assign(Object.create(store) as Store, own);
}
