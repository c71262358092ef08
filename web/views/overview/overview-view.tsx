import { useMemo } from "react";
import { countOf } from "../../../src/core/estimate.js";
import { isModeration } from "../../../src/core/records/actions.js";
import { agreementTrapFigure } from "../../../src/present/figures/agreement-trap.js";
import { levelsFigure, rootCausesFigure } from "../../../src/present/figures/levels.js";
import { isMissing } from "../../../src/present/figures/missing.js";
import { keyFigures } from "../../../src/present/report/headline-document.js";
import { numbersDocument } from "../../../src/present/report/numbers-document.js";
import { whatItMeans } from "../../../src/present/words/meaning.js";
import { againstWords } from "../../../src/present/words/outcome-words.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { DocumentSections, DocumentView } from "../../parts/document.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Num, Shown } from "../../parts/numbers/num.tsx";
import { Tabs } from "../../parts/shell/menu.tsx";
import { SentenceText } from "../../parts/text/prose.tsx";
import { capitalised } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";
import { useRoute } from "../../route/use-route.ts";
import { TrustBadge } from "../trust/reliance.tsx";
import { FirstActions, GateLine } from "./first-actions.tsx";
import { Harm, OverviewNumbers, SummaryLead } from "./lead.tsx";
import { PayOff } from "./pay-off.tsx";
import { TrapPosts } from "./trap-posts.tsx";

const TABS = [
  { id: "", title: "Overview" },
  { id: "numbers", title: "All numbers" },
];

/** What a policy lead or a regulator reads first, and the numbers behind it. */
export function OverviewView() {
  const [screen] = useRoute().about;
  return (
    <>
      <Tabs label="Overview" of={TABS} />
      {screen === "numbers" ? <Numbers /> : <Overview />}
    </>
  );
}

/** One screen: trust, three decisions, four numbers, what to do. */
function Overview() {
  const { counts } = usePage().report;
  return (
    <div className="view">
      <h1>Can these decisions be derived from the rules?</h1>
      <div className="overview">
        <div className="leads">
          <SummaryLead />
          <TrapHere />
        </div>
        {counts.verdicts > 0 && (
          <>
            <TrustBadge linked />
            <TrapPosts />
            <OverviewNumbers />
            <Harm />
          </>
        )}
        <FirstActions />
      </div>
      {counts.verdicts > 0 && <GateLine />}
      <PayOff />
    </div>
  );
}

/** Indices, intervals, targets, causes, levels and breakdowns. */
function Numbers() {
  const page = usePage();
  const { report } = page;
  const { counts } = report;
  const document = useMemo(() => numbersDocument(report, { rows: Number.POSITIVE_INFINITY }), [report]);
  const figures = useMemo(
    () => [levelsFigure(page), rootCausesFigure(page)].flatMap((figure) => (isMissing(figure) ? [] : [figure])),
    [page],
  );
  return (
    <div className="view">
      <h1>All numbers</h1>
      <div className="leads">
        <SummaryLead />
      </div>
      {counts.verdicts > 0 && <DocumentSections blocks={keyFigures(report)} data={report} at="/report" />}
      <TrapSection />
      {counts.verdicts > 0 ? (
        <DocumentView of={document} at="/report" figures={figures} />
      ) : (
        <Nothing why="Without a verdict there are no levels, no ambiguity and no disagreements to show." />
      )}
    </div>
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
function TrapSection() {
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
