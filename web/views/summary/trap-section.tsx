import { useMemo } from "react";
import { agreementTrapFigure } from "../../../src/figures/agreement-trap.js";
import { whatItMeans } from "../../../src/figures/meaning.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart.tsx";
import { Num } from "../../parts/num.tsx";
import { SentenceText } from "../../parts/sentence.tsx";

/** What the agreement trap is in this report, in one sentence. */
function TrapHere() {
  const { trap } = usePage().report;
  const { joint } = trap.accurate_but_indefensible;
  if (trap.disagreements_defensible.estimate === null || joint.estimate === null) return null;
  return (
    <p>
      <b>
        The agreement trap here: agreement counts <Num at="/report/trap/disagreements_defensible/k" as="whole" />{" "}
        decisions as errors that follow from the rules, and{" "}
        <Num at="/report/trap/accurate_but_indefensible/joint/k" as="whole" /> as successes that follow from none.
      </b>
    </p>
  );
}

/** The agreement trap in one picture, and what it means in three sentences. */
export function TrapSection() {
  const page = usePage();
  const figure = useMemo(() => agreementTrapFigure(page), [page]);
  const meaning = useMemo(() => whatItMeans(page), [page]);
  return (
    <section aria-labelledby="trap" className="trap">
      <div className="meaning">
        <h2 id="trap">What it means</h2>
        <TrapHere />
        {meaning.map((sentence, place) => (
          <p key={String(place)}>
            <SentenceText of={sentence} />
          </p>
        ))}
      </div>
      <Chart figure={figure} />
    </section>
  );
}
