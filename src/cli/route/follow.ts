import { auditFormat } from "../../app/audit/audit-request.js";
import { inputLines, routeLines, type StreamTools } from "../../app/route/stream.js";
import { DefensibleError } from "../../core/errors.js";
import { chosenRun } from "../../store/choose-run.js";
import type { AuditSource, RunStore } from "../../store/ports.js";
import type { RouteProgress } from "../progress.js";
import { openOutput, type RouteInput } from "./io.js";

/** Routes until the input ends or it is stopped; returns whether it was stopped. */
export async function follow(
  input: RouteInput,
  tools: Omit<StreamTools, "write" | "signal" | "progress">,
  progress: RouteProgress,
  jsonFile: string | undefined,
): Promise<boolean> {
  const stop = new AbortController();
  const onSignal = () => {
    stop.abort();
    input.stop();
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const output = openOutput(jsonFile);
    try {
      await routeLines(inputLines(input.chunks), {
        ...tools,
        write: output.write,
        signal: stop.signal,
        progress: (decisions, bytes) => progress.update(decisions, bytes),
      });
    } finally {
      output.close();
    }
  } catch (cause) {
    // A stream that was left in its middle complains; leaving it was the wish.
    if (!stop.signal.aborted || cause instanceof DefensibleError) throw cause;
  } finally {
    progress.clear();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    await tools.log.close();
  }
  return stop.signal.aborted;
}

export async function auditSource(
  runs: RunStore,
  { audits, run }: { audits?: string; run?: string },
): Promise<AuditSource | null> {
  if (audits !== undefined) return { path: audits, format: auditFormat(audits), own: false };
  if (run === undefined) return null;
  const manifest = await chosenRun(runs, run);
  return runs.snapshot(manifest.run_id);
}
