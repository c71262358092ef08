import type { Estimate } from "../../core/estimate.js";
import type { ChannelTest } from "../../core/results/circularity.js";
import { wideInterval } from "../../present/words/wide-interval.js";
import { judgeEqual, test } from "./judge.js";

/** What is read of a kept `defensible validate`. */
export interface ValidatedWorlds {
  runs: string[];
  worlds: {
    conditions: readonly {
      name: string;
      bias: number;
      noise: number;
      estimators: readonly { quantity: string; error: Estimate; coverage: { clustered: Estimate } }[];
    }[];
  } | null;
}

export interface WorldTests {
  /** Of an auditor without bias: the estimators must be right. */
  counted: ChannelTest[];
  /** Of an auditor that favours the decider: how far that moves DI. It says what bias would do, not that there is any. */
  shown: ChannelTest[];
}

/** What the worlds of a kept `defensible validate` say. */
export function worldTests(validate: ValidatedWorlds | null, margin: number): WorldTests {
  const tests: WorldTests = { counted: [], shown: [] };
  for (const { name, bias, noise, estimators } of validate?.worlds?.conditions ?? []) {
    const index = estimators.find(({ quantity }) => quantity === "defensibility_index");
    if (!index) continue;
    const { error, coverage } = index;
    const ofError = test(`${name}: error of DI over worlds`, "points", error, judgeEqual(error, margin));
    const ofCoverage = test(
      `${name}: coverage of the clustered 95 % interval`,
      "rate",
      coverage.clustered,
      judgeCoverage(coverage.clustered),
    );
    if (bias !== 0) tests.shown.push(uncounted(ofError, "what planted favouritism does"));
    else if (noise === 0) tests.counted.push(ofError, ofCoverage);
    else {
      // An auditor's own errors move what it measures; an interval of sampling does not promise to cover that.
      tests.counted.push(ofError);
      tests.shown.push(uncounted(ofCoverage, "what the auditor's own errors cost"));
    }
  }
  return tests;
}

function uncounted(one: ChannelTest, why: string): ChannelTest {
  return { ...one, because: `shown, not counted: ${why}` };
}

/** An interval may cover more often than it promises. */
function judgeCoverage(coverage: Estimate): Pick<ChannelTest, "verdict" | "because"> {
  const interval = wideInterval(coverage);
  if (!interval) return { verdict: "not_available", because: (coverage as { reason: string }).reason };
  return interval.upper >= 0.95
    ? { verdict: "supports", because: "95 % is within its interval, or below it" }
    : { verdict: "does_not_support", because: "surely less than 95 %" };
}
