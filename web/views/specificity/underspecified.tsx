import type { Tiers } from "../../../src/domain/tiers.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Est } from "../../parts/est.tsx";
import { PlainTable } from "../../parts/plain-table.tsx";
import { Section } from "../../parts/section.tsx";
import { Term } from "../../parts/term.tsx";
import { tierText } from "./tier-texts.ts";

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
  return (
    <Section id="underspecified" title="What the missing text leaves open">
      <p>
        What {first} leave unsaid would have settled <Est at={`${of}/gross`} /> decisions; they also opened{" "}
        <Est at={`${of}/reversals`} with="value" /> that had seemed settled. <Est at={`${of}/residual`} with="value" />{" "}
        stay open whatever is written today: only other rules could settle these.
      </p>
      <PlainTable
        caption="Shares of all decisions"
        heads={[
          { key: "what", name: "Decisions whose opposite could be derived too" },
          { key: "ai", name: <Term symbol="AI" />, align: "right" },
          { key: "pure", name: <Term symbol="AI_pure">Pure AI</Term>, align: "right" },
        ]}
        rows={rows.map(({ field, text }) => ({
          key: field,
          cells: [
            text,
            <Est key="ai" at={`${of}/${field}`} as={field === "net" ? "points" : "percent"} with="interval" />,
            <Est
              key="pure"
              at={`${at}/underspecification_pure/${field}`}
              as={field === "net" ? "points" : "percent"}
              with="interval"
            />,
          ],
        }))}
      />
      <p className="small muted">
        The net figure is what the paper calls community-level underspecification (AI_C); the share that longer rules
        settle is the gross one. AI also counts decisions that are indefensible and whose opposite is right; pure AI
        does not.
      </p>
    </Section>
  );
}
