import type { Estimate } from "../../src/domain/estimate.js";
import { usePage } from "../data/page-context.ts";
import { valueAt } from "../data/pointer.ts";
import { Num } from "./num.tsx";
import type { NumberForm } from "./number-form.ts";

interface EstProps {
  /** JSON pointer to an estimate. */
  at: string;
  as?: NumberForm;
  /** What stands beside the value: nothing, the interval, or interval and counts. */
  with?: "value" | "interval" | "all";
}

/** An estimate with its interval and counts, or why it is undefined. */
export function Est({ at, as = "percent", with: beside = "all" }: EstProps) {
  const estimate = valueAt(usePage(), at) as Estimate | undefined;
  if (!estimate || estimate.estimate === null) {
    return <span className="undefined">undefined: {estimate?.reason ?? "the report does not have it"}</span>;
  }
  return (
    <span className="est">
      <Num at={`${at}/estimate`} as={as} />
      {beside !== "value" && (
        <span className="interval" title={`${100 * estimate.level} % interval, ${estimate.method}`}>
          {" "}
          <Num at={`${at}/lower`} as={as} /> to <Num at={`${at}/upper`} as={as} />
        </span>
      )}
      {beside === "all" && (
        <span className="of">
          {" "}
          {estimate.k !== undefined && (
            <>
              <Num at={`${at}/k`} as="whole" /> of{" "}
            </>
          )}
          <Num at={`${at}/n`} as="whole" />
        </span>
      )}
    </span>
  );
}
