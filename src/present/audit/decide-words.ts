import type { ProposalFlips } from "../../app/audit/decide/decide-tools.js";
import type { DecideResult } from "../../app/audit/decide/run-decide.js";
import { printable } from "../../text/printable.js";
import { plural } from "../words/numbers.js";
import { estimateText, spentText } from "./run-words.js";

/** Words about proposals in addition to their counts. */
export interface DecideFacts {
  decider: string;
  /** The file that they are in. */
  out: string;
  /** The new workspace around the file; undefined: nothing is there. */
  into: string | undefined;
  dryRun: boolean;
  priceKnown: boolean;
  replicates: number;
  /** null: each decision was proposed once. */
  flips: ProposalFlips | null;
}

/** How proposals went, as JSON. */
export function decideSummary(result: DecideResult, facts: DecideFacts) {
  const { failures, reason, stopped, usage, estimate, ...counts } = result;
  return {
    ...counts,
    failed: failures.count,
    first_failure: failures.first,
    commonest_failure: failures.commonest,
    stopped,
    reason: reason ? { code: reason.code, message: reason.message } : null,
    dry_run: facts.dryRun,
    estimate,
    usage: { ...usage, cost_usd: facts.priceKnown ? usage.cost_usd : null },
    out: facts.out,
    ...(facts.flips ? { replicates: facts.replicates, flips: facts.flips } : {}),
  };
}

/** Why decisions got no proposal: the first reason, and the commonest. */
export function failureLines({ failures: { count, first, commonest } }: DecideResult): string[] {
  if (!first || !commonest) return [];
  const lines = [`${plural(count, "decision")} got no proposal; the first: ${printable(first, 300)}`];
  if (count > 1)
    lines.push(`The commonest reason (${commonest.count} of ${count}): ${printable(commonest.reason, 300)}`);
  return lines;
}

/** How proposals went, in a few lines. */
export function decideLines(
  { planned, before, proposed, changed, stopped, usage, estimate }: DecideResult,
  { decider, out, into, dryRun, priceKnown }: DecideFacts,
): string[] {
  const earlier = before > 0 ? ` (${before} were there)` : "";
  if (dryRun) {
    const todo = `${plural(planned - before, "decision")} to be proposed${earlier}. Nothing was done.`;
    return estimate ? [estimateText(estimate), todo] : [todo];
  }
  const used = usage.input_tokens > 0 ? [`Used: ${spentText(usage)}${priceKnown ? "" : ", cost unknown"}.`] : [];
  if (stopped) {
    const share = `${before + proposed} of ${plural(planned, "decision")} ${planned === 1 ? "has" : "have"}`;
    return [`Stopped: ${share} a proposal. Repeat the command to continue.`, ...used];
  }
  const by = printable(decider, 80);
  return [
    `${plural(proposed, "decision")} proposed by ${by}${earlier}, ${changed} unlike the one before; in ${printable(out, 300)}.`,
    ...used,
    ...(into ? [`\`defensible audit --workspace ${printable(into, 200)}\` audits them.`] : []),
  ];
}
