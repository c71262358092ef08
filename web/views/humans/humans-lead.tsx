import type { Humans } from "../../../src/experiments/humans/result.js";
import type { Kept } from "../../data/use-experiment.ts";
import { EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Term } from "../../parts/text/term.tsx";

/** What was found: do people and the auditor order the cases alike? */
export function HumansLead({ result, at }: Kept<Humans>) {
  const simulated = "simulated_raters" in result;
  const { raters, cases, ratings } = result.counts;
  const place = result.correlations.findIndex(({ signal }) => signal === "pds");
  const { spearman, two_way } = result.correlations[place] ?? {};
  const interval = two_way ?? (spearman && spearman.estimate !== null ? spearman : undefined);
  return (
    <p className="lead">
      {simulated ? (
        <>
          Nobody rated: <Num at={`${at}/counts/raters`} as="whole" /> raters of{" "}
          <Num at={`${at}/counts/cases`} as="whole" /> cases were simulated from the planted truth. That shows that the
          instrument works, and nothing about people.{" "}
        </>
      ) : (
        <>
          <Num at={`${at}/counts/raters`} as="whole" /> {raters === 1 ? "person" : "people"} rated{" "}
          <Num at={`${at}/counts/cases`} as="whole" /> {cases === 1 ? "case" : "cases"} (
          <Num at={`${at}/counts/ratings`} as="whole" /> {ratings === 1 ? "rating" : "ratings"}).{" "}
        </>
      )}
      {interval && spearman?.estimate != null ? (
        <>
          Their mean rating and the auditor's <Term symbol="S" /> have a rank correlation of{" "}
          <EstInText at={`${at}/correlations/${place}/spearman`} as="decimal" />:{" "}
          {interval.lower > 0
            ? "they order the cases alike, as far as the interval says."
            : interval.upper < 0
              ? "they order the cases the other way round."
              : "chance alone could explain it."}
        </>
      ) : (
        "No rank correlation with S can be given."
      )}{" "}
      Raters and auditor are on the same side, defensible or not, in <EstInText at={`${at}/agreement/defensible`} /> of
      the cases.
    </p>
  );
}
