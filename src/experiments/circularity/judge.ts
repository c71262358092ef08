import type { Estimate } from "../../core/estimate.js";
import type { Channel, ChannelTest, ChannelVerdict } from "../../core/results/circularity.js";
import { wideInterval } from "../../present/words/numbers.js";

interface Judged {
  verdict: ChannelVerdict;
  because: string;
}

/** A difference that favouritism would make positive: none, or no more than the margin, is what an impartial auditor shows. */
export function judgeInflation(estimate: Estimate, margin: number): Judged {
  const interval = wideInterval(estimate);
  if (!interval) return { verdict: "not_available", because: (estimate as { reason: string }).reason };
  if (interval.upper <= margin) return { verdict: "supports", because: "no more than the margin, at 95 %" };
  if (interval.lower > 0) return { verdict: "does_not_support", because: "above zero, as favouritism would make it" };
  return { verdict: "cannot_tell", because: "the interval holds both zero and more than the margin" };
}

/** An association that must be there. */
export function judgePositive(estimate: Estimate, none = 0): Judged {
  const interval = wideInterval(estimate);
  if (!interval) return { verdict: "not_available", because: (estimate as { reason: string }).reason };
  if (interval.lower > none) return { verdict: "supports", because: `above ${none}, at 95 %` };
  if (interval.upper <= none) return { verdict: "does_not_support", because: `not above ${none}, at 95 %` };
  return { verdict: "cannot_tell", because: `the interval holds ${none}` };
}

/** A difference that must not be there. */
export function judgeEqual(estimate: Estimate, margin: number): Judged {
  const interval = wideInterval(estimate);
  if (!interval) return { verdict: "not_available", because: (estimate as { reason: string }).reason };
  if (interval.lower >= -margin && interval.upper <= margin) {
    return { verdict: "supports", because: "within the margin, at 95 %" };
  }
  if (interval.lower > 0 || interval.upper < 0) return { verdict: "does_not_support", because: "not zero, at 95 %" };
  return { verdict: "cannot_tell", because: "the interval holds zero and reaches beyond the margin" };
}

export function test(name: string, unit: ChannelTest["unit"], value: Estimate, judged: Judged): ChannelTest {
  return { name, unit, value, ...judged };
}

/** One test against is enough; for, all that could be made must be. */
export function judgeAll(tests: readonly ChannelTest[]): Judged {
  const made = tests.filter(({ verdict }) => verdict !== "not_available");
  if (made.length === 0) {
    return {
      verdict: "not_available",
      because: tests.map(({ because }) => because).join("; ") || "there is no evidence",
    };
  }
  const against = made.filter(({ verdict }) => verdict === "does_not_support");
  if (against.length > 0) return { verdict: "does_not_support", because: names(against) };
  const open = made.filter(({ verdict }) => verdict === "cannot_tell");
  if (open.length > 0) return { verdict: "cannot_tell", because: names(open) };
  return { verdict: "supports", because: names(made) };
}

function names(tests: readonly ChannelTest[]): string {
  return tests.map(({ name, because }) => `${name}: ${because}`).join("; ");
}

export type ChannelText = Pick<Channel, "channel" | "title" | "can_show" | "cannot_show">;

/** A channel for which nothing is there yet. */
export function notAvailable(text: ChannelText, because: string, command: string): Channel {
  const source = { experiment: null, runs: [] };
  return { ...text, verdict: "not_available", because, tests: [], source, command };
}
