import type { Estimate } from "../../src/core/estimate.js";
import { Shown } from "./num.tsx";

interface CountsProps {
  of: Estimate;
  mark: string;
  /** What stands before the number of cases where none of them are counted out. */
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
