import type { ReactNode } from "react";
import type { Estimate } from "../../../src/core/estimate.js";
import {
  isClusterWider,
  isSilent,
  type NumberForm,
  percent,
  wideInterval,
} from "../../../src/present/words/numbers.js";
import { finerForm, valueAt } from "../../../src/present/words/sentence.js";
import { usePage } from "../../data/page-context.ts";
import { Shown } from "./num.tsx";

interface EstimateForm {
  as?: NumberForm;
  /** Shown after the value: nothing, the interval, or interval and counts. */
  with?: "value" | "interval" | "all";
}

/** An estimate by its JSON pointer, with its interval (the wider one if communities are also clusters) and counts, or why it is undefined. */
export function Est({ at, ...form }: EstimateForm & { at: string }) {
  const estimate = valueAt(usePage(), at) as Estimate | undefined;
  return <ShownEst of={estimate} mark={at} {...form} />;
}

const NO_INTERVAL = "No spread can be seen in these cases, which does not make the number sure.";

/** An estimate computed here; `mark` points to the value that it must equal. */
export function ShownEst({
  of: estimate,
  mark,
  as = "percent",
  with: parts = "all",
}: EstimateForm & { of: Estimate | undefined; mark: string }) {
  if (!estimate || estimate.estimate === null) {
    return <span className="undefined">undefined: {estimate?.reason ?? "the report does not have it"}</span>;
  }
  const shown = isClusterWider(estimate) ? estimate.cluster! : estimate;
  // Only a share has a scale, from 0 to 100%, to draw on.
  const drawn = as === "percent" || as === "rounded";
  const bounds = (
    <>
      {" "}
      {OPEN}
      <Bounds of={estimate} as={as} mark={mark} />
    </>
  );
  return (
    <span className="est">
      <Shown value={estimate.estimate} as={finerForm(estimate.estimate, as)} mark={`${mark}/estimate`} />
      {parts !== "value" && isSilent(estimate) && (
        <span className="interval" title={NO_INTERVAL}>
          {" "}
          {OPEN}no interval
        </span>
      )}
      {parts !== "value" && !isSilent(estimate) && drawn && (
        <IntervalBar
          value={estimate.estimate}
          lower={shown.lower}
          upper={shown.upper}
          title={`${percent(shown.lower)} to ${percent(shown.upper)}: ${100 * estimate.level}% interval, ${shown.method}`}
        >
          {bounds}
        </IntervalBar>
      )}
      {parts !== "value" && !isSilent(estimate) && !drawn && (
        <span className="interval" title={`${100 * estimate.level}% interval, ${shown.method}`}>
          {bounds}
        </span>
      )}
      {parts === "all" && (
        <span className="of">
          <span className="in-text">;</span> <Counts of={estimate} mark={mark} />
        </span>
      )}
      {parts !== "value" && <span className="in-text">)</span>}
    </span>
  );
}

/** The interval's ends, of the wider one if communities are also clusters. */
export function Bounds({ of, as, mark }: { of: Estimate; as: NumberForm; mark: string }) {
  return <Ends of={wideInterval(of)!} as={as} at={endsOf(of, mark)} />;
}

/** Pointers to them. */
export function endsOf(estimate: Estimate, mark: string): { lower: string; upper: string } {
  const from = isClusterWider(estimate) ? `${mark}/cluster` : mark;
  return { lower: `${from}/lower`, upper: `${from}/upper` };
}

interface EndsProps {
  of: { lower: number; upper: number };
  as: NumberForm;
  at: { lower: string; upper: string };
}

export function Ends({ of: { lower, upper }, as, at }: EndsProps) {
  return (
    <>
      <Shown value={lower} as={as} mark={at.lower} /> to <Shown value={upper} as={as} mark={at.upper} />
    </>
  );
}

/** Brackets and separators are for sentences; tables and tiles separate the parts by position. */
const OPEN = <span className="in-text">(</span>;

interface CountsProps {
  of: Estimate;
  mark: string;
  /** Text before the number of cases if there is no count. */
  alone?: string;
}

/** What an estimate is of: "104 of 382", or "n = 382". */
export function Counts({ of, mark, alone = "n = " }: CountsProps) {
  const k = of.estimate === null ? undefined : of.k;
  return (
    <>
      {k === undefined ? (
        alone
      ) : (
        <>
          <Shown value={k} as="whole" mark={`${mark}/k`} /> of{" "}
        </>
      )}
      <Shown value={of.n} as="whole" mark={`${mark}/n`} />
    </>
  );
}

interface IntervalBarProps {
  value: number;
  lower: number;
  upper: number;
  /** The bounds as text, for screen readers, copying and hovering. */
  children: ReactNode;
  title: string;
}

/** A share's interval as a bar from 0 to 100%, with a mark at the value. */
export function IntervalBar({ value, lower, upper, children, title }: IntervalBarProps) {
  const percent = (share: number) => `${Math.min(100, Math.max(0, 100 * share))}%`;
  return (
    <span className="interval interval-drawn" title={title}>
      <span className="interval-bar" aria-hidden="true">
        <span className="interval-range" style={{ left: percent(lower), right: percent(1 - upper) }} />
        <span className="interval-value" style={{ left: percent(value) }} />
      </span>
      <span className="interval-text">{children}</span>
    </span>
  );
}
