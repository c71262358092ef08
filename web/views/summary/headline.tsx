import type { Estimate } from "../../../src/domain/estimate.js";
import type { ReportTarget } from "../../../src/domain/report.js";
import { percent } from "../../../src/figures/numbers.js";
import { wideInterval } from "../../../src/figures/wide-interval.js";
import { usePage } from "../../data/page-context.ts";
import { valueAt } from "../../data/pointer.ts";
import { KeyFigures } from "../../parts/key-figures.tsx";
import { Num } from "../../parts/num.tsx";
import { Term } from "../../parts/term.tsx";

/** DI, AI, F1 and accuracy: value, interval, counts, the interval with communities as clusters, and the target. */
export function Headline() {
  const { targets } = usePage().report;
  return (
    <section aria-labelledby="headline">
      <h2 id="headline" className="visually-hidden">
        The numbers to look at first
      </h2>
      <KeyFigures
        of={[
          {
            key: "di",
            name: <Term symbol="DI">Defensibility Index</Term>,
            at: "/report/defensibility_index",
            note: <Note at="/report/defensibility_index" target={targets.defensibility_index} />,
          },
          {
            key: "ai",
            name: <Term symbol="AI">Ambiguity Index</Term>,
            at: "/report/ambiguity_index",
            note: <Note at="/report/ambiguity_index" target={targets.ambiguity_index} />,
          },
          {
            key: "f1",
            name: <Term symbol="F1">F1 against people</Term>,
            at: "/report/agreement/f1",
            note: <Note at="/report/agreement/f1" />,
          },
          {
            key: "accuracy",
            name: <Term symbol="accuracy">Accuracy against people</Term>,
            at: "/report/agreement/accuracy",
            note: <Note at="/report/agreement/accuracy" />,
          },
        ]}
      />
    </section>
  );
}

const STATUS: Readonly<Record<ReportTarget["status"], string>> = {
  met: "met",
  not_met: "not met",
  undecided: "undecided, the interval holds it",
  undefined: "cannot be judged",
};

function Note({ at, target }: { at: string; target?: ReportTarget }) {
  const estimate = valueAt(usePage(), at) as Estimate;
  const cluster = estimate.estimate === null ? undefined : estimate.cluster;
  const wide = wideInterval(estimate);
  return (
    <>
      {cluster && (
        <span className="line">
          {wide?.lower === cluster.lower ? (
            <>
              interval with <Num at={`${at}/cluster/clusters`} as="whole" /> communities as{" "}
              <Term symbol="V">clusters</Term>; <Num at={`${at}/lower`} /> to <Num at={`${at}/upper`} /> if decisions
              were independent
            </>
          ) : (
            <>
              <Num at={`${at}/cluster/lower`} /> to <Num at={`${at}/cluster/upper`} /> with{" "}
              <Num at={`${at}/cluster/clusters`} as="whole" /> communities as <Term symbol="V">clusters</Term>
            </>
          )}
        </span>
      )}
      {target && (
        <span className="line">
          Target {target.direction === "at_least" ? "at least" : "at most"} {percent(target.target, 0)}:{" "}
          <b>{STATUS[target.status]}</b>
        </span>
      )}
    </>
  );
}
