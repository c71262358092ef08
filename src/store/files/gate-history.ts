import { existsSync } from "node:fs";
import { LineLog } from "../../io/line-log.js";
import { readLines } from "../../io/read-lines.js";
import { type GateEvent, parseGateEvent } from "../records/gate-event.js";
import { gatePaths, makeGateFolder } from "./gate-files.js";
import type { Workspace } from "./workspace.js";

/** Adds to the history, which is never rewritten. */
export async function recordGateEvents(
  workspace: Pick<Workspace, "paths">,
  events: readonly GateEvent[],
): Promise<void> {
  makeGateFolder(workspace);
  const log = new LineLog(gatePaths(workspace).history);
  try {
    log.append(events.map((event) => JSON.stringify(event)));
  } finally {
    await log.close();
  }
}

/** Everything that happened to the gate, oldest first. */
export async function* readGateHistory(workspace: Pick<Workspace, "paths">): AsyncGenerator<GateEvent> {
  const { history } = gatePaths(workspace);
  if (!existsSync(history)) return;
  for await (const lines of readLines(history)) {
    for (const line of lines) {
      if (!line.ended) continue;
      yield parseGateEvent(line.text, `${history}, line ${line.number}`);
    }
  }
}
