import type { TierGroup } from "../../../src/experiments/rules/tiers/result.js";
import { whole } from "../../../src/present/words/numbers.js";
import { tierText, tierWithCode } from "../../../src/present/words/rule-texts.js";
import { printable } from "../../../src/text/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Term } from "../../parts/text/term.tsx";

/** The paper's table: the indices under each tier, and their change from the first. */
export function LadderTable({ result, at, of }: Kept<TierGroup> & { of?: string }) {
  const first = result.tiers[0]!.tier;
  return (
    <div className="stacked">
      <PlainTable
        caption={
          of === undefined
            ? `All decisions. Changes are from ${tierText(first)}`
            : `Decisions "${printable(of, 40)}" alone: ${whole(result.n)}`
        }
        heads={[
          { key: "tier", name: "Rule text" },
          { key: "di", name: <Term symbol="DI">Defensibility</Term>, align: "right" },
          { key: "ai", name: <Term symbol="AI">Ambiguity</Term>, align: "right" },
          { key: "pure", name: <Term symbol="AI_pure">Pure ambiguity</Term>, align: "right" },
          { key: "l3", name: "Indefensible", align: "right" },
          { key: "ddi", name: "Change of defensibility", align: "right" },
          { key: "dai", name: "Change of ambiguity", align: "right" },
        ]}
        rows={result.tiers.map(({ tier }, i) => {
          const place = result.steps.findIndex(({ from, to }) => from === first && to === tier);
          const row = `${at}/tiers/${i}`;
          const step = `${at}/steps/${place}/changes`;
          const change = (field: string) =>
            i === 0 || place < 0 ? null : (
              <Est key={field} at={`${step}/${field}/difference`} as="points" with="interval" />
            );
          return {
            key: tier,
            cells: [
              of === undefined ? tierWithCode(tier) : tierText(tier),
              <Est key="di" at={`${row}/defensibility_index`} with="interval" />,
              <Est key="ai" at={`${row}/ambiguity_index`} with="interval" />,
              <Est key="pure" at={`${row}/ambiguity_pure`} with="interval" />,
              <Num key="l3" at={`${row}/indefensible`} as="whole" />,
              change("defensibility_index"),
              change("ambiguity_index"),
            ],
          };
        })}
      />
    </div>
  );
}
