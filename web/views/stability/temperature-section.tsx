import type { ReactNode } from "react";
import type { Stability } from "../../../src/experiments/stability/result.js";
import { RATIO_READINGS } from "../../../src/present/words/experiments/experiment-words.js";
import { type NumberForm, pText } from "../../../src/present/words/numbers.js";
import type { Kept } from "../../data/use-experiment.ts";
import { KeptFigures } from "../../parts/experiment.tsx";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { temperatureName } from "./temperature-name.ts";

const scoreName = (symbol: string) => (symbol === "p_defensible" ? "P(defensible)" : symbol);

const FIRST_RANK = "h_citation_rank_correlation";

const GROUPS = { all: "all", stable: "Stable", flippers: "Flippers" } as const;

function spreadRows(score: "sd_pds" | "sd_p_defensible", symbol: string) {
  return (["all", "stable", "flippers"] as const).map((group) => ({
    name: (
      <>
        Mean sd of <Term symbol={symbol}>{scoreName(symbol)}</Term>, {GROUPS[group]}
      </>
    ),
    field: `${score}/${group}`,
    as: "fine" as const,
  }));
}

const ROWS: readonly { name: ReactNode; field: string; as: NumberForm }[] = [
  ...spreadRows("sd_pds", "S"),
  { name: "Ratio Flippers / Stable", field: "sd_pds/ratio", as: "decimal" },
  ...spreadRows("sd_p_defensible", "p_defensible"),
  { name: "Ratio Flippers / Stable", field: "sd_p_defensible/ratio", as: "decimal" },
  { name: "Boundary flip rate, Flippers", field: "boundary_flip_rate/flippers", as: "percent" },
  { name: "Boundary flip rate, Stable", field: "boundary_flip_rate/stable", as: "percent" },
  {
    name: (
      <>
        Rank correlation of <Term symbol="H[κ]" /> with that of the lowest temperature
      </>
    ),
    field: FIRST_RANK,
    as: "fine",
  },
  { name: <Term symbol="DI">Defensibility</Term>, field: "defensibility_index", as: "percent" },
];

/** The paper's table of the temperature sweep, with intervals, and what may be read off it. */
export function TemperatureSection({ result, at }: Kept<Stability>) {
  const { temperatures, h_citation_split_half: half } = result;
  return (
    <Section id="temperatures" title="By temperature">
      <KeptFigures of={result} ids={["stability-temperature-sweep", "stability-defensibility"]} />
      <PlainTable
        caption="Mean over cases with 95 % intervals; cases drawn with replacement within their group"
        heads={[
          { key: "measure", name: "Measure" },
          ...temperatures.map((one, i) => ({ key: String(i), name: temperatureName(one), align: "right" as const })),
        ]}
        rows={ROWS.map(({ name, field, as }) => ({
          key: field,
          cells: [
            name,
            ...temperatures.map((_, i) =>
              // With itself it is 1 by construction, which says nothing.
              field === FIRST_RANK && i === 0 ? null : (
                <Est key={field} at={`${at}/temperatures/${i}/${field}`} as={as} with="interval" />
              ),
            ),
          ],
        }))}
      />
      {temperatures.length > 1 && (
        <ul className="readings">
          <Reading result={result} at={at} score="pds" name="S" />
          <Reading result={result} at={at} score="p_defensible" name={scoreName("p_defensible")} />
          <DefensibilityReading result={result} at={at} />
          {half !== null && (
            <li>
              <Term symbol="H[κ]" />: two halves of the replicates at the lowest temperature correlate at{" "}
              <Num at={`${at}/h_citation_split_half`} as="fine" />, the most that another temperature can be expected to
              reach.
            </li>
          )}
        </ul>
      )}
    </Section>
  );
}

interface ReadingProps extends Kept<Stability> {
  score: "pds" | "p_defensible";
  name: string;
}

function Reading({ result, at, score, name }: ReadingProps) {
  const { estimate, reading, p_value } = result.ratio_slope[score];
  if (estimate.estimate === null) {
    return (
      <li>
        Ratio for {name}: slope undefined, {estimate.reason}.
      </li>
    );
  }
  return (
    <li>
      Ratio for {name}: slope <EstInText at={`${at}/ratio_slope/${score}/estimate`} as="decimal" /> per unit of
      temperature, {pText(p_value)}; {RATIO_READINGS[reading]}.
    </li>
  );
}

function DefensibilityReading({ result, at }: Kept<Stability>) {
  const { estimate, p_value } = result.defensibility_slope;
  if (estimate.estimate === null) return null;
  const last = result.temperatures.length - 1;
  const moves = estimate.lower > 0 || estimate.upper < 0;
  return (
    <li>
      <Term symbol="DI">Defensibility</Term>
      {result.temperatures[last]!.defensibility_index_change.estimate !== null && (
        <>
          {" "}
          changes by <EstInText at={`${at}/temperatures/${last}/defensibility_index_change`} as="points" /> from the
          lowest to the highest temperature, case by case
        </>
      )}
      ; slope {pText(p_value)}:{" "}
      {moves ? "it is not temperature-invariant" : "no movement is shown, which is not the same as none"}.
    </li>
  );
}
