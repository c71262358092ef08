import type { BatchClient, BatchResult } from "../../../auditors/auditor.js";
import type { CallError } from "../../../auditors/call-error.js";
import type { Generation } from "../../../core/records/case.js";
import type { BatchPart, BatchStore } from "../../../store/ports.js";
import { batchLine } from "./follow.js";

export interface CollectOptions {
  client: BatchClient;
  store: BatchStore;
  runId: string;
  /** Writes one answer down. */
  keep: (id: string, generation: Generation) => Promise<void>;
  /** Price of a batch as a share of the ordinary one. */
  share: number;
}

export interface Collected {
  /** Questions that are still at the provider. */
  pending: Set<string>;
  /** Questions that will never get an answer, and why. */
  refused: Map<string, CallError>;
  /** One line a part, for people. */
  states: string[];
}

/** By which the provider's batches of a part are found again. */
export function batchLabel(runId: string, part: number): string {
  return `${runId}-${part}`;
}

/** Fetches what the provider has finished. A part that expired or failed gives what it has; the rest is free to be asked again. */
export async function collectBatches({ client, store, runId, keep, share }: CollectOptions): Promise<Collected> {
  const pending = new Set<string>();
  const refused = new Map<string, CallError>();
  const states: string[] = [];
  for (const part of (await store.parts()).filter((one) => !one.collected)) {
    const known = await withReceipts(part, runId, client, store);
    if (known === null) continue;
    let running = false;
    for (const handle of known.handles) {
      const status = await client.status(handle);
      states.push(batchLine(handle.id, handle.items, status));
      if (status.state === "running") running = true;
    }
    if (running) {
      for (const id of await store.ids(part.part)) pending.add(id);
      continue;
    }
    for (const handle of known.handles) {
      for await (const result of client.results(handle)) await take(result, keep, share, refused);
    }
    await store.save({ ...known, collected: true });
  }
  return { pending, refused, states };
}

/** A part with all its receipts; null: the provider never got it. */
async function withReceipts(
  part: BatchPart,
  runId: string,
  client: BatchClient,
  store: BatchStore,
): Promise<BatchPart | null> {
  if (part.sent) return part;
  const known = new Set(part.handles.map(({ id }) => id));
  const lost = (await client.find(batchLabel(runId, part.part))).filter(({ id }) => !known.has(id));
  const found = { ...part, handles: [...part.handles, ...lost], sent: true };
  if (found.handles.length === 0) {
    await store.forget(part);
    return null;
  }
  await store.save(found);
  return found;
}

async function take(
  { id, answer }: BatchResult,
  keep: CollectOptions["keep"],
  share: number,
  refused: Map<string, CallError>,
): Promise<void> {
  if ("error" in answer) {
    // What may succeed another time is simply asked again.
    if (!answer.error.again) refused.set(id, answer.error);
    return;
  }
  const [generation] = answer.generations;
  if (!generation) return;
  const { usage } = generation;
  const cost_usd = usage.cost_usd === null ? null : usage.cost_usd * share;
  await keep(id, { ...generation, usage: { ...usage, cost_usd } });
}
