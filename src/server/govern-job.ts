import { governLive } from "../app/live/govern.js";
import { gateWords } from "../present/gate/gate-words.js";
import type { Task } from "../queue/queue.js";
import { workspaceNames } from "../store/postgres/live.js";
import { sealLive } from "../store/postgres/runs.js";
import type { Service } from "./service.js";

/** Jobs of the live gates. `gates` runs on a schedule and orders one `gate` for each workspace, so that one that fails keeps no other waiting. */
export function gateTasks(service: Service, say: (message: string) => void): Record<"gates" | "gate", Task> {
  return {
    gates: async () => {
      const workspaces = await workspaceNames(service.database);
      await service.queue.add(
        workspaces.map((workspace) => ({
          task: "gate",
          payload: { workspace },
          key: `gate ${workspace}`,
          attempts: 3,
        })),
      );
    },
    gate: async ({ workspace }: { workspace: string }) => {
      const context = await service.context(workspace);
      await sealLive(service.database, workspace, context.now());
      const { evaluated, applied, suspended } = await governLive(context, gateWords());
      if (evaluated)
        say(`The gate of ${workspace} was evaluated${applied ? " and activated" : ""}: ${evaluated.gate_id}`);
      for (const community of suspended) say(`The watch of ${workspace} suspended ${community}.`);
    },
  };
}
