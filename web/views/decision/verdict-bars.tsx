import { LEVELS } from "../../../src/core/records/levels.js";
import type { PageAudit } from "../../../src/measures/report-page.js";
import { LevelBadge } from "../../parts/level-badge.tsx";
import { Num, Shown } from "../../parts/num.tsx";
import { ShareBars } from "./share-bars.tsx";

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
