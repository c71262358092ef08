import { type AuditTask, auditOne, prepareAudit } from "../../../audit/audit-one.js";
import type { Called } from "../../../audit/calls/caller.js";
import { askFor, wantedFor } from "../../../audit/draw-answers.js";
import type { Ask, BatchClient, BatchItem, CallError } from "../../../auditors/auditor.js";
import { InputError } from "../../../core/errors.js";
import { auditKey, drawKey } from "../../../core/records/audit.js";
import type { BatchStore, RunWriter } from "../../../store/ports.js";
import { batchId } from "../../../store/records/erased.js";
import type { BatchLine } from "../../notices.js";
import { type RunInputs, remainingTasks, Tally } from "../run.js";
import { BatchAnswers, batchLabel, collectBatches } from "./collect.js";

type VisitInputs = Omit<BatchInputs, "client" | "answers">;

export interface BatchVisit {
  outcome: BatchOutcome;
  /** Every answer so far, including answers to audits that are not complete yet. */
  answers: BatchAnswers;
}

/**
 * Audits the answers that the provider's batch service has ready, and sends open questions there if asked to; null: this run has no
 * batches and sends none. The returned answers stay open: later questions look there first.
 */
export async function visitBatch(writer: RunWriter, inputs: VisitInputs): Promise<BatchVisit | null> {
  const parts = await inputs.store.parts();
  if (!inputs.submit && parts.length === 0) return null;
  const answers = new BatchAnswers(inputs.store.answers, inputs.tools);
  try {
    if (!inputs.submit && parts.every((part) => part.collected)) {
      // All parts are fetched, but a killed process may have left answers unaudited.
      await answers.reload();
      await auditAnswered(writer, { ...inputs, answers }, new Map());
      return { outcome: { waiting: 0, submitted: 0, collected: 0, states: [] }, answers };
    }
    const client = inputs.tools.auditor.batch;
    if (!client) {
      throw new InputError(
        "no_batch",
        `batch: ${inputs.tools.auditor.name} has no batch service`,
        "The run's batch was sent through another auditor; use that one.",
      );
    }
    return { outcome: await runBatch(writer, { ...inputs, client, answers }), answers };
  } catch (cause) {
    await answers.close();
    throw cause;
  }
}

interface BatchInputs extends Omit<RunInputs, "decisions" | "scheduler"> {
  decisions: () => RunInputs["decisions"];
  client: BatchClient;
  store: BatchStore;
  answers: BatchAnswers;
  /** Send open questions to the provider. */
  submit: boolean;
}

export interface BatchOutcome {
  /** Questions at the provider. */
  waiting: number;
  submitted: number;
  collected: number;
  states: BatchLine[];
}

/** One visit to the provider's batch service: fetch what is ready, audit it, send what is still open. */
async function runBatch(writer: RunWriter, inputs: BatchInputs): Promise<BatchOutcome> {
  const { client, store, answers } = inputs;
  const share = inputs.tools.auditor.price?.batch ?? 1;
  let collected = 0;
  const { pending, refused, states } = await collectBatches({
    client,
    store,
    runId: writer.manifest.run_id,
    share,
    keep: async (id, generation) => {
      await answers.append(id, generation);
      collected++;
    },
  });
  await answers.reload();
  await auditAnswered(writer, inputs, refused);
  const submitted = inputs.submit ? await submitOpen(writer, inputs, pending) : 0;
  return { waiting: pending.size + submitted, submitted, collected, states };
}

/** Audits the tasks whose answers have all arrived. */
async function auditAnswered(
  writer: RunWriter,
  inputs: Omit<BatchInputs, "client" | "store">,
  refused: ReadonlyMap<string, CallError>,
) {
  const { answers, conditions, tools } = inputs;
  const ask = async ({ wanted }: Ask): Promise<Called[]> =>
    Promise.all(
      wanted.map(async ({ key }) => {
        const id = batchId(key);
        const generation = await answers.get(id);
        if (generation === null) throw refused.get(id) ?? new Error("the batch has no answer");
        return { generation, attempts: 1, cached: false, latencyMs: 0 };
      }),
    );
  const tally = new Tally(writer, inputs);
  const settled = (key: string) => answers.has(batchId(key)) || refused.has(batchId(key));
  const openTasks = remainingTasks(writer, { ...inputs, decisions: inputs.decisions() }, tally);
  for await (const task of openTasks) {
    const replicates = task.replicates.filter((replicate) => keysOf(task, replicate, inputs).every(settled));
    if (replicates.length === 0) continue;
    const condition = conditions.of(task.arm);
    const inForce = condition.inForce(task.decision);
    const entry = condition.entry(task.decision, inForce);
    await tally.write(await auditOne({ ...task, replicates }, inForce, entry, condition.tools({ ...tools, ask })));
  }
}

/** Sends questions that have no answer and are not pending. */
async function submitOpen(writer: RunWriter, inputs: BatchInputs, pending: ReadonlySet<string>): Promise<number> {
  const { store, client } = inputs;
  const ids: string[] = [];
  for await (const { id } of openItems(writer, inputs, pending)) ids.push(id);
  if (ids.length === 0) return 0;
  const part = await store.begin(ids);
  for await (const handle of client.submit(
    openItems(writer, inputs, pending),
    batchLabel(writer.manifest.run_id, part.part),
  )) {
    part.handles.push(handle);
    await store.save(part);
  }
  await store.save({ ...part, sent: true });
  return ids.length;
}

async function* openItems(
  writer: RunWriter,
  inputs: BatchInputs,
  pending: ReadonlySet<string>,
): AsyncGenerator<BatchItem> {
  const { conditions } = inputs;
  const quiet = new Tally(writer, { progress: () => {}, remarks: inputs.remarks });
  for await (const task of remainingTasks(writer, { ...inputs, decisions: inputs.decisions() }, quiet)) {
    const condition = conditions.of(task.arm);
    const tools = condition.tools(inputs.tools);
    const inForce = condition.inForce(task.decision);
    const { question, problem } = prepareAudit(task, inForce, condition.entry(task.decision, inForce), tools);
    if (problem) continue;
    for (const replicate of task.replicates) {
      for (let draw = 0; draw < drawsOf(inputs); draw++) {
        const wanted = wantedFor(task, replicate, draw, tools.settings);
        const id = batchId(wanted.key);
        if (!pending.has(id) && !inputs.answers.has(id)) yield { id, ask: askFor(question, [wanted], tools.settings) };
      }
    }
  }
}

/** Keys of all answers that one audit needs. */
function keysOf({ decision, arm }: AuditTask, replicate: number, inputs: Pick<BatchInputs, "tools">): string[] {
  const key = auditKey(decision.id, arm, replicate);
  return Array.from({ length: drawsOf(inputs) }, (_, draw) => drawKey(key, draw));
}

function drawsOf({ tools }: Pick<BatchInputs, "tools">): number {
  return tools.settings.signal === "sampling" ? tools.settings.samples : 1;
}
