import type { AttackResult } from "../../../src/experiments/attack/result.js";
import { layerWords } from "../../../src/present/words/experiments/attack-words.js";
import { pCell, unbroken } from "../../../src/present/words/numbers.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";

const COUNTS = [
  { field: "both", name: "Both" },
  { field: "only_first", name: "Only the first" },
  { field: "only_second", name: "Only the second" },
  { field: "neither", name: "Neither" },
] as const;

/** What one layer notices and another does not. */
export function PairTable({ result, at }: Kept<AttackResult>) {
  if (result.mcnemar.length === 0) return null;
  return (
    <>
      <PlainTable
        caption="Layer against layer: attacks that are noticed by …"
        heads={[
          { key: "pair", name: "Layers" },
          { key: "target", name: "Attacks on the" },
          ...COUNTS.map(({ field, name }) => ({ key: field, name, align: "right" as const })),
          { key: "p", name: "p (McNemar)", align: "right" },
        ]}
        rows={result.mcnemar.map((row, i) => ({
          key: String(i),
          cells: [
            `${layerWords(row.first)} and ${layerWords(row.second)}`,
            row.target,
            ...COUNTS.map(({ field }) => <Num key={field} at={`${at}/mcnemar/${i}/${field}`} as="whole" />),
            unbroken(pCell(row.mid_p)),
          ],
        }))}
      />
      <p className="small muted">
        p: whether the first notices as many that the second misses as the other way round. It says nothing of false
        alarms.
      </p>
    </>
  );
}
