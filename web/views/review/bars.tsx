import type { ReactNode } from "react";
import { LEVELS } from "../../../src/core/records/levels.js";
import type { PageAudit } from "../../../src/measures/report-page.js";
import { LevelBadge } from "../../parts/level-badge.tsx";
import { Num, Shown } from "../../parts/numbers/num.tsx";

/** How probable each level was when the auditor wrote one. `at`: pointer to the audit. */
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

/** How probable it was that the opposite could be derived too. */
export function InverseBars({ audit, at }: { audit: PageAudit; at: string }) {
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
  /** The number as it is written, marked with where it comes from. */
  number: ReactNode;
  className: string;
}

/** Shares of one whole as bars with their numbers. The numbers say it all; the bars are for the eye. */
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
