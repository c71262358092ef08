import { usePage } from "../../data/page-context.ts";
import { FlipSection } from "../../parts/flip-section.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { AgainstSection } from "./against-section.tsx";
import { BreakdownSection } from "./breakdown-section.tsx";
import { CountsSection } from "./counts-section.tsx";
import { DisagreementSection } from "./disagreement-section.tsx";
import { FirstActions } from "./first-actions.tsx";
import { GateLine } from "./gate-line.tsx";
import { Headline } from "./headline.tsx";
import { LevelsSection } from "./levels-section.tsx";
import { Harm, OverviewNumbers } from "./overview-numbers.tsx";
import { PayOff } from "./pay-off.tsx";
import { SummaryLead } from "./summary-lead.tsx";
import { TrapPosts } from "./trap-posts.tsx";
import { TrapHere, TrapSection } from "./trap-section.tsx";

/** The page that a policy lead or a regulator reads first. */
export function SummaryView() {
  const { counts } = usePage().report;
  return (
    <div className="view summary">
      <h1>Can these decisions be derived from the rules?</h1>
      <div className="overview">
        <div className="leads">
          <SummaryLead />
          <TrapHere />
        </div>
        {counts.verdicts > 0 && (
          <>
            <TrapPosts />
            <OverviewNumbers />
            <Harm />
            <PayOff />
          </>
        )}
      </div>
      <FirstActions />
      {counts.verdicts > 0 && <GateLine />}
      {counts.verdicts > 0 && <Headline />}
      <TrapSection />
      {counts.verdicts > 0 ? (
        <>
          <DisagreementSection />
          <LevelsSection />
          <BreakdownSection />
          <FlipSection />
          <AgainstSection />
        </>
      ) : (
        <Nothing why="Without a verdict there are no levels, no ambiguity and no disagreements to show." />
      )}
      <CountsSection />
    </div>
  );
}
