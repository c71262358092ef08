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
  wanted: TaskSettings;
  tools: AuditTools;
  /** null: the auditor runs in this process. */
  scheduler: Scheduler | null;
  retryErrors: boolean;
  /** Ends the run early; everything done so far is kept. */
  stop: AbortSignal;
  progress: (counts: Omit<RunCounts, "planned">) => void;
  remarks: Remarks;
  observe?: (audit: Audit) => void;
  /** Replicates already visited by decision and arm, for runs with several passes. */
  reached?: Map<string, number>;
}

/** How a run ended: complete, stopped (reason null: by a signal), or `pending`: only audits with missing answers are left, this many. */
export type RunEnd =
  | { complete: true }
  | { complete: false; reason: DefensibleError | null; pending?: undefined }
  | { complete: false; reason: null; pending: number };

/** Tasks per batch for an auditor that runs in this process: one write for all of them. */
const IN_PROCESS_BATCH = 64;

/** Audits what a run still lacks, writing each audit before going on. No key is audited twice: what the writer already has is skipped. */
export async function auditAll(writer: RunWriter, inputs: RunInputs): Promise<RunEnd> {
  return inputs.scheduler ? auditWaiting(writer, inputs, inputs.scheduler) : auditHere(writer, inputs);
}

/** For an auditor in this process: batches, one write each. */
async function auditHere(writer: RunWriter, inputs: RunInputs): Promise<RunEnd> {
  const tally = new Tally(writer, inputs);
  let waiting: AuditTask[] = [];
  let size = 0;
  const flush = async () => {
    const audits = await Promise.all(waiting.map((task) => auditTask(task, inputs, tally)));
    await tally.write(audits.length === 1 ? audits[0]! : audits.flat());
    waiting = [];
    size = 0;
    // Gives signals and syncs a turn: an in-process auditor never waits.
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

/** For an auditor behind a server: as many tasks at once as calls may be in flight; each answer is written before the next task is taken. */
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

export class Tally {
  readonly counts: Omit<RunCounts, "planned">;
  /** Audits whose answers have not arrived. */
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

/** What the writer does not have yet. An error to be retried is subtracted from the count. */
export async function* remainingTasks(
  writer: RunWriter,
  inputs: Pick<RunInputs, "decisions" | "conditions" | "wanted" | "tools" | "retryErrors" | "reached">,
  tally: Tally,
): AsyncGenerator<AuditTask> {
  const { auditor, settings } = inputs.tools;
  // With a server, one call per task, so that its answers are written before anything else can fail. In process, the limit bounds memory.
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

/** Empty if an answer has not arrived yet. */
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

/** Number of calls for this many answers to one task. */
export function callsFor(answers: number, auditor: Pick<Auditor, "answersPerCall">): number {
  return Math.ceil(answers / auditor.answersPerCall);
}

export interface PassInputs extends Omit<RunInputs, "decisions" | "reached"> {
  decisions: () => RunInputs["decisions"];
  /** Called after each complete pass: whether to make another. */
  again?: () => boolean;
  /** Receives the number of audits that the run will have, as far as known. */
  planned: (audits: number) => Promise<void>;
}

/** Passes over the decisions for as long as `again` asks for it; the number of replicates is evaluated again in each pass. */
export async function auditPasses(writer: RunWriter, inputs: PassInputs): Promise<RunEnd> {
  const { again, wanted } = inputs;
  const reached = again ? new Map<string, number>() : undefined;
  for (let pass = 0; ; pass++) {
    // Audits recorded earlier may have changed how many replicates are wanted.
    if (wanted.replicatesFor && (pass > 0 || total(writer.counts()) > 0)) {
      await inputs.planned(total(writer.counts()) + (await missing(writer, inputs.decisions(), wanted)));
    }
    const end = await auditAll(writer, { ...inputs, decisions: inputs.decisions(), ...(reached ? { reached } : {}) });
    if (!end.complete || !again?.()) return end;
  }
}

/** Number of wanted audits that are not recorded yet. */
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
