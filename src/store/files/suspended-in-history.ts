import type { GateCommunity } from "../../core/gate.js";
import { readGateHistory } from "./gate-event.js";
import type { Workspace } from "./workspace.js";

/** Who is suspended by what the history says: for the case that the gate in force is lost. A lost file must not open what an alarm closed. */
export async function suspendedInHistory(
  workspace: Workspace,
): Promise<Map<string, NonNullable<GateCommunity["suspended"]>>> {
  const suspended = new Map<string, NonNullable<GateCommunity["suspended"]>>();
  for await (const { type, at, community, reason, decision_time, by } of readGateHistory(workspace)) {
    if (typeof community !== "string") continue;
    if (type === "suspended") {
      const after = typeof decision_time === "string" ? decision_time : null;
      const alarm = { since: String(at), reason: String(reason ?? "an alarm"), after };
      suspended.set(community, by === "reviews" ? { ...alarm, by } : alarm);
    }
    if (type === "reinstated") suspended.delete(community);
  }
  return suspended;
}
