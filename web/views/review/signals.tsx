import { useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { otherAction, SIGNAL_WORDS } from "../../../src/present/words/audit-words.js";
import { decisionSignalFigure } from "../../../src/present/words/decision-signal.js";
import { LEVEL_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { InverseBars, LevelBars } from "./bars.tsx";

/** How sure the auditor was: its distributions, and what contributed to S. */
export function DecisionSignals({ decision: { audit }, at }: { decision: PageDecision; at: string }) {
  const page = usePage();
  const figure = useMemo(() => decisionSignalFigure(page, audit), [page, audit]);
  const none = audit.outcome !== "verdict" || (!audit.level_probs && typeof audit.inverse_yes_prob !== "number");
  return (
    <Section id="decision-signals" title="How sure the auditor was">
      {none ? (
        <Nothing
          why={
            audit.outcome !== "verdict"
              ? "Without a verdict there is nothing to be sure of."
              : SIGNAL_WORDS[audit.signal].meaning
          }
        />
      ) : (
        <>
          <p className="muted">
            {SIGNAL_WORDS[audit.signal].meaning}
            {typeof audit.samples === "number" && (
              <>
                {" "}
                Here: <Num at={`${at}/audit/samples`} as="whole" />.
              </>
            )}
          </p>
          <div className="columns">
            <div>
              <h3>Level</h3>
              <LevelBars audit={audit} at={`${at}/audit`} />
              {audit.level && audit.level_map && audit.level !== audit.level_map && (
                <p className="small">
                  It wrote level {audit.level}, though level {audit.level_map} (
                  {LEVEL_WORDS[audit.level_map].name.toLowerCase()}) was the most probable when it did.
                </p>
              )}
            </div>
            <div>
              <h3>Could {otherAction(page.report)} be derived?</h3>
              <InverseBars audit={audit} at={`${at}/audit`} />
            </div>
          </div>
          <Chart figure={figure} />
        </>
      )}
    </Section>
  );
}
