import type { AuditTools } from "../../../audit/audit-one.js";
import type { BatchClient, BatchResult, CallError } from "../../../auditors/auditor.js";
import { auditorFrom } from "../../../auditors/create-auditor.js";
import { DefensibleError } from "../../../core/errors.js";
import type { Generation } from "../../../core/records/case.js";
import type { Manifest } from "../../../core/records/manifest.js";
import type { Context } from "../../../store/context.js";
import type { BatchPart, BatchStore, RawAnswers, RawLog, RawStore } from "../../../store/ports.js";
import { batchId } from "../../../store/records/erased.js";
import type { BatchLine } from "../../notices.js";

/** Answers of batches by id, stored as they are fetched so that none is fetched or paid for twice. */
export class BatchAnswers {
  private log: RawLog | null = null;
  private reader: RawAnswers | null = null;
  private known = new Set<string>();

  constructor(
    private readonly store: RawStore,
    private readonly tools: Pick<AuditTools, "auditor" | "settings">,
  ) {}

  async append(id: string, generation: Generation): Promise<void> {
    const { auditor, settings } = this.tools;
    this.log ??= this.store.open(settings, auditor);
    await this.log.append(id, generation);
  }

  /** Makes what was appended readable. */
  async reload(): Promise<void> {
    await this.close();
    this.reader = await this.store.read();
    this.known = new Set(this.reader?.keys());
  }

  has(id: string): boolean {
    return this.known.has(id);
  }

  async get(id: string): Promise<Generation | null> {
    return (await this.reader?.get(id)) ?? null;
  }

  /** Wraps `ask`: serves stored answers and asks only for the rest. A stored answer was paid for with its batch, so it is not counted again. */
  before(ask: AuditTools["ask"]): AuditTools["ask"] {
    return async (question) => {
      const known = await Promise.all(
        question.wanted.map(({ key }) => (this.has(batchId(key)) ? this.get(batchId(key)) : null)),
      );
      const wanted = question.wanted.filter((_, i) => known[i] === null);
      const asked = wanted.length > 0 ? await ask({ ...question, wanted }) : [];
      let next = 0;
      return known.map((generation) =>
        generation ? { generation, attempts: 1, cached: false, latencyMs: 0 } : asked[next++]!,
      );
    };
  }

  async close(): Promise<void> {
    await this.log?.close();
    await this.reader?.close();
    this.log = null;
    this.reader = null;
  }
}

interface CollectOptions {
  client: BatchClient;
  store: BatchStore;
  runId: string;
  keep: (id: string, generation: Generation) => Promise<void>;
  /** Batch price as a share of the regular price. */
  share: number;
}

interface Collected {
  /** Questions that are still at the provider. */
  pending: Set<string>;
  /** Questions that will never get an answer, with the reason. */
  refused: Map<string, CallError>;
  /** One per part. */
  states: BatchLine[];
}

/** The label by which a part's batches are found again at the provider. */
export function batchLabel(runId: string, part: number): string {
  return `${runId}-${part}`;
}

/** Fetches what the provider has finished. A part that expired or failed yields the answers it has; the rest can be asked again. */
export async function collectBatches({ client, store, runId, keep, share }: CollectOptions): Promise<Collected> {
  const pending = new Set<string>();
  const refused = new Map<string, CallError>();
  const states: BatchLine[] = [];
  for (const part of (await store.parts()).filter((one) => !one.collected)) {
    const known = await withReceipts(part, runId, client, store);
    if (known === null) continue;
    let running = false;
    for (const handle of known.handles) {
      const status = await client.status(handle);
      states.push({ code: "asked", id: handle.id, items: handle.items, status });
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

/** A part with all its receipts; null: the provider never received it. */
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
    // An error that may succeed on a retry leaves the question open, so it is asked again.
    if (!answer.error.again) refused.set(id, answer.error);
    return;
  }
  const [generation] = answer.generations;
  if (!generation) return;
  const { usage } = generation;
  const cost_usd = usage.cost_usd === null ? null : usage.cost_usd * share;
  await keep(id, { ...generation, usage: { ...usage, cost_usd } });
}

/** Status of a run's batches at the provider, one entry each. `problem`: why the provider could not be asked; entries are then the last known. */
export async function batchesOfRun(
  { runs, config }: Pick<Context, "runs" | "config">,
  manifest: Manifest,
): Promise<{ batches: BatchLine[]; problem: string | null }> {
  const parts = await runs.batches(manifest.run_id).parts();
  if (parts.length === 0 || manifest.status === "sealed") return { batches: await follow(parts, null), problem: null };
  try {
    const { endpoint, capabilities } = manifest;
    const options = {
      ...(endpoint === undefined ? {} : { baseUrl: endpoint }),
      ...(typeof capabilities?.dialect === "string" ? { dialect: capabilities.dialect } : {}),
    };
    const auditor = await auditorFrom(manifest.auditor, options, config);
    try {
      return { batches: await follow(parts, auditor.batch ?? null), problem: null };
    } finally {
      await auditor.close?.();
    }
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    return { batches: await follow(parts, null), problem: cause.message };
  }
}

/** Batch states without fetching any answers. `client` null: the last known state. */
async function follow(parts: readonly BatchPart[], client: BatchClient | null): Promise<BatchLine[]> {
  const lines: BatchLine[] = [];
  for (const { part, sent, collected, handles } of parts) {
    if (!sent) lines.push({ code: "receipts_missing", part });
    for (const handle of handles) {
      const { id, items, submitted_at: submittedAt } = handle;
      if (collected) lines.push({ code: "collected", id, items, submittedAt });
      else if (client === null) lines.push({ code: "sent", id, items, submittedAt });
      else lines.push({ code: "asked", id, items, status: await client.status(handle) });
    }
  }
  return lines;
}
