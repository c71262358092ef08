import type { GateState } from "../../src/core/gate.js";
import { STATE_WORDS } from "../../src/present/words/words.js";

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

/** The state of a community: its shape and colour as in the pictures, and its name. */
export function StateBadge({ state, short = false }: { state: GateState; short?: boolean }) {
  const { name, meaning } = STATE_WORDS[state];
  return (
    <span className={`state state-${ROLES[state]}`} title={meaning}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={SHAPES[state]} />
      </svg>
      <span className={short ? "visually-hidden" : undefined}>{name}</span>
    </span>
  );
}
