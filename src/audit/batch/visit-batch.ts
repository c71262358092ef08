import { InputError } from "../../errors.js";
import type { RunWriter } from "../../ledger/ledger.js";
import { BatchAnswers } from "./answers.js";
import { BatchStore } from "./batch-store.js";
import { type BatchInputs, type BatchOutcome, runBatch } from "./run-batch.js";

export interface VisitInputs extends Omit<BatchInputs, "client" | "store" | "answers"> {
  /** The run's folder. */
  folder: string;
}

/** Goes to the provider's batch service if something is there, or is to be sent there; null: it has nothing to do with this run. */
export async function visitBatch(writer: RunWriter, inputs: VisitInputs): Promise<BatchOutcome | null> {
  const store = new BatchStore(inputs.folder, writer.manifest.run_id);
  const underWay = store.parts().some((part) => !part.collected);
  if (!inputs.submit && !underWay) return null;
  const client = inputs.tools.auditor.batch;
  if (!client) {
    throw new InputError(
      "no_batch",
      `batch: ${inputs.tools.auditor.name} has no batch service`,
      "The run's batch was sent through another auditor; use that one.",
    );
  }
  const answers = new BatchAnswers(store.answersFile, inputs.tools);
  try {
    return await runBatch(writer, { ...inputs, client, store, answers });
  } finally {
    await answers.close();
  }
}
