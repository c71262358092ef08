import type { Tiers } from "../../../src/experiments/rules/tiers/result.js";
import { tierText } from "../../../src/present/words/rule-texts.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";

/** Normative underspecification in words: what the missing text leaves open. */
export function Underspecified({ result, at }: Kept<Tiers>) {
  const [first, last] = [tierText(result.tiers[0]!.tier), tierText(result.tiers.at(-1)!.tier)];
  const rows = [
    { field: "gross", text: `Open with ${first}, settled with ${last} (gross)` },
    { field: "reversals", text: `Open with ${last} only (reversals)` },
    { field: "net", text: "Gross less reversals (net)" },
    { field: "residual", text: `Still open with ${last} (residual)` },
  ];
  const of = `${at}/underspecification`;
  const pure = `${at}/underspecification_pure`;
  return (
    <Section id="underspecified" title="What the missing text leaves open">
      <p>
        With {last} instead of {first}, <EstInText at={`${pure}/gross`} counts /> of the decisions are settled that
        could have gone either way, and <Est at={`${pure}/reversals`} with="value" /> opened that had seemed settled.{" "}
        <EstInText at={`${pure}/residual`} /> stay open both ways whatever is written today: only other rules could
        settle these. The <Term symbol="AI">Ambiguity Index</Term> is then <Est at={`${of}/residual`} with="value" />,
        as it also counts decisions that the rules contradict: these are settled, against the decision.
      </p>
      <PlainTable
        caption="Shares of all decisions"
        heads={[
          { key: "what", name: "Decisions whose opposite could be derived" },
          { key: "ai", name: <Term symbol="AI">Ambiguity</Term>, align: "right" },
          { key: "pure", name: <Term symbol="AI_pure">Pure ambiguity</Term>, align: "right" },
        ]}
        rows={rows.map(({ field, text }) => ({
          key: field,
          cells: [
            text,
            <Est key="ai" at={`${of}/${field}`} as={field === "net" ? "points" : "percent"} with="interval" />,
            <Est key="pure" at={`${pure}/${field}`} as={field === "net" ? "points" : "percent"} with="interval" />,
          ],
        }))}
      />
      <p className="small muted">
        The net figure is what the paper calls community-level underspecification (AI_C); the share that longer rules
        settle is the gross one. Ambiguity also counts decisions that are indefensible and whose opposite is right; pure
        ambiguity does not.
      </p>
    </Section>
  );
}
