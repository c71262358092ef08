import type { Stability } from "../../../src/experiments/stability/result.js";
import { VARIANCE_SOURCES } from "../../../src/present/words/experiments/experiment-words.js";
import type { Kept } from "../../data/use-experiment.ts";
import { valueName } from "../../draw/value-text.ts";
import { KeptFigure } from "../../parts/experiment.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Est } from "../../parts/numbers/est.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { capitalised } from "../../parts/text/words.ts";

/** Governance ambiguity against sampling noise, as shares of variance. */
export function VarianceSection({ result, at }: Kept<Stability>) {
  const known = result.decomposition
    .map((one, place) => ({ ...one, at: `${at}/decomposition/${place}/components` }))
    .filter(({ components }) => components.length > 0);
  if (known.length === 0) {
    return (
      <Section id="variance" title="Where the variance comes from">
        <Nothing why={`Undefined: ${result.decomposition[0]?.reason ?? "no scores"}.`} />
      </Section>
    );
  }
  const sources = Object.keys(VARIANCE_SOURCES).filter((source) =>
    known.some(({ components }) => components.some((one) => one.source === source)),
  );
  const truncated = known.some(({ components }) => components.some((one) => one.truncated));
  const missing = known[0]!.not_estimated.filter((source) => !source.startsWith("case_by_"));
  return (
    <Section id="variance" title="Where the variance comes from">
      <KeptFigure of={result} id="stability-variance" />
      <PlainTable
        caption={`Shares of the variance, by the method of moments on the ${known[0]!.cases} cases that have every condition`}
        heads={[
          { key: "source", name: "Source" },
          ...known.map(({ of }) => ({
            key: of,
            name: of === "verdict" ? "Defensible or not" : capitalised(valueName("of", of)),
            align: "right" as const,
          })),
        ]}
        rows={sources.map((source) => ({
          key: source,
          cells: [
            VARIANCE_SOURCES[source],
            ...known.map(({ of, components, at: from }) => {
              const place = components.findIndex((one) => one.source === source);
              if (place < 0) return null;
              return (
                <span key={of}>
                  <Est at={`${from}/${place}/share`} with="interval" />
                  {components[place]!.truncated && " *"}
                </span>
              );
            }),
          ],
        }))}
      />
      <p className="small muted">
        Case: what it is, and what its rules say. Trace: the same question asked again at the same settings. Token: the
        draw of the last word, given the reasoning before it.
        {truncated && " * The estimate was negative and counts as 0."}
        {missing.length > 0 && ` Not estimated, since it was not varied: ${missing.join(", ")}.`}
      </p>
    </Section>
  );
}
