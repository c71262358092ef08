import { type ReactNode, useMemo } from "react";
import { LEVELS } from "../../../src/core/names.js";
import type { PageAudit, PageDecision } from "../../../src/measures/report-page.js";
import { decisionSignalFigure } from "../../../src/present/words/decision-signal.js";
import { LEVEL_WORDS, otherAction, SIGNAL_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { LevelBadge } from "../../parts/gate-parts.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Num, Shown } from "../../parts/numbers/num.tsx";
import { Section } from "../../parts/text/prose.tsx";

/** How certain the auditor was: its distributions, and what contributed to S. */
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

/** The probability of each level when the auditor wrote one. `at`: pointer to the audit. */
export function LevelBars({ audit, at }: { audit: PageAudit; at: string }) {
  const probs = audit.level_probs;
  if (!probs) return <p className="muted">There are no probabilities of the levels.</p>;
  return (
    <ShareBars
      name="Probability of each level"
      bars={LEVELS.map((level, place) => ({
        key: String(level),
        label: <LevelBadge level={level} />,
        share: probs[place]!,
        number: <Num at={`${at}/level_probs/${place}`} />,
        className: `fill-level-${level}`,
      }))}
    />
  );
}

/** The probability that the opposite is derivable too. */
function InverseBars({ audit, at }: { audit: PageAudit; at: string }) {
  const yes = audit.inverse_yes_prob;
  if (typeof yes !== "number") return <p className="muted">There are no probabilities of the inverse check.</p>;
  return (
    <ShareBars
      name="Probability that the opposite could be derived"
      bars={[
        {
          key: "yes",
          label: "Yes, it could",
          share: yes,
          number: <Num at={`${at}/inverse_yes_prob`} />,
          className: "fill-ambiguity",
        },
        {
          key: "no",
          label: "No, it could not",
          share: 1 - yes,
          number: <Shown value={1 - yes} />,
          className: "fill-muted",
        },
      ]}
    />
  );
}

export interface ShareBar {
  key: string;
  label: ReactNode;
  share: number;
  /** The formatted number, marked with its pointer. */
  number: ReactNode;
  className: string;
}

/** Shares of one whole as bars with their numbers. */
function ShareBars({ name, bars }: { name: string; bars: readonly ShareBar[] }) {
  return (
    <dl className="share-bars" aria-label={name}>
      {bars.map(({ key, label, share, number, className }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <span className="share-track" aria-hidden="true">
              <span
                className={`share-bar ${className}`}
                style={{ inlineSize: `${100 * Math.min(1, Math.max(0, share))}%` }}
              />
            </span>
            {number}
          </dd>
        </div>
      ))}
    </dl>
  );
}
