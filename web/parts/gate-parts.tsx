import type { GateMode, GateState } from "../../src/core/gate.js";
import type { Level } from "../../src/core/records/level.js";
import type { CommunityEvaluation } from "../../src/measures/gate/gate-evaluation.js";
import { percent, whole } from "../../src/present/words/numbers.js";
import { LEVEL_WORDS, STATE_WORDS } from "../../src/present/words/words.js";
import { IntervalBar } from "./numbers/est.tsx";
import { Shown } from "./numbers/num.tsx";

interface GateRateProps {
  of: CommunityEvaluation;
  rate: "di" | "ai" | "ai_pure";
  /** JSON pointer to the community in the output of `defensible gate --json`. */
  mark: string;
}

/** A rate that the gate applies to a community, and its interval. */
export function GateRate({ of, rate, mark }: GateRateProps) {
  const interval = rate === "di" ? "di_interval" : "ambiguity_interval";
  const bounds = of[interval];
  return (
    <>
      <Shown value={of[rate]} mark={`${mark}/${rate}`} />
      {bounds && (
        <IntervalBar
          value={of[rate]!}
          {...bounds}
          title={`95% interval: ${percent(bounds.lower)} to ${percent(bounds.upper)}`}
        >
          {" "}
          <Shown value={bounds.lower} mark={`${mark}/${interval}/lower`} /> to{" "}
          <Shown value={bounds.upper} mark={`${mark}/${interval}/upper`} />
        </IntervalBar>
      )}
    </>
  );
}

interface MoreNeededProps {
  of: CommunityEvaluation;
  mode: GateMode;
  /** The gate's minimum number of verdicts. */
  min: number;
  mark: string | undefined;
}

/** How many more decisions a community needs to pass in a mode: 0 if it passes, words if there is no number. */
export function MoreNeeded({ of, mode, min, mark }: MoreNeededProps) {
  const { more, reason } = of[mode];
  const why = noNumber(of, mode, min);
  if (why === null) return <Shown value={more} as="whole" mark={mark} />;
  return (
    <span className="undefined" title={reason ?? undefined}>
      {why}
    </span>
  );
}

/** Why no number of decisions would open the gate, in the words of a cell; null if there is one. */
export function noNumber(community: CommunityEvaluation, mode: GateMode, min: number): string | null {
  const { n } = community;
  const { more, reason } = community[mode];
  // Without verdicts there are no observed rates, so the number is unknown.
  if (n === 0) return `at least ${whole(min)}`;
  if (more !== null) return null;
  // Too few to judge: the rates may still change.
  if (n < min) return `at least ${whole(min - n)}, and better rates`;
  return reason === null || reason.startsWith("no number of decisions helps") ? "fix first" : reason;
}

const SHAPES: Readonly<Record<GateState, string>> = {
  earned_autonomy: "M6 1a5 5 0 1 1 0 10a5 5 0 1 1 0-10Z",
  policy_gaps: "M1.5 1.5h9v9h-9Z",
  normative_complexity: "M6 1L11.5 10.5H0.5Z",
  insufficient: "M6 0.5L11.5 6L6 11.5L0.5 6Z",
};

const ROLES: Readonly<Record<GateState, string>> = {
  earned_autonomy: "earned",
  policy_gaps: "gaps",
  normative_complexity: "complex",
  insufficient: "few",
};

/** A community's state: shape and colour as in the charts, and its name. */
export function StateBadge({ state }: { state: GateState }) {
  const { name, meaning } = STATE_WORDS[state];
  return (
    <span className={`state state-${ROLES[state]}`} title={meaning}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={SHAPES[state]} />
      </svg>
      <span>{name}</span>
    </span>
  );
}

export function LevelBadge({ level, short = false }: { level: Level; short?: boolean }) {
  const { name, meaning } = LEVEL_WORDS[level];
  return (
    <span className="level" title={meaning}>
      <span className={`level-number level-number-${level}`}>{level}</span>
      <span className={short ? "visually-hidden" : undefined}>{name}</span>
    </span>
  );
}
