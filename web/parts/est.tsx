import type { Estimate } from "../../src/core/estimate.js";
import { isClusterWider, isShownAsWhole, isSilent, type NumberForm } from "../../src/present/words/numbers.js";
import { valueAt } from "../../src/present/words/sentence.js";
import { usePage } from "../data/page-context.ts";
import { Counts } from "./counts.tsx";
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

const NO_INTERVAL = "No spread can be seen in these cases, which does not make the number sure.";

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
      <Shown value={estimate.estimate} as={finer(estimate.estimate, as)} mark={`${mark}/estimate`} />
      {beside !== "value" && isSilent(estimate) && (
        <span className="interval" title={NO_INTERVAL}>
          {" "}
          {OPEN}no interval
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
          <span className="in-text">;</span> <Counts of={estimate} mark={mark} />
        </span>
      )}
      {beside !== "value" && <span className="in-text">)</span>}
    </span>
  );
}

/** Beside "9,996 of 10,000" stands no "100.0 %". */
function finer(value: number, as: NumberForm): NumberForm {
  return as === "percent" && isShownAsWhole(value) ? "risk" : as;
}

/** Brackets and separators belong to sentences; in tables and tiles place tells the parts apart. */
const OPEN = <span className="in-text">(</span>;
