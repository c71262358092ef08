import { usePage } from "../../data/page-context.ts";
import { Num } from "../../parts/num.tsx";

/** The one finding, before anything else. */
export function SummaryLead() {
  const { run, defensibility_index: index } = usePage().report;
  if (index.estimate === null) return <p className="lead">Nobody knows yet: {index.reason}.</p>;
  const at = "/report/defensibility_index";
  return (
    <p className="lead">
      Yes for <Num at={`${at}/k`} as="whole" /> of <Num at={`${at}/n`} as="whole" /> audited decisions,{" "}
      <Num at={`${at}/estimate`} />. The auditor found no rule that carries the other{" "}
      <Num at="/report/levels/3/k" as="whole" />.
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
          audits so far, which are no random part of them.
        </>
      )}
    </p>
  );
}
