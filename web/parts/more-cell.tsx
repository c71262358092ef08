import type { GateMode } from "../../src/core/gate.js";
import type { CommunityEvaluation } from "../../src/measures/gate/gate-evaluation.js";
import { noNumber } from "./more-needed.ts";
import { Shown } from "./num.tsx";

interface MoreNeededProps {
  of: CommunityEvaluation;
  mode: GateMode;
  /** Fewest verdicts that the gate judges by. */
  min: number;
  mark: string | undefined;
}

/** How many more decisions let a community pass in a mode: 0 where it passes, words where there is no number. */
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
