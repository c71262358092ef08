import { existsSync } from "node:fs";
import type { AuditTable } from "../../analysis/audit-table.js";
import { loadLabelTargets } from "../../analysis/label-sample.js";
import { readBeside, type SignalColumns } from "../../analysis/signal-columns.js";
import { TARGETS } from "../../analysis/targets.js";
import { loadTrueVerdicts, TRUE_VERDICTS } from "../../analysis/true-verdicts.js";
import type { ReferencePlaces } from "../truth-places.js";
import type { Reference } from "./measure-signals.js";

/** What else says whether the decisions of these rows are defensible: truth or gold, people, another auditor. */
export async function readReferences(
  table: AuditTable,
  columns: SignalColumns,
  arm: string,
  places: ReferencePlaces,
): Promise<Reference[]> {
  const found: Reference[] = [];
  const add = async (name: string, relation: string, under: string[] = []) => {
    const level = Uint8Array.from(await readBeside(table, columns, arm, relation, "b.level"), (one) => one || 0);
    if (level.some((one) => one > 0)) found.push({ name, level, ...(under.length > 0 && { under }) });
  };
  const truth = await loadTrueVerdicts(table, places, arm);
  if (truth) await add(truth.kind === "simulation" ? "truth" : "gold", TRUE_VERDICTS, truth.under);
  if (!existsSync(places.labels)) return found;
  for (const source of ["human", "gold", "auditor"] as const) {
    if (found.some(({ name }) => name === source)) continue;
    const labels = { path: places.labels, format: "jsonl" } as const;
    if ((await loadLabelTargets(table, labels, { source })).given > 0) await add(source, TARGETS);
  }
  return found;
}
