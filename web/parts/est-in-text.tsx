import type { Estimate } from "../../src/domain/estimate.js";
import { wideInterval } from "../../src/figures/wide-interval.js";
import { usePage } from "../data/page-context.ts";
import { valueAt } from "../data/pointer.ts";
import { Shown } from "./num.tsx";
import type { NumberForm } from "./number-form.ts";

/** An estimate inside a sentence: its value, and in brackets its interval. */
export function EstInText({ at, as = "percent" }: { at: string; as?: NumberForm }) {
  const estimate = valueAt(usePage(), at) as Estimate | undefined;
  if (!estimate || estimate.estimate === null) {
    return <span className="undefined">undefined ({estimate?.reason ?? "the report does not have it"})</span>;
  }
  const { lower, upper } = wideInterval(estimate)!;
  const from = lower === estimate.lower && upper === estimate.upper ? at : `${at}/cluster`;
  return (
    <span>
      <Shown value={estimate.estimate} as={as} mark={`${at}/estimate`} /> (
      <Shown value={lower} as={as} mark={`${from}/lower`} /> to <Shown value={upper} as={as} mark={`${from}/upper`} />)
    </span>
  );
}
