import type { BatchClient, BatchStatus } from "../../../auditors/auditor.js";
import { DefensibleError } from "../../../core/errors.js";
import type { Manifest } from "../../../core/records/manifest.js";
import type { Context } from "../../../store/context.js";
import type { BatchPart } from "../../../store/ports.js";
import { auditorFrom } from "../configured-auditor.js";

/** How a run's batches are at the provider, one line each. `problem`: why it could not be asked; the lines are then what was last known. */
export async function batchesOfRun(
  { runs, config }: Pick<Context, "runs" | "config">,
  manifest: Manifest,
): Promise<{ batches: string[]; problem: string | null }> {
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

/** Without fetching anything. `client` null: what was last known. */
async function follow(parts: readonly BatchPart[], client: BatchClient | null): Promise<string[]> {
  const lines: string[] = [];
  for (const part of parts) {
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
