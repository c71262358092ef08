import type { Auditor } from "../auditors/auditor.js";
import { type Audit, auditKey } from "../domain/audit.js";
import type { Decision } from "../domain/decision.js";
import type { RunCounts } from "../domain/manifest.js";
import type { DefensibleError } from "../errors.js";
import type { RunWriter } from "../ledger/ledger.js";
import { HUMAN_ARM } from "../ledger/signal-counts.js";
import { type AuditTask, type AuditTools, auditOne } from "./audit-one.js";
import { RunHalted } from "./calls/run-halted.js";
import type { Scheduler } from "./calls/scheduler.js";
import type { Frames } from "./frames.js";
import type { Remarks } from "./remarks.js";
import type { RuleBook } from "./rules-in-force.js";
import type { RunSettings } from "./settings.js";

export interface RunInputs {
  decisions: AsyncIterable<Decision[]>;
  rules: RuleBook;
  frames: Frames;
  tools: AuditTools;
  /** null: the auditor computes in this process. */
  scheduler: Scheduler | null;
  retryErrors: boolean;
  /** Ends the run early, with everything done so far kept. */
  stop: AbortSignal;
  progress: (counts: Omit<RunCounts, "planned">) => void;
  remarks: Remarks;
}

/** How a run went: `complete`, or why not; null: somebody asked to stop. */
export type RunEnd = { complete: true } | { complete: false; reason: DefensibleError | null };

/** Batch in which an auditor that computes in this process is run: one write for all of it. */
const IN_PROCESS_BATCH = 64;

/**
 * Audits what a run still lacks and writes each audit before going on. No key is audited twice: what the writer already has is skipped.
 */
export async function auditAll(writer: RunWriter, inputs: RunInputs): Promise<RunEnd> {
  return inputs.scheduler ? auditWaiting(writer, inputs, inputs.scheduler) : auditHere(writer, inputs);
}

/** For an auditor that computes here: batches, each written at once. */
async function auditHere(writer: RunWriter, inputs: RunInputs): Promise<RunEnd> {
  const tally = new Tally(writer, inputs);
  let waiting: AuditTask[] = [];
  let size = 0;
  const flush = async () => {
    const audits = await Promise.all(waiting.map((task) => auditTask(task, inputs)));
    await tally.write(audits.length === 1 ? audits[0]! : audits.flat());
    waiting = [];
    size = 0;
    // Lets signals and syncs have their turn: an in-process auditor never waits for anything.
    await new Promise((resolve) => setImmediate(resolve));
  };
  for await (const task of remainingTasks(writer, inputs, tally)) {
    waiting.push(task);
    size += task.replicates.length;
    if (size < IN_PROCESS_BATCH) continue;
    await flush();
    if (inputs.stop.aborted) return { complete: false, reason: null };
  }
  if (waiting.length) await flush();
  return inputs.stop.aborted ? { complete: false, reason: null } : { complete: true };
}

/** For an auditor behind a server: as many tasks in hand as calls may be in flight, each answer written before the next task is taken. */
async function auditWaiting(writer: RunWriter, inputs: RunInputs, scheduler: Scheduler): Promise<RunEnd> {
  const { stop } = inputs;
  const tally = new Tally(writer, inputs);
  const inHand = new Set<Promise<void>>();
  let end: RunEnd = { complete: true };
  let failure: unknown = null;
  const halt = (reason: DefensibleError | null) => {
    if (end.complete) end = { complete: false, reason };
  };
  const work = async (task: AuditTask) => {
    try {
      const audits = await auditTask(task, inputs);
      await tally.write(audits);
    } catch (cause) {
      if (cause instanceof RunHalted) halt(cause.reason);
      else failure ??= cause;
    }
  };
  for await (const task of remainingTasks(writer, inputs, tally)) {
    while (inHand.size >= scheduler.width && !stop.aborted && end.complete && failure === null)
      await Promise.race(inHand);
    if (stop.aborted) halt(null);
    if (!end.complete || failure !== null) break;
    const done = work(task).finally(() => inHand.delete(done));
    inHand.add(done);
  }
  await Promise.all(inHand);
  if (failure !== null) throw failure;
  return end;
}

/** Writes audits and keeps count. */
export class Tally {
  readonly counts: Omit<RunCounts, "planned">;

  constructor(
    private readonly writer: RunWriter,
    private readonly inputs: Pick<RunInputs, "progress" | "remarks">,
  ) {
    this.counts = writer.counts();
    inputs.progress(this.counts);
  }

  async write(audits: readonly Audit[]): Promise<void> {
    await this.writer.append(audits);
    this.inputs.remarks.note(audits);
    for (const { outcome } of audits) {
      if (outcome === "verdict") this.counts.verdicts++;
      else if (outcome === "unscored") this.counts.unscored++;
      else this.counts.errors++;
    }
    this.inputs.progress(this.counts);
  }
}

/** What the writer does not have yet. An error that is to be tried again is taken off the count. */
export async function* remainingTasks(
  writer: RunWriter,
  inputs: Pick<RunInputs, "decisions" | "tools" | "retryErrors">,
  tally: Tally,
): AsyncGenerator<AuditTask> {
  const { settings } = inputs.tools;
  for await (const batch of inputs.decisions) {
    for (const decision of batch) {
      for (const task of tasksOf(decision, settings)) {
        const replicates = task.replicates.filter((replicate) => {
          const outcome = writer.outcome(auditKey(decision.id, task.arm, replicate));
          const open = !outcome || (outcome === "error" && inputs.retryErrors);
          if (open && outcome === "error") tally.counts.errors--;
          return open;
        });
        // One call a task: what it answers is written down before anything else can go wrong.
        const { answersPerCall } = inputs.tools.auditor;
        for (let i = 0; i < replicates.length; i += answersPerCall) {
          yield { ...task, replicates: replicates.slice(i, i + answersPerCall) };
        }
      }
    }
  }
}

/** Everything to be done for one decision: all replicates of it, and of the human's decision where that is asked for and differs. */
export function tasksOf(decision: Decision, settings: Pick<RunSettings, "replicates" | "humans">): AuditTask[] {
  const human = decision.human_label;
  const replicates = settings.replicates === 1 ? ONLY : Array.from({ length: settings.replicates }, (_, i) => i);
  const tasks: AuditTask[] = [{ decision, arm: "", action: decision.decision, replicates }];
  if (settings.humans && human && human !== decision.decision) {
    tasks.push({ decision, arm: HUMAN_ARM, action: human, replicates });
  }
  return tasks;
}

const ONLY: readonly number[] = [0];

function auditTask(task: AuditTask, { rules, frames, tools }: RunInputs): Promise<Audit[]> {
  const inForce = rules.inForce(task.decision);
  return auditOne(task, inForce, frames.of(task.decision.community, inForce), tools);
}

/** Calls that a number of answers to one task takes. */
export function callsFor(answers: number, auditor: Pick<Auditor, "answersPerCall">): number {
  return Math.ceil(answers / auditor.answersPerCall);
}
