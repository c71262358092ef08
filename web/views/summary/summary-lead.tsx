import { auditorKind } from "../../../src/present/words/meaning.js";
import { byCount } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { Num } from "../../parts/num.tsx";

/** Whose word it is, where that is no judge of real policy. */
const SAYS = {
  baseline: ", says the built-in baseline, which reads words and not meaning",
  simulated: ", says a simulated auditor",
  model: "",
  unknown: "",
} as const;

/** The one finding, before anything else. */
export function SummaryLead() {
  const { report } = usePage();
  const { run, defensibility_index: index } = report;
  if (index.estimate === null) return <p className="lead">Not known yet: {index.reason}.</p>;
  const at = "/report/defensibility_index";
  return (
    <p className="lead">
      Yes for <Num at={`${at}/k`} as="whole" /> of <Num at={`${at}/n`} as="whole" />{" "}
      {byCount(index.n, "decision", "decisions")} (
      <Num at={`${at}/estimate`} as="rounded" />){SAYS[auditorKind(report)]}.
      {run.status === "open" && (
        <>
          {" "}
          This run is not finished: <Num at="/report/counts/attempted" as="whole" />
          {typeof run.planned === "number" && (
            <>
              {" "}
              of <Num at="/report/run/planned" as="whole" />
            </>
          )}{" "}
          audits so far, which are not a random sample of them.
        </>
      )}
    </p>
  );
}
