import type { AuditTable } from "../../analysis/audit-table.js";
import { readDecisionIds } from "../../analysis/score-table.js";
import type { SignalColumns } from "../../analysis/signal-columns.js";
import type { SamplingComparison } from "../../core/results/signal-experiment.js";
import { compareDraws } from "./sampling-draws.js";

/** Level probabilities of an arm's decisions, by decision, and how many draws they come from (none where they were read). */
export interface Drawn {
  ids: string[];
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  unitSpace: Uint8Array;
  samples: Float64Array;
  temperature: number | null;
}

export async function readDrawn(table: AuditTable, arm: string, columns: SignalColumns): Promise<Drawn> {
  const { p1, p2, p3, unitSpace, samples, temperature } = columns;
  const [first] = temperature;
  const one = first !== undefined && temperature.every((t) => t === first);
  const ids = await readDecisionIds(table, { arm });
  return { ids, p1, p2, p3, unitSpace, samples, temperature: one ? first : null };
}

/** Compares the two if one of them was read and the other drawn, on the decisions they share. */
export function pairDraws(name: string, a: Drawn, b: Drawn): SamplingComparison | null {
  const isDrawn = ({ samples }: Drawn) => samples.some((one) => one >= 2);
  if (isDrawn(a) === isDrawn(b)) return null;
  const [read, drawn] = isDrawn(a) ? [b, a] : [a, b];
  const at = new Map(drawn.ids.map((id, i) => [id, i]));
  const rows = read.ids.flatMap((id, i) => (at.has(id) ? [[i, at.get(id)!] as const] : []));
  const pick = (column: Float64Array, side: 0 | 1) => Float64Array.from(rows, (row) => column[row[side]]!);
  return compareDraws(name, {
    p1: pick(read.p1, 0),
    p2: pick(read.p2, 0),
    p3: pick(read.p3, 0),
    unitSpace: Uint8Array.from(rows, ([row]) => read.unitSpace[row]!),
    drawn: pick(drawn.p3, 1),
    draws: pick(drawn.samples, 1),
    temperature: drawn.temperature,
  });
}
