import { type ReactNode, useMemo } from "react";
import { countOf, type Estimate } from "../../../src/core/estimate.js";
import { isModeration } from "../../../src/core/records/actions.js";
import type { ReportTarget } from "../../../src/core/results/report.js";
import { clusterToShow, FEW_CLUSTERS, fewClusters } from "../../../src/measures/metrics/target.js";
import { agreementTrapFigure } from "../../../src/present/figures/agreement-trap.js";
import { whatItMeans } from "../../../src/present/words/meaning.js";
import { isClusterWider, isSilent, percent } from "../../../src/present/words/numbers.js";
import { againstWords } from "../../../src/present/words/outcome-words.js";
import { valueAt } from "../../../src/present/words/sentence.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { KeyFigures } from "../../parts/numbers/key-figures.tsx";
import { Num, Shown } from "../../parts/numbers/num.tsx";
import { SentenceText } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { capitalised } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";

/** DI, AI, F1 and accuracy: value, counts, both intervals, and the target. */
export function Headline() {
  const { targets } = usePage().report;
  return (
    <section aria-labelledby="headline">
      <h2 id="headline">Key figures with intervals</h2>
      <KeyFigures
        of={[
          {
            key: "di",
            name: <Term symbol="DI">Defensibility Index</Term>,
            at: "/report/defensibility_index",
            note: (
              <Note
                at="/report/defensibility_index"
                judged="/report/against/defensibility_index"
                target={targets.defensibility_index}
              />
            ),
          },
          {
            key: "ai",
            name: <Term symbol="AI">Ambiguity Index</Term>,
            at: "/report/ambiguity_index",
            note: (
              <Note
                at="/report/ambiguity_index"
                judged="/report/against/ambiguity_index"
                target={targets.ambiguity_index}
              />
            ),
          },
          {
            key: "f1",
            name: <Term symbol="F1">F1 against people</Term>,
            at: "/report/agreement/f1",
            note: <Note at="/report/agreement/f1" counted={<CountedByF1 />} />,
          },
          {
            key: "accuracy",
            name: <Term symbol="accuracy">Accuracy against people</Term>,
            at: "/report/agreement/accuracy",
            note: <Note at="/report/agreement/accuracy" />,
          },
        ]}
      />
      <Intervals />
    </section>
  );
}

const STATUS: Readonly<Record<ReportTarget["status"], string>> = {
  met: "met",
  not_met: "not met",
  undecided: "undecided, the interval holds it",
  undefined: "cannot be judged",
};

interface NoteProps {
  at: string;
  target?: ReportTarget;
  counted?: ReactNode;
  /** The same quantity by gold or people. */
  judged?: string;
}

function Note({ at, target, counted, judged }: NoteProps) {
  const estimate = valueAt(usePage(), at) as Estimate;
  return (
    <>
      {clusterToShow(estimate) && !isSilent(estimate) && (
        <span className="line">
          {isClusterWider(estimate) ? "if decisions were independent " : "with communities as clusters "}
          <OtherInterval at={isClusterWider(estimate) ? at : `${at}/cluster`} />
        </span>
      )}
      {counted && <span className="line">{counted}</span>}
      {judged && <Judged at={judged} />}
      {target && (
        <span className="line">
          Target {target.direction === "at_least" ? "at least" : "at most"} {percent(target.target, 0)}:{" "}
          <b>{STATUS[target.status]}</b>
        </span>
      )}
    </>
  );
}

/** What gold, people or another run say of the same decisions. */
function Judged({ at }: { at: string }) {
  const page = usePage();
  const estimate = page.report.against && (valueAt(page, at) as Estimate | undefined);
  if (!estimate || estimate.estimate === null) return null;
  return (
    <span className="line">
      By <UserText text={page.report.against!.target} max={40} />{" "}
      <b>
        <Num at={`${at}/estimate`} />
      </b>{" "}
      of <Num at={`${at}/n`} as="whole" />
    </span>
  );
}

function OtherInterval({ at }: { at: string }) {
  return (
    <span className="unbroken">
      <Num at={`${at}/lower`} /> to <Num at={`${at}/upper`} />
    </span>
  );
}

/** F1 looks at fewer decisions than accuracy: what both allow plays no part. */
function CountedByF1() {
  const { agreement } = usePage().report;
  if (agreement.f1.estimate === null) return null;
  return (
    <>
      <Num at="/report/agreement/n_labelled" as="whole" /> labelled without the{" "}
      <Num at="/report/agreement/confusion/tn" as="whole" /> that both allow
    </>
  );
}

/** Said once for all of them. */
function Intervals() {
  const { defensibility_index: index } = usePage().report;
  if (index.estimate === null) return null;
  if (fewClusters(index) !== null) {
    return (
      <p className="muted small">
        Below each number its 95% interval. The <Num at="/report/defensibility_index/cluster/clusters" as="whole" />{" "}
        communities are taken as they are: with fewer than {FEW_CLUSTERS} it speaks of their decisions alone and says
        nothing of others.
      </p>
    );
  }
  if (!index.cluster) return <p className="muted small">Below each number its 95% interval.</p>;
  return (
    <p className="muted small">
      Below each number the wider of two 95% intervals: with{" "}
      <Num at="/report/defensibility_index/cluster/clusters" as="whole" /> communities
      {index.cluster.effective_clusters !== undefined && (
        <>
          {" "}
          (<Term symbol="G_eff">effective number</Term>{" "}
          <Num at="/report/defensibility_index/cluster/effective_clusters" as="decimal" />)
        </>
      )}{" "}
      as <Term symbol="V">clusters</Term>, whose decisions depend on each other, or with every decision taken by itself.
      Targets are judged by it.
    </p>
  );
}

/** How many decisions agreement misjudges: errors that the rules support, and successes that no rule supports. */
export function TrapHere() {
  const { trap, run, counts } = usePage().report;
  const errors = countOf(trap.disagreements_defensible);
  const successes = countOf(trap.accurate_but_indefensible.joint);
  // Agreement that miscounts nothing misleads nowhere.
  if (errors + successes === 0) return null;
  return (
    <p className="lead">
      Agreement with {isModeration(run.actions) ? "moderators" : "human labels"} misjudges{" "}
      <Shown value={errors + successes} as="whole" /> of the{" "}
      <Num at="/report/trap/accurate_but_indefensible/joint/n" as="whole" />
      {trap.accurate_but_indefensible.joint.n < counts.verdicts && " that have a label"}.
    </p>
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
  const by = against.target === "gold" ? "Reference annotations" : capitalised(againstWords(against.target).by);
  return (
    <p>
      <UserText text={by} max={40} /> confirm {share("disagreements_defensible")} disagreements that the auditor calls
      defensible, and {share("agreed_indefensible")} agreements that it calls indefensible.
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
