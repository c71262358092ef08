import { useMemo } from "react";
import { countOf } from "../../../src/core/estimate.js";
import { agreementTrapFigure } from "../../../src/present/figures/agreement-trap.js";
import { whatItMeans } from "../../../src/present/words/meaning.js";
import { byCount } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart.tsx";
import { Num } from "../../parts/num.tsx";
import { SentenceText } from "../../parts/sentence.tsx";
import { UserText } from "../../parts/user-text.tsx";

/** What agreement miscounts in this report, decision by decision, and how much of it gold or people bear out. */
export function TrapHere() {
  const { trap } = usePage().report;
  const { joint } = trap.accurate_but_indefensible;
  const errors = countOf(trap.disagreements_defensible);
  const successes = countOf(joint);
  // Agreement that miscounts nothing misleads nobody.
  if (errors + successes === 0) return null;
  return (
    <p>
      <b>
        Decision by decision agreement misleads: it counts{" "}
        {errors > 0 && (
          <>
            <Num at="/report/trap/disagreements_defensible/k" as="whole" />{" "}
            {byCount(errors, "decision as an error that follows", "decisions as errors that follow")} from the rules
          </>
        )}
        {errors > 0 && successes > 0 && ", and "}
        {successes > 0 && (
          <>
            <Num at="/report/trap/accurate_but_indefensible/joint/k" as="whole" />{" "}
            {errors === 0 && byCount(successes, "decision ", "decisions ")}
            {byCount(successes, "as a success that follows", "as successes that follow")} from none
          </>
        )}
        .
      </b>
      <Confirmed />
    </p>
  );
}

function Confirmed() {
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
  return (
    <>
      {" "}
      That is the auditor's word; <UserText text={against.target} max={40} /> confirms{" "}
      {share("disagreements_defensible")} and {share("agreed_indefensible")}.
    </>
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
