import type { Tiers } from "../../../src/experiments/rules/tiers/result.js";
import { tierText } from "../../../src/present/words/rule-texts.js";
import { printable } from "../../../src/text/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Nothing } from "../../parts/nothing.tsx";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";

const GROUPS = [
  { field: "differs", name: "Some rule has more text" },
  { field: "own_differs", name: "A rule of the community's own has" },
  { field: "same", name: "No rule has" },
] as const;

/** The change of AI where the text that the auditor read really differs, and where it does not. */
export function TextTable({ result, at }: Kept<Tiers>) {
  const { text } = result;
  return (
    <Section id="texts" title="Where the text really differs">
      {text.known ? (
        <>
          <PlainTable
            caption="Change of ambiguity among decisions by what the finer text adds"
            heads={[
              { key: "step", name: "Step" },
              ...GROUPS.map(({ field, name }) => ({ key: field, name, align: "right" as const })),
              { key: "alike", name: "Communities alike", align: "right" },
            ]}
            rows={text.steps.map((step, i) => {
              const row = `${at}/text/steps/${i}`;
              return {
                key: `${step.from} ${step.to}`,
                cells: [
                  `${tierText(step.from)} to ${tierText(step.to)}`,
                  ...GROUPS.map(({ field }) =>
                    step[field].n === 0 ? (
                      "no decision"
                    ) : (
                      <Est key={field} at={`${row}/${field}/changes/ambiguity_index/difference`} as="points" />
                    ),
                  ),
                  <Num key="alike" at={`${row}/communities_same`} as="whole" />,
                ],
              };
            })}
          />
          <p className="small muted">
            Where no rule has more text nothing was changed, so what moves there is the auditor's own variation.
            Communities alike: those whose own rules are word for word the same in both.
          </p>
        </>
      ) : (
        <Nothing why={`Not known: ${printable(text.reason, 300)}.`} />
      )}
    </Section>
  );
}
