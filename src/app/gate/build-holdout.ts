import type { AuditTable } from "../../analysis/audit-table.js";
import { countGateCohorts, heldOut } from "../../analysis/gate-counts.js";
import type { ThreadsAt } from "../../analysis/thread-counts.js";
import type { GateKey } from "../../core/gate.js";
import type { GateLimits } from "../../measures/gate/gate-input.js";
import type { HoldoutReport } from "../../measures/gate/gate-report.js";
import { holdoutCertificate } from "../../measures/gate/holdout-certificate.js";
import type { PassOptions } from "../../measures/gate/pass-gate.js";

export interface HoldoutInputs {
  by: readonly GateKey[];
  limits: GateLimits;
  options: PassOptions;
  /** Some decisions belong to threads, which stay together; null: none does. */
  threads: ThreadsAt | null;
  /** Of the decisions, and the seed that says which. */
  share: number;
  seed: number;
}

/** What the communities chosen on one part of the decisions do on the other. */
export async function buildHoldout(table: AuditTable, inputs: HoldoutInputs): Promise<HoldoutReport> {
  const { by, limits, options, threads, share, seed } = inputs;
  const condition = heldOut({ seed, share, threads: threads !== null });
  const count = (where: string) => countGateCohorts(table, { by, where, threads });
  const [selection, evaluation] = [await count(`NOT (${condition})`), await count(condition)];
  // Whom to choose is one look at the first part; people's labels are of all rows and stay out of it.
  const certificate = holdoutCertificate(selection, evaluation, limits, { ...options, labelCounts: undefined });
  return { ...certificate, share, seed, by_thread: threads !== null };
}
