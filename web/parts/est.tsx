import type { Estimate } from "../../src/domain/estimate.js";
import type { NumberForm } from "../../src/figures/number-form.js";
import { valueAt } from "../../src/figures/pointer.js";
import { isClusterWider, isSilent } from "../../src/figures/wide-interval.js";
import { usePage } from "../data/page-context.ts";
import { Shown } from "./num.tsx";

interface EstimateForm {
  as?: NumberForm;
  /** What stands beside the value: nothing, the interval, or interval and counts. */
  with?: "value" | "interval" | "all";
}

/** An estimate of the page's data by its JSON pointer, with its interval (the wider one where communities are clusters too) and counts, or why it is undefined. */
export function Est({ at, ...form }: EstimateForm & { at: string }) {
  const estimate = valueAt(usePage(), at) as Estimate | undefined;
  return <ShownEst of={estimate} mark={at} {...form} />;
}

const NO_INTERVAL = "The cases are all alike, so their spread says nothing of how sure the number is.";

/** An estimate that was computed here; `mark` says what it must equal. */
export function ShownEst({
  of: estimate,
  mark,
  as = "percent",
  with: beside = "all",
}: EstimateForm & { of: Estimate | undefined; mark: string }) {
  if (!estimate || estimate.estimate === null) {
    return <span className="undefined">undefined: {estimate?.reason ?? "the report does not have it"}</span>;
  }
  const clustered = isClusterWider(estimate);
  const shown = clustered ? estimate.cluster! : estimate;
  const from = clustered ? `${mark}/cluster` : mark;
  return (
    <span className="est">
      <Shown value={estimate.estimate} as={as} mark={`${mark}/estimate`} />
      {beside !== "value" && isSilent(estimate) && (
        <span className="interval" title={NO_INTERVAL}>
          {" "}
          {OPEN}no interval: all alike
        </span>
      )}
      {beside !== "value" && !isSilent(estimate) && (
        <span className="interval" title={`${100 * estimate.level} % interval, ${shown.method}`}>
          {" "}
          {OPEN}
          <Shown value={shown.lower} as={as} mark={`${from}/lower`} /> to{" "}
          <Shown value={shown.upper} as={as} mark={`${from}/upper`} />
        </span>
      )}
      {beside === "all" && (
        <span className="of">
          <span className="in-text">;</span>{" "}
          {estimate.k === undefined ? (
            "n = "
          ) : (
            <>
              <Shown value={estimate.k} as="whole" mark={`${mark}/k`} /> of{" "}
            </>
          )}
          <Shown value={estimate.n} as="whole" mark={`${mark}/n`} />
        </span>
      )}
      {beside !== "value" && <span className="in-text">)</span>}
    </span>
  );
}

/** Brackets and separators belong to sentences; in tables and tiles place tells the parts apart. */
const OPEN = <span className="in-text">(</span>;
