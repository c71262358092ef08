import type { CommunityEvaluation } from "../../src/measures/gate/gate-evaluation.js";
import { Shown } from "./num.tsx";

interface GateRateProps {
  of: CommunityEvaluation;
  rate: "di" | "ai" | "ai_pure";
  /** JSON pointer to the community in what `defensible gate --json` prints. */
  mark: string;
}

/** A rate that the gate judges a community by, and its interval. */
export function GateRate({ of, rate, mark }: GateRateProps) {
  const interval = rate === "di" ? "di_interval" : "ambiguity_interval";
  const bounds = of[interval];
  return (
    <>
      <Shown value={of[rate]} mark={`${mark}/${rate}`} />
      {bounds && (
        <span className="interval">
          {" "}
          <Shown value={bounds.lower} mark={`${mark}/${interval}/lower`} /> to{" "}
          <Shown value={bounds.upper} mark={`${mark}/${interval}/upper`} />
        </span>
      )}
    </>
  );
}
