import { useMemo } from "react";
import { agreementTrapFigure } from "../../../src/present/figures/agreement-trap.js";
import { whatItMeans } from "../../../src/present/words/meaning.js";
import { againstWords } from "../../../src/present/words/route-words.js";
import { misjudgedSentence } from "../../../src/present/words/trap-examples.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { SentenceText } from "../../parts/text/prose.tsx";
import { capitalised } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";

/** How many decisions agreement misjudges: errors that the rules support, and successes that no rule supports. */
export function TrapHere() {
  const words = misjudgedSentence(usePage().report, "/report", { counted: false });
  return (
    words && (
      <p className="lead">
        <SentenceText of={words} />
      </p>
    )
  );
}

/** How much of that reference annotations or raters confirm. */
export function Confirmed() {
  const { against } = usePage().report;
  const confirmed = against?.confirmed;
  if (!confirmed) return null;
  const { disagreements_defensible: errors, agreed_indefensible: successes } = confirmed;
  if (errors.estimate === null || successes.estimate === null) return null;
  const at = "/report/against/confirmed";
  const share = (field: string) => (
    <>
      <Num at={`${at}/${field}/k`} as="whole" /> of <Num at={`${at}/${field}/n`} as="whole" />
    </>
  );
  const by = capitalised(againstWords(against.target).by);
  return (
    <p>
      <UserText text={by} max={40} /> confirm {share("disagreements_defensible")} disagreements that the auditor calls
      defensible, and {share("agreed_indefensible")} agreements that it calls indefensible.
    </p>
  );
}

/** The agreement trap as a chart, and its meaning in three sentences. */
export function TrapSection() {
  const page = usePage();
  const figure = useMemo(() => agreementTrapFigure(page), [page]);
  const meaning = useMemo(() => whatItMeans(page), [page]);
  return (
    <section aria-labelledby="trap" className="trap">
      <div className="meaning">
        <h2 id="trap">What it means</h2>
        <Confirmed />
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
