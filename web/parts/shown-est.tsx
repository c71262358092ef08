import type { Estimate } from "../../src/domain/estimate.js";
import { wideInterval } from "../../src/figures/wide-interval.js";
import { Shown } from "./num.tsx";
import type { NumberForm } from "./number-form.ts";

interface ShownEstProps {
  of: Estimate;
  as?: NumberForm;
  /** JSON pointer to it in what a command prints. */
  mark: string;
  with?: "value" | "interval" | "all";
}

/** An estimate that was computed here, with its interval (the wider of both) and counts, or why it is undefined. */
export function ShownEst({ of: estimate, as = "percent", mark, with: beside = "all" }: ShownEstProps) {
  if (estimate.estimate === null) return <span className="undefined">undefined: {estimate.reason}</span>;
  const interval = wideInterval(estimate) ?? estimate;
  const clustered = estimate.cluster?.lower === interval.lower && estimate.cluster.upper === interval.upper;
  const from = clustered ? `${mark}/cluster` : mark;
  return (
    <span className="est">
      <Shown value={estimate.estimate} as={as} mark={`${mark}/estimate`} />
      {beside !== "value" && (
        <span className="interval" title={`${100 * estimate.level} % interval`}>
          {" "}
          <Shown value={interval.lower} as={as} mark={`${from}/lower`} /> to{" "}
          <Shown value={interval.upper} as={as} mark={`${from}/upper`} />
        </span>
      )}
      {beside === "all" && estimate.k !== undefined && (
        <span className="of">
          {" "}
          <Shown value={estimate.k} as="whole" mark={`${mark}/k`} /> of{" "}
          <Shown value={estimate.n} as="whole" mark={`${mark}/n`} />
        </span>
      )}
    </span>
  );
}
