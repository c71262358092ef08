import { useMemo } from "react";
import { agreementTrapFigure } from "../../../src/figures/agreement-trap.js";
import { whatItMeans } from "../../../src/figures/meaning.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart.tsx";
import { SentenceText } from "../../parts/sentence.tsx";

/** The agreement trap in one picture, and what it means in three sentences. */
export function TrapSection() {
  const page = usePage();
  const figure = useMemo(() => agreementTrapFigure(page), [page]);
  const meaning = useMemo(() => whatItMeans(page), [page]);
  return (
    <section aria-labelledby="trap" className="trap">
      <div className="meaning">
        <h2 id="trap">What it means</h2>
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
