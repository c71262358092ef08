import { existsSync } from "node:fs";
import type { AuditTable } from "../../analysis/audit-table.js";
import { loadLabelSample } from "../../analysis/label-sample.js";
import { threadsAt } from "../../analysis/thread-counts.js";
import { buildGateFindings } from "../../app/gate/build-gate-findings.js";
import type { Gate } from "../../core/gate.js";
import type { GateFindings } from "../../measures/gate/gate-findings.js";
import { readGateInForce } from "../../store/files/gate-store.js";
import type { Workspace } from "../../store/files/workspace.js";
import { startGate } from "./start-gate.js";
import { standingWatch } from "./watch-standing.js";

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
