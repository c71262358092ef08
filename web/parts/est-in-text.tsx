import type { Estimate } from "../../src/core/estimate.js";
import { isClusterWider, isSilent, type NumberForm, wideInterval } from "../../src/present/words/numbers.js";
import { valueAt } from "../../src/present/words/sentence.js";
import { usePage } from "../data/page-context.ts";
import { Counts } from "./counts.tsx";
import { Shown } from "./num.tsx";

interface EstInTextProps {
  at: string;
  as?: NumberForm;
  /** "27.2 % (23.0 % to 31.9 %, 104 of 382)". */
  counts?: boolean;
}

/** An estimate inside a sentence: its value, and in brackets its interval. */
export function EstInText({ at, as = "percent", counts = false }: EstInTextProps) {
  const estimate = valueAt(usePage(), at) as Estimate | undefined;
  if (!estimate || estimate.estimate === null) {
    return <span className="undefined">undefined ({estimate?.reason ?? "the report does not have it"})</span>;
  }
  const { lower, upper } = wideInterval(estimate)!;
  const from = isClusterWider(estimate) ? `${at}/cluster` : at;
  if (isSilent(estimate)) {
    return (
      <span>
        <Shown value={estimate.estimate} as={as} mark={`${at}/estimate`} /> (
        {counts && (
          <>
            <Counts of={estimate} mark={at} />,{" "}
          </>
        )}
        no spread to be seen, so without an interval)
      </span>
    );
  }
  return (
    <span>
      <Shown value={estimate.estimate} as={as} mark={`${at}/estimate`} /> (
      <Shown value={lower} as={as} mark={`${from}/lower`} /> to <Shown value={upper} as={as} mark={`${from}/upper`} />
      {counts && (
        <>
          , <Counts of={estimate} mark={at} />
        </>
      )}
      )
    </span>
  );
}
