import type { FamilyCount, TruthSource } from "../../analysis/labels/true-verdicts.js";
import type { ReplicateColumns } from "../../analysis/replicate-columns.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { type SignalWeights, underText, weightsText } from "../../present/words/experiment-words.js";
import { wideInterval } from "../../present/words/numbers.js";
import { ratioOfMeans } from "../../stats/intervals/ratio-of-means.js";
import { correlate, pairUp } from "../signal/signals.js";
import { errorDifference, type PairedErrors, pairedDifference } from "./differences.js";
import type { Channel, ChannelTest } from "./result.js";

const TRUTH_TEXT: ChannelText = {
  channel: "truth",
  title: "Truth: do the indices come out where the truth is known?",
  can_show:
    "How far DI and ambiguity are from their true values where these are planted or annotated, and whether the error is larger for deciders of the auditor's family.",
  cannot_show:
    "How the auditor errs on other platforms and other rules. In a simulated world with a simulated auditor it shows that the estimators are right, not that a model is.",
};

interface TruthEvidence {
  /** The kept result of `defensible validate`, over many worlds. */
  validate?: ValidatedWorlds | null;
  truth: TruthSource | null;
  families: readonly FamilyCount[];
  margin: number;
  runs: string[];
}

/** Truth-based validation on this run, and over the worlds of a kept `defensible validate`. */
export function truthChannel({ truth, families, margin, runs, validate = null }: TruthEvidence): Channel {
  const worlds = worldTests(validate, margin);
  const own = truth ? ownTests(families, margin, underText(truth.under)) : [];
  const counted = [...own, ...worlds.counted];
  if (counted.length === 0) {
    return notAvailable(
      TRUTH_TEXT,
      "nothing is known to be true of these decisions: no simulated truth, no reference annotations",
      "defensible simulate DIR --preset small, then defensible validate",
    );
  }
  return {
    ...TRUTH_TEXT,
    ...judgeAll(counted),
    tests: [...counted, ...worlds.shown],
    source: { experiment: validate ? "validate" : null, runs: truth ? runs : (validate?.runs ?? []) },
    command: worlds.counted.length > 0 ? null : "defensible validate (many worlds, and an auditor with planted bias)",
  };
}

function ownTests(families: readonly FamilyCount[], margin: number, under: string): ChannelTest[] {
  const none = "no verdict is of a decision that something is known of";
  const index = pairedDifference(errors(families, "defensible"), none);
  const ambiguity = pairedDifference(errors(families, "inverse"), none);
  const kin = kinError(families);
  return [
    test(`DI by the auditor − DI by the truth${under}`, "points", index, judgeEqual(index, margin)),
    test(`AI by the auditor − AI by the truth${under}`, "points", ambiguity, judgeEqual(ambiguity, margin)),
    test("error of DI, the auditor's family − other deciders", "points", kin, judgeInflation(kin, margin)),
  ];
}

function errors(families: readonly FamilyCount[], of: "defensible" | "inverse"): PairedErrors[] {
  return families.map((row) => ({ plus: row[`${of}_plus`], minus: row[`${of}_minus`], n: row.known }));
}

/**
 * How much more DI is inflated when the decider belongs to the auditor's family: the error for one kind of decider minus that for the
 * other. Comparing with the truth removes real differences between deciders, so only favouritism is left.
 */
function kinError(families: readonly FamilyCount[]): Estimate {
  const communities = [...new Set(families.map(({ community }) => community))];
  const rows = new Map(families.map((row) => [JSON.stringify([row.community, row.same_family]), row]));
  const side = (same: boolean) =>
    communities.map((community): PairedErrors => {
      const row = rows.get(JSON.stringify([community, same]));
      return row ? errors([row], "defensible")[0]! : { plus: 0, minus: 0, n: 0 };
    });
  const of = (same: boolean) => families.some((row) => row.same_family === same && row.known > 0);
  if (!of(true)) return undefinedEstimate("no decision is by a model that is known to be of the auditor's family", 0);
  if (!of(false)) return undefinedEstimate("every decision is by a model of the auditor's family", 0);
  return errorDifference(side(true), side(false), "fewer than two decisions on one side");
}

