import type { BatchClient, BatchStatus } from "../../../auditors/auditor.js";
import { BatchStore } from "./batch-store.js";

/** How a run's batches stand, one line each, without fetching anything. `client` null: what was last known. */
export async function followBatches(folder: string, runId: string, client: BatchClient | null): Promise<string[]> {
  const lines: string[] = [];
  for (const part of new BatchStore(folder, runId).parts()) {
    if (!part.sent) lines.push(`part ${part.part}: receipts may be missing; repeating \`audit\` looks for it`);
    for (const handle of part.handles) {
      if (part.collected) lines.push(`${handle.id}: collected, ${handle.items} questions, sent ${handle.submitted_at}`);
      else if (client === null) lines.push(`${handle.id}: sent ${handle.submitted_at}, ${handle.items} questions`);
      else lines.push(batchLine(handle.id, handle.items, await client.status(handle)));
    }
  }
  return lines;
}

export function batchLine(id: string, items: number, { state, done, failed, message }: BatchStatus): string {
  return `${id}: ${state}, ${done} of ${items} answered, ${failed} failed${message ? `; ${message}` : ""}`;
}
