import { InputError } from "../../../core/errors.js";
import type { RunWriter } from "../../../store/ports.js";
import { BatchAnswers } from "./collect.js";
import { auditAnswered, type BatchInputs, type BatchOutcome, runBatch } from "./run-batch.js";

export type VisitInputs = Omit<BatchInputs, "client" | "answers">;

export interface BatchVisit {
  outcome: BatchOutcome;
  /** What was ever answered; part of it may belong to audits that are not complete yet. */
  answers: BatchAnswers;
}

/**
 * Goes to the provider's batch service if something is there, or is to be sent there, and audits what has been answered; null: it has nothing to do with
 * this run. The answers stay open: whoever asks on asks them first.
 */
export async function visitBatch(writer: RunWriter, inputs: VisitInputs): Promise<BatchVisit | null> {
  const parts = await inputs.store.parts();
  if (!inputs.submit && parts.length === 0) return null;
  const answers = new BatchAnswers(inputs.store.answers, inputs.tools);
  try {
    if (!inputs.submit && parts.every((part) => part.collected)) {
      // A process that was killed after fetching has left them unread.
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