/** The fields read from a kept `defensible validate`. */
interface ValidatedWorlds {
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

interface WorldTests {
  /** With an unbiased auditor, so the estimators must be right. */
  counted: ChannelTest[];
  /** With an auditor that favours the decider: how far this moves DI. It shows the effect of bias, not that there is any. */
  shown: ChannelTest[];
}

function worldTests(validate: ValidatedWorlds | null, margin: number): WorldTests {
  const tests: WorldTests = { counted: [], shown: [] };
  for (const { name, bias, noise, estimators } of validate?.worlds?.conditions ?? []) {
    const index = estimators.find(({ quantity }) => quantity === "defensibility_index");
    if (!index) continue;
    const { error, coverage } = index;
    const ofError = test(`${name}: error of DI over worlds`, "points", error, judgeEqual(error, margin));
    const ofCoverage = test(
      `${name}: coverage of the clustered 95% interval`,
      "rate",
      coverage.clustered,
      judgeCoverage(coverage.clustered),
    );
    if (bias !== 0) tests.shown.push(uncounted(ofError, "what planted favouritism does"));
    else if (noise === 0) tests.counted.push(ofError, ofCoverage);
    else {
      // An auditor's own errors shift its measurements; a sampling interval does not promise to cover that.
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
function judgeCoverage(coverage: Estimate): Judged {
  return judge(coverage, ({ upper }) =>
    upper >= 0.95
      ? { verdict: "supports", because: "95% is within its interval, or below it" }
      : { verdict: "does_not_support", because: "surely less than 95%" },
  );
}

type Judged = Pick<ChannelTest, "verdict" | "because">;

function judge(estimate: Estimate, of: (interval: { lower: number; upper: number }) => Judged): Judged {
  const interval = wideInterval(estimate);
  return interval ? of(interval) : { verdict: "not_available", because: (estimate as { reason: string }).reason };
}

/** A difference that favouritism would make positive: an impartial auditor shows none, or no more than the margin. */
export function judgeInflation(estimate: Estimate, margin: number): Judged {
  return judge(estimate, ({ lower, upper }) => {
    if (upper <= margin) return { verdict: "supports", because: "no more than the margin, at 95%" };
    if (lower > 0) return { verdict: "does_not_support", because: "above zero, as favouritism would make it" };
    return { verdict: "cannot_tell", because: "the interval holds both zero and more than the margin" };
  });
}

/** An association that must exist. */
export function judgePositive(estimate: Estimate, none = 0): Judged {
  return judge(estimate, ({ lower, upper }) => {
    if (lower > none) return { verdict: "supports", because: `above ${none}, at 95%` };
    if (upper <= none) return { verdict: "does_not_support", because: `not above ${none}, at 95%` };
    return { verdict: "cannot_tell", because: `the interval holds ${none}` };
  });
}

/** A difference that must be zero. */
export function judgeEqual(estimate: Estimate, margin: number): Judged {
  return judge(estimate, ({ lower, upper }) => {
    if (lower >= -margin && upper <= margin) return { verdict: "supports", because: "within the margin, at 95%" };
    if (lower > 0 || upper < 0) return { verdict: "does_not_support", because: "not zero, at 95%" };
    return { verdict: "cannot_tell", because: "the interval holds zero and reaches beyond the margin" };
  });
}

export function test(name: string, unit: ChannelTest["unit"], value: Estimate, judged: Judged): ChannelTest {
  return { name, unit, value, ...judged };
}

/** One test against is enough to reject; support needs all available tests. */
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

/** A channel without evidence so far. */
export function notAvailable(text: ChannelText, because: string, command: string): Channel {
  const source = { experiment: null, runs: [] };
  return { ...text, verdict: "not_available", because, tests: [], source, command };
}

const CONVERGENCE_TEXT: ChannelText = {
  channel: "convergence",
  title: "Convergence: are cases called ambiguous also the unstable ones?",
  can_show:
    "Whether cases that one half of the replicates calls open both ways spread more in the other half, in S and in the level. No draw is on both sides, so that the two are not coupled by counting.",
  cannot_show:
    "Validity: both readings are of one auditor with one prompt, which may be unsure about cases that the rules settle. A case in which the inverse check always fires is settled too, the other way, so that the relation need not rise all the way. It shows that ambiguity and instability are one property of a case, as this auditor reads it.",
};

export interface ConvergenceEvidence {
  columns: ReplicateColumns;
  arm: string;
  runs: string[];
  /** Read from the run of a kept stability experiment. */
  kept: boolean;
  /** Weights of S, if known. */
  weights?: SignalWeights | undefined;
}

/** Channel 4 on disjoint replicates; null: no decision was audited often enough. `because`: why a kept result is not of this auditor. */
export function convergenceChannel(evidence: ConvergenceEvidence | null, because: string | null = null): Channel {
  if (!evidence) {
    const none = "no decisions were audited four times or more";
    return notAvailable(CONVERGENCE_TEXT, because ? `${none}, and ${because}` : none, "defensible stability");
  }
  const { columns, arm, weights } = evidence;
  const S = weights ? `S (${weightsText(weights)})` : "S";
  const halves = readHalves(columns);
  const clusters = { community: columns.community, communities: { length: columns.communities } };
  const where = arm === "" ? "" : ` (${arm})`;
  const none = "no replicate has S";
  const spread = correlate(
    pairUp(halves.spread, (d) => halves.open[d]!, clusters),
    none,
  );
  const unstable = correlate(
    pairUp(halves.unstable, (d) => halves.open[d]!, clusters),
    "no decisions",
  );
  const apart = pairUp(halves.spread, (d) => (halves.open[d]! >= 0.5 ? 1 : 0), clusters);
  const ratio: Estimate =
    apart.values.length === 0
      ? undefinedEstimate(none, 0)
      : ratioOfMeans(apart.values, apart.partner, apart.cluster, apart.clusters);
  const tests = [
    test(
      `Spearman of P(inverse = Yes) with sd of ${S}, other replicates${where}`,
      "correlation",
      spread,
      judgePositive(spread),
    ),
    test(
      `Spearman of P(inverse = Yes) with 1 − dominant share of the level, other replicates${where}`,
      "correlation",
      unstable,
      judgePositive(unstable),
    ),
    test(`mean sd of ${S}, ambiguous over unambiguous cases${where}`, "ratio", ratio, judgePositive(ratio, 1)),
  ];
  return {
    ...CONVERGENCE_TEXT,
    ...judgeAll(tests),
    tests,
    source: { experiment: evidence.kept ? "stability" : null, runs: evidence.runs },
    command: null,
  };
}

/** By decision: P(inverse = Yes) from the even replicates; sd of S and 1 − dominant level share from the odd ones. */
function readHalves({
  decisions,
  start,
  level,
  inverse,
  pds,
}: ReplicateColumns): Record<"open" | "spread" | "unstable", Float64Array> {
  const open = new Float64Array(decisions);
  const spread = new Float64Array(decisions);
  const unstable = new Float64Array(decisions);
  for (let d = 0; d < decisions; d++) {
    const counts = [0, 0, 0];
    let [yes, even, odd, n, mean, squares] = [0, 0, 0, 0, 0, 0];
    for (let i = start[d]!; i < start[d + 1]!; i++) {
      if ((i - start[d]!) % 2 === 0) {
        even++;
        yes += inverse[i]!;
        continue;
      }
      odd++;
      counts[level[i]! - 1]!++;
      if (Number.isNaN(pds[i]!)) continue;
      n++;
      const step = pds[i]! - mean;
      mean += step / n;
      squares += step * (pds[i]! - mean);
    }
    open[d] = yes / even;
    spread[d] = n > 1 ? Math.sqrt(squares / (n - 1)) : Number.NaN;
    unstable[d] = 1 - Math.max(...counts) / odd;
  }
  return { open, spread, unstable };
}
