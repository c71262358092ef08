import { existsSync } from "node:fs";
import type { Gate } from "../domain/gate.js";
import type { GateFindings } from "../gate/gate-findings.js";
import type { AuditTable } from "../ledger/audit-table.js";
import { loadLabelSample } from "../ledger/label-sample.js";
import { threadsAt } from "../ledger/thread-counts.js";
import { buildGateFindings } from "../reports/build-gate-findings.js";
import { readGateInForce } from "../workspace/gate-store.js";
import type { Workspace } from "../workspace/workspace.js";
import { standingWatch } from "./gate-watch-standing.js";
import { startGate } from "./start-gate.js";

/**
 * What the gate finds in a whole run beyond counts: as `defensible gate --holdout --slices …` says it, with the settings of `gate`, the one in
 * force where it rests on this run, else with the workspace's own.
 */
export async function gateFindings(
  table: AuditTable,
  { workspace, runId, gate }: { workspace: Workspace; runId: string; gate: Gate | undefined },
): Promise<GateFindings> {
  const start = startGate(gate, workspace);
  const { by, limits, mode, q, delta, adjust, look, label_counts: labels } = start;
  const { paths, config } = workspace;
  const loaded = existsSync(paths.labels)
    ? await loadLabelSample(table, { path: paths.labels, format: "jsonl" }, { source: "human", runId })
    : null;
  const found = await buildGateFindings(table, {
    by,
    limits,
    options: { mode, q, delta, adjust, look, threadCap: start.thread_cap },
    threadsAt: threadsAt(start.as_of),
    labels,
    seed: config.seed,
    decisions: { jsonl: paths.decisions, parquet: paths.decisionsParquet },
    sample: loaded && loaded.n > 0 ? loaded.sample : null,
  });
  const inForce = readGateInForce(workspace)?.gate ?? null;
  return { run_id: runId, in_force: gate !== undefined, ...found, watch: await standingWatch(workspace, inForce) };
}
