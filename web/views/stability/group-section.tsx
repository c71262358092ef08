import type { Stability } from "../../../src/experiments/stability/result.js";
import { pCell, unbroken } from "../../../src/present/words/numbers.js";
import type { Kept } from "../../data/use-experiment.ts";
import { valueName } from "../../draw/value-text.ts";
import { KeptFigure, KeptFigures } from "../../parts/experiment.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { temperatureName } from "./temperature-name.ts";

/** Flippers against Stable: groups that a pilot formed before anything was measured. */
export function GroupSection({ result, at }: Kept<Stability>) {
  const { groups, group_tests, temperatures } = result;
  const first = temperatures[0]?.temperature ?? null;
  const rows = group_tests
    .map((test, place) => ({ ...test, at: `${at}/group_tests/${place}` }))
    .filter(({ temperature }) => temperature === first);
  if (rows.length === 0 || !groups.pilot) {
    return (
      <Section id="groups" title="Flippers against Stable">
        <Nothing
          why="No pilot formed groups of cases before they were measured, so Flippers and Stable cannot be told apart."
          command="defensible stability"
        />
      </Section>
    );
  }
  return (
    <Section id="groups" title="Flippers against Stable">
      <p>
        <Num at={`${at}/groups/flippers`} as="whole" /> Flippers and <Num at={`${at}/groups/stable`} as="whole" />{" "}
        Stable were chosen beforehand from <Num at={`${at}/groups/pilot/candidates`} as="whole" /> candidates with{" "}
        <Num at={`${at}/groups/pilot/replicates`} as="whole" /> pilot audits each: a Flipper showed{" "}
        {groups.rule === "level" ? "more than one level" : "both level 3 and another"}. The pilot's audits are not among
        those measured.
      </p>
      <KeptFigures
        of={result}
        ids={["stability-flipper-spread", "stability-flipper-consistency", "stability-flipper-inverse"]}
      />
      <KeptFigure of={result} id="stability-flipper-stable" />
      <PlainTable
        caption={`Case values of the groups, ${temperatureName({ temperature: first })}`}
        heads={[
          { key: "metric", name: "Case value" },
          { key: "flippers", name: "Median, Flippers", align: "right" },
          { key: "stable", name: "Median, Stable", align: "right" },
          { key: "effect", name: "Cliff's δ", align: "right" },
          { key: "p", name: "p", align: "right" },
          { key: "adjusted", name: "p after correction", align: "right" },
        ]}
        rows={rows.map((row) => ({
          key: row.metric,
          cells: [
            valueName("metric", row.metric),
            <Num key="flippers" at={`${row.at}/median/flippers`} as="fine" />,
            <Num key="stable" at={`${row.at}/median/stable`} as="fine" />,
            <Est key="effect" at={`${row.at}/effect`} as="decimal" with="interval" />,
            unbroken(pCell(row.p_value)),
            unbroken(pCell(row.adjusted_p)),
          ],
        }))}
      />
      <p className="small muted">
        Mann and Whitney's test. δ = 1: every Flipper has the larger value; 0: none typically has. Corrected after Holm
        for all {group_tests.length} tests, the other temperatures included.
      </p>
    </Section>
  );
}
