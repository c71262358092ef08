import type { ChannelTest } from "../../domain/circularity.js";
import type { Estimate } from "../../domain/estimate.js";
import type { Validate } from "../../domain/validate.js";
import { wideInterval } from "../wide-interval.js";
import { judgeEqual, test } from "./judge.js";

export interface WorldTests {
  /** Of an auditor without bias: the estimators must be right. */
  counted: ChannelTest[];
  /** Of an auditor that favours the decider: how far that moves DI. It says what bias would do, not that there is any. */
  shown: ChannelTest[];
}

/** What the worlds of a kept `defensible validate` say. */
export function worldTests(validate: Validate | null, margin: number): WorldTests {
  const tests: WorldTests = { counted: [], shown: [] };
  for (const { name, bias, estimators } of validate?.worlds?.conditions ?? []) {
    const index = estimators.find(({ quantity }) => quantity === "defensibility_index");
    if (!index) continue;
    const { error, coverage } = index;
    if (bias !== 0) {
      const because = "shown, not counted: what planted favouritism does";
      tests.shown.push(
        test(`${name}: error of DI over worlds`, "points", error, { ...judgeEqual(error, margin), because }),
      );
      continue;
    }
    tests.counted.push(
      test(`${name}: error of DI over worlds`, "points", error, judgeEqual(error, margin)),
      test(
        `${name}: coverage of the clustered 95 % interval`,
        "rate",
        coverage.clustered,
        judgeCoverage(coverage.clustered),
      ),
    );
  }
  return tests;
}

/** An interval may cover more often than it promises. */
function judgeCoverage(coverage: Estimate): Pick<ChannelTest, "verdict" | "because"> {
  const interval = wideInterval(coverage);
  if (!interval) return { verdict: "not_available", because: (coverage as { reason: string }).reason };
  return interval.upper >= 0.95
    ? { verdict: "supports", because: "95 % is within its interval, or below it" }
    : { verdict: "does_not_support", because: "surely less than 95 %" };
}
