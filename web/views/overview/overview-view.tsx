import { useMemo } from "react";
import { levelsFigure, rootCausesFigure } from "../../../src/present/figures/community-figures.js";
import { isMissing } from "../../../src/present/figures/missing.js";
import { keyFigures } from "../../../src/present/report/headline-document.js";
import { numbersDocument } from "../../../src/present/report/numbers-document.js";
import { usePage } from "../../data/page-context.ts";
import { DocumentSections, DocumentView } from "../../parts/document.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Tabs } from "../../parts/shell/menu.tsx";
import { useRoute } from "../../route/use-route.ts";
import { TrustBadge } from "../trust/reliance.tsx";
import { FirstActions, GateLine } from "./first-actions.tsx";
import { TrapHere, TrapSection } from "./headline.tsx";
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
