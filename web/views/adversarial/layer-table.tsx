import type { AttackResult } from "../../../src/experiments/attack/result.js";
import { layerWords, thresholdText } from "../../../src/present/words/experiments/attack-words.js";
import { printable } from "../../../src/text/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { flaggedAt } from "./places.ts";

/** Every layer, when it flags, and how many clean cases it flags. */
export function LayerTable({ result, at }: Kept<AttackResult>) {
  const { layers, false_positives } = result;
  const decisions = [...new Set(false_positives.map((row) => row.decision))].filter((name) => name !== "all");
  const counts = result.counts as { choosing?: number; reported?: number };
  return (
    <Section id="layers" title="The layers, and their false alarms">
      <PlainTable
        caption="Clean cases that each layer flags; none of them should be"
        heads={[
          { key: "layer", name: "Layer" },
          { key: "all", name: "Clean flagged", align: "right" },
          ...decisions.map((name) => ({ key: `of ${name}`, name: printable(name, 30), align: "right" as const })),
          { key: "threshold", name: "Flags where" },
          { key: "rule", name: "In words" },
        ]}
        rows={layers.map(({ name, rule, threshold, reason }) => ({
          key: name,
          cells: [
            layerWords(name),
            ...["all", ...decisions].map((decision) => {
              const from = flaggedAt(result, at, name, decision);
              return from && <Est key={decision} at={from} with={decision === "all" ? "all" : "value"} />;
            }),
            thresholdText(name, threshold),
            `${printable(rule, 300).replaceAll("p_defensible", "P(defensible)")}${typeof reason === "string" ? ` (not possible: ${printable(reason, 200)})` : ""}`,
          ],
        }))}
      />
      <p className="small muted">
        {counts.choosing !== undefined && (
          <>
            Thresholds were chosen on <Num at={`${at}/counts/choosing`} as="whole" /> clean cases; these shares are of
            the other <Num at={`${at}/counts/reported`} as="whole" />.{" "}
          </>
        )}
        "Chosen": the layer with a threshold that was chosen there, instead of its own. The price is kept only on
        average over many sets of clean cases.
      </p>
    </Section>
  );
}
