import { type AuditTask, type AuditTools, auditOne } from "../../audit/audit-one.js";
import { RunHalted } from "../../audit/calls/budget.js";
import type { Scheduler } from "../../audit/calls/scheduler.js";
import { AnswerPending, type Auditor } from "../../auditors/auditor.js";
import type { DefensibleError } from "../../core/errors.js";
import { type Audit, auditKey } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { RunCounts } from "../../core/records/manifest.js";
import type { RunWriter } from "../../store/ports.js";
import { type Remarks, type TaskSettings, tasksInOrder, tasksOf } from "./plan.js";
import type { Conditions } from "./run-tools.js";

export interface RunInputs {
  decisions: AsyncIterable<Decision[]>;
  conditions: Conditions;
  /** What is to be done for each decision. */
  wanted: TaskSettings;
  tools: AuditTools;
  /** null: the auditor computes in this process. */
  scheduler: Scheduler | null;
  retryErrors: boolean;
  /** Ends the run early, with everything done so far kept. */
  stop: AbortSignal;
  progress: (counts: Omit<RunCounts, "planned">) => void;
  remarks: Remarks;
  /** Called for every audit that is written. */
  observe?: (audit: Audit) => void;
  /** How far each decision and arm has come, where the decisions are gone over several times. */
  reached?: Map<string, number>;
}

/** How a run went: `complete`, or why not; null: it was asked to stop. `pending`: audits whose answers have not come in, and nothing else is left. */
export type RunEnd =
  | { complete: true }
  | { complete: false; reason: DefensibleError | null; pending?: undefined }
  | { complete: false; reason: null; pending: number };

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
    const audits = await Promise.all(waiting.map((task) => auditTask(task, inputs, tally)));
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
  if (inputs.stop.aborted) return { complete: false, reason: null };
  return tally.pending > 0 ? { complete: false, reason: null, pending: tally.pending } : { complete: true };
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
      const audits = await auditTask(task, inputs, tally);
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
  /** Audits whose answers have not come in. */
  pending = 0;

  constructor(
    private readonly writer: RunWriter,
    private readonly inputs: Pick<RunInputs, "progress" | "remarks" | "observe">,
  ) {
    const [own, flip] = [writer.counts(), writer.flipCounts()];
    this.counts = {
      verdicts: own.verdicts + (flip?.verdicts ?? 0),
      unscored: own.unscored + (flip?.unscored ?? 0),
      errors: own.errors + (flip?.errors ?? 0),
    };
    inputs.progress(this.counts);
  }

  async write(audits: readonly Audit[]): Promise<void> {
    if (audits.length === 0) return;
    await this.writer.append(audits);
    this.inputs.remarks.note(audits);
    for (const audit of audits) {
      if (audit.outcome === "verdict") this.counts.verdicts++;
      else if (audit.outcome === "unscored") this.counts.unscored++;
      else this.counts.errors++;
      this.inputs.observe?.(audit);
    }
    this.inputs.progress(this.counts);
  }
}

/** What the writer does not have yet. An error that is to be tried again is taken off the count. */
export async function* remainingTasks(
  writer: RunWriter,
  inputs: Pick<RunInputs, "decisions" | "conditions" | "wanted" | "tools" | "retryErrors" | "reached">,
  tally: Tally,
): AsyncGenerator<AuditTask> {
  const { auditor, settings } = inputs.tools;
  // One call a task: what it answers is written down before anything else can go wrong. Here, what is held in memory at once.
  const together = auditor.inProcess ? Math.min(auditor.answersPerCall, IN_PROCESS_BATCH) : auditor.answersPerCall;
  const order = auditor.readsPrompt ? { conditions: inputs.conditions, seed: settings.seed } : null;
  for await (const batch of inputs.decisions) {
    for (const task of tasksInOrder(batch, inputs.wanted, order)) {
      const open = openReplicates(task, writer, inputs, tally);
      for (let i = 0; i < open.length; i += together) {
        yield open.length <= together && open === task.replicates
          ? task
          : { ...task, replicates: open.slice(i, i + together) };
      }
    }
  }
}

function openReplicates(
  { decision, arm, replicates }: AuditTask,
  writer: RunWriter,
  { retryErrors, reached }: Pick<RunInputs, "retryErrors" | "reached">,
  tally: Tally,
): readonly number[] {
  const place = reached ? `${decision.id}\u0000${arm}` : "";
  const from = reached?.get(place) ?? 0;
  reached?.set(place, Math.max(from, replicates.length));
  const open = replicates.slice(from).filter((replicate) => {
    const outcome = writer.outcome(auditKey(decision.id, arm, replicate));
    if (outcome === "error" && retryErrors) tally.counts.errors--;
    return !outcome || (outcome === "error" && retryErrors);
  });
  return open.length === replicates.length ? replicates : open;
}

/** No audits where an answer is still to come. */
async function auditTask(task: AuditTask, { conditions, tools }: RunInputs, tally: Tally): Promise<Audit[]> {
  const condition = conditions.of(task.arm);
  const inForce = condition.inForce(task.decision);
  try {
    return await auditOne(task, inForce, condition.entry(task.decision, inForce), condition.tools(tools));
  } catch (cause) {
    if (!(cause instanceof AnswerPending)) throw cause;
    tally.pending += task.replicates.length;
    return [];
  }
}

/** Calls that a number of answers to one task takes. */
export function callsFor(answers: number, auditor: Pick<Auditor, "answersPerCall">): number {
  return Math.ceil(answers / auditor.answersPerCall);
}

export interface PassInputs extends Omit<RunInputs, "decisions" | "reached"> {
  /** The decisions; read in each pass. */
  decisions: () => RunInputs["decisions"];
  /** Asked when a pass is complete: whether to make another. */
  again?: () => boolean;
  /** Called with how many audits the run will have as far as is known now. */
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

function total({ verdicts, unscored, errors }: Omit<RunCounts, "planned">): number {
  return verdicts + unscored + errors;
}
