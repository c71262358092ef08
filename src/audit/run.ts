import type { Auditor } from "../auditors/auditor.js";
import { type Audit, auditKey } from "../domain/audit.js";
import type { Decision } from "../domain/decision.js";
import type { RunCounts } from "../domain/manifest.js";
import type { RunWriter } from "../ledger/ledger.js";
import { HUMAN_ARM } from "../ledger/signal-counts.js";
import { type AuditTask, auditOne } from "./audit-one.js";
import type { Frames } from "./frames.js";
import type { RuleBook } from "./rules-in-force.js";
import type { RunSettings } from "./settings.js";

export interface RunInputs {
  decisions: AsyncIterable<Decision[]>;
  rules: RuleBook;
  frames: Frames;
  auditor: Auditor;
  settings: RunSettings;
  /** How many calls may be in flight, for an auditor that waits for a server. */
  concurrency: number;
  retryErrors: boolean;
  /** Asked between batches; true ends the run early, with everything done so far kept. */
  stopped: () => boolean;
  progress: (counts: Omit<RunCounts, "planned">) => void;
}

/** Batch in which an auditor that computes in this process is run: one write for all of it. */
const IN_PROCESS_BATCH = 64;

/**
 * Audits what a run still lacks and writes each audit before going on. Returns true when every task has its audit.
 * No key is audited twice: what the writer already has is skipped.
 */
export async function auditAll(writer: RunWriter, inputs: RunInputs): Promise<boolean> {
  const width = inputs.auditor.inProcess ? IN_PROCESS_BATCH : Math.max(1, inputs.concurrency);
  const counts = writer.counts();
  inputs.progress(counts);
  let waiting: AuditTask[] = [];
  const flush = async () => {
    const audits = await Promise.all(waiting.map((task) => auditTask(task, inputs)));
    await writer.append(audits);
    for (const audit of audits) count(counts, audit);
    waiting = [];
    inputs.progress(counts);
    // Lets signals and syncs have their turn: an in-process auditor never waits for anything.
    await new Promise((resolve) => setImmediate(resolve));
  };
  for await (const batch of inputs.decisions) {
    for (const decision of batch) {
      for (const task of tasksOf(decision, inputs.settings)) {
        const outcome = writer.outcome(auditKey(decision.id, task.arm, task.replicate));
        if (outcome && !(outcome === "error" && inputs.retryErrors)) continue;
        if (outcome === "error") counts.errors--;
        waiting.push(task);
        if (waiting.length < width) continue;
        await flush();
        if (inputs.stopped()) return false;
      }
    }
  }
  if (waiting.length) await flush();
  return !inputs.stopped();
}

/** Everything to be done for one decision. */
export function* tasksOf(
  decision: Decision,
  settings: Pick<RunSettings, "replicates" | "humans">,
): Generator<AuditTask> {
  const human = decision.human_label;
  const withHuman = settings.humans && human && human !== decision.decision;
  for (let replicate = 0; replicate < settings.replicates; replicate++) {
    yield { decision, arm: "", replicate, action: decision.decision };
    if (withHuman) yield { decision, arm: HUMAN_ARM, replicate, action: human };
  }
}

function auditTask(task: AuditTask, { rules, frames, auditor, settings }: RunInputs): Promise<Audit> {
  const inForce = rules.inForce(task.decision);
  return auditOne(task, inForce, frames.of(task.decision.community, inForce), auditor, settings);
}

function count(counts: Omit<RunCounts, "planned">, audit: Audit): void {
  if (audit.outcome === "verdict") counts.verdicts++;
  else if (audit.outcome === "unscored") counts.unscored++;
  else counts.errors++;
}
