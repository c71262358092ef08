import { type Audit, auditKey } from "../../core/records/audit.js";
import type { RunCounts } from "../../core/records/manifest.js";
import type { RunWriter } from "../../store/ports.js";
import { auditAll, type RunEnd, type RunInputs } from "./run.js";
import { type TaskSettings, tasksOf } from "./tasks.js";

export interface PassInputs extends Omit<RunInputs, "decisions" | "reached"> {
  /** The decisions; read in each pass. */
  decisions: () => RunInputs["decisions"];
  /** Asked when a pass is complete: whether there shall be another. */
  again?: () => boolean;
  /** Told how many audits the run will have as far as is known now. */
  planned: (audits: number) => Promise<void>;
}

/** Goes over the decisions, and again for as long as that is asked for; how many replicates each wants is asked anew every time. */
export async function auditPasses(writer: RunWriter, inputs: PassInputs): Promise<RunEnd> {
  const { again, wanted } = inputs;
  const reached = again ? new Map<string, number>() : undefined;
  for (let pass = 0; ; pass++) {
    // What was recorded before may have changed how many are wanted.
    if (wanted.replicatesFor && (pass > 0 || total(writer.counts()) > 0)) {
      await inputs.planned(total(writer.counts()) + (await missing(writer, inputs.decisions(), wanted)));
    }
    const end = await auditAll(writer, { ...inputs, decisions: inputs.decisions(), ...(reached ? { reached } : {}) });
    if (!end.complete || !again?.()) return end;
  }
}

/** Audits that are wanted and not there. */
async function missing(writer: RunWriter, decisions: RunInputs["decisions"], wanted: TaskSettings): Promise<number> {
  let count = 0;
  for await (const batch of decisions) {
    for (const decision of batch) {
      for (const { arm, replicates } of tasksOf(decision, wanted)) {
        for (const replicate of replicates) if (!writer.outcome(auditKey(decision.id, arm, replicate))) count++;
      }
    }
  }
  return count;
}

/** Tells of what a run holds already. What is to be tried again is not told: its next outcome will be. */
export async function observeRecorded(
  audits: AsyncIterable<Audit[]>,
  observe: (audit: Audit) => void,
  retryErrors: boolean,
): Promise<void> {
  for await (const batch of audits) {
    for (const audit of batch) if (!(retryErrors && audit.outcome === "error")) observe(audit);
  }
}

function total({ verdicts, unscored, errors }: Omit<RunCounts, "planned">): number {
  return verdicts + unscored + errors;
}
