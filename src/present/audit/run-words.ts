import type { LiveCounts } from "../../app/audit/audit-request.js";
import type { ProposalFlips } from "../../app/audit/decide/decide-tools.js";
import type { DecideResult } from "../../app/audit/decide/run-decide.js";
import type { PromptCounts, RunEstimate } from "../../app/audit/estimate.js";
import type { Remarks } from "../../app/audit/plan.js";
import type { AuditResult } from "../../app/audit/run-audit.js";
import { Refusal } from "../../app/notices.js";
import { dollars } from "../../audit/calls/budget.js";
import { InputError } from "../../core/errors.js";
import type { Usage } from "../../core/records/audit.js";
import type { RunCounts } from "../../core/records/manifest.js";
import { printable } from "../../text/printable.js";
import { plural, whole } from "../words/numbers.js";
import { batchText } from "../words/route-words.js";

/** A refusal in the terms of `defensible audit`. */
export function auditRefusal(why: { code: string }): InputError {
  if (why.code !== "two_actions") return new Refusal(why);
  return new InputError(
    why.code,
    "alternatives: the workspace has two actions, so the only alternative is the opposite",
    "`defensible audit --flip all` audits the opposite of every decision.",
  );
}

/** The outcome of a run, as JSON. */
export function auditSummary(result: AuditResult) {
  return {
    status: result.status,
    run_id: result.runId,
    continued: result.continued,
    counts: result.counts,
    ...(result.flip ? { flip: result.flip } : {}),
    ...(result.alternatives > 0 ? { alternatives: result.alternatives } : {}),
    ...(result.stated > 0 ? { stated_reasons: result.stated } : {}),
    communities_without_rules: result.communitiesWithoutRules,
    ...(result.noRules.decisions > 0 ? { no_rules: result.noRules } : {}),
    ...(result.reason ? { reason: { code: result.reason.code, message: result.reason.message } } : {}),
    ...(result.batch ? { batch: { ...result.batch, states: result.batch.states.map(batchText) } } : {}),
    ...(result.prompts ? { prompts: promptSummary(result.prompts) } : {}),
    ...(result.intake ? { answers: result.intake } : {}),
    ...(result.estimate ? { estimate: result.estimate } : {}),
    ...(result.remarks.cached > 0 ? { cached: result.remarks.cached } : {}),
    ...(result.usage?.input_tokens ? { usage: result.usage } : {}),
  };
}

function promptSummary({ audits, written, shared, answered, noRules, tooLong }: PromptCounts) {
  return { audits, written, shared, answered, no_rules: noRules, rules_too_long: tooLong };
}

/** Prompts written to be answered elsewhere. */
export function promptSentence({ status, prompts }: AuditResult, file: string): string {
  if (prompts === null) return `Nothing is left to ask: ${printable(file)} is empty.`;
  const { written, shared, answered, noRules, tooLong, example } = prompts;
  const lines = [`Wrote ${plural(written, "prompt")} to ${printable(file)}. No model was asked.`];
  if (answered > 0 && status === "planned") lines.push(`Left out: ${plural(answered, "prompt")} with an answer.`);
  if (shared > 0)
    lines.push(`Left out: ${plural(shared, "prompt")} with the text of another, whose answer serves both.`);
  if (noRules > 0) lines.push(`Without a prompt: ${plural(noRules, "audit")} under no rule.`);
  if (tooLong > 0) lines.push(`Without a prompt: ${plural(tooLong, "audit")}. ${printable(example ?? "", 500)}`);
  return lines.join("\n");
}

/** The outcome of a run in a sentence or two. `next`: the next step; `plan`: what is planned, if more than the audits known so far. */
export function auditSentence(
  result: AuditResult,
  ms: number,
  next = " `defensible report` shows what they say.",
  plan = "",
): string {
  const { status, runId, continued, counts, flip, usage, batch, estimate } = result;
  const done = counts.verdicts + counts.unscored + counts.errors;
  const lost = flip ? flip.unscored + flip.errors : 0;
  const control = flip
    ? `; flip control: ${plural(flip.planned, "opposite")}${lost > 0 ? `, ${lost} without a verdict` : ""}`
    : "";
  const among = amongText(result, `of ${plural(counts.planned, "audit")} are`);
  const outcome = `${plural(counts.verdicts, "verdict")}, ${counts.unscored} unscored, ${plural(counts.errors, "error")}${among && `; ${among}`}${control}`;
  if (status === "planned") {
    const run = runId ? `; run ${runId} has ${whole(done)} of them` : "";
    const among = amongText(result, "of them");
    const others = among && ` (${among})`;
    const planned = flip ? `, and ${plural(flip.planned, "opposite")} for the flip control` : "";
    return `${plan || `${plural(counts.planned, "audit")} planned${others}${planned}`}${run}. Nothing was ${result.prompts ? "audited" : "done"}.${estimate || result.prompts ? "" : NO_CALLS}`;
  }
  if (status === "waiting" && result.intake) {
    const { missing } = result.intake;
    const there = done + (flip ? flip.verdicts + flip.unscored + flip.errors : 0);
    return `Run ${runId} is waiting for answers: ${plural(there, "audit")} done, ${whole(missing)} to come. Add answers to the file and repeat the command.${result.prompts ? "" : " With --prompts FILE it writes what is still open."}${intakeText(result)}`;
  }
  if (status === "waiting") {
    const sent = batch!.submitted > 0 ? `${plural(batch!.submitted, "question")} sent; ` : "";
    const states = batch!.states.map((state) => `\n  ${printable(batchText(state), 300)}`).join("");
    return `Run ${runId}: ${sent}${plural(batch!.waiting, "answer")} to come from the batch service.${states}\n\`defensible runs show ${runId}\` follows it; repeat the command to collect.`;
  }
  if (status === "done") {
    return `Run ${runId} is complete: ${outcome}. Nothing was left to do; --new starts another.${retryHint(result)}`;
  }
  if (status === "stopped") {
    const more = result.reason ? "" : " Repeat the command to continue.";
    return `Stopped: run ${runId} has ${whole(done)} of ${plural(counts.planned, "audit")}.${more}`;
  }
  const cached = result.remarks.cached > 0 ? `, ${result.remarks.cached} from the cache (--no-cache asks anew)` : "";
  const paid = usage?.input_tokens ? ` (${spentText(usage)}${cached})` : cached;
  const speed = `${(ms / 1000).toFixed(1)} s${estimate ? paid : ""}`;
  return `${continued ? "Continued and finished" : "Finished"} run ${runId}: ${outcome}, in ${speed}.${next}${retryHint(result)}${intakeText(result)}`;
}

/** Audits of something other than the original decisions. `them`: what the first number counts. */
function amongText({ alternatives, stated }: AuditResult, them: string): string {
  const counts = [`${whole(alternatives)} ${them} of alternatives`, `${whole(stated)} ${them} of stated reasons`];
  if (alternatives > 0 && stated > 0) return `${counts[0]}, ${whole(stated)} of stated reasons`;
  return alternatives > 0 ? counts[0]! : stated > 0 ? counts[1]! : "";
}

/** For a plan without an estimate: the baseline, an auditor that answers from a file, or a model inside this process. */
const NO_CALLS = " No provider is called: 0 calls, $0.";

/** Answers that could not be used, each kind with its first line. */
function intakeText({ intake }: AuditResult): string {
  if (!intake) return "";
  const { extra, spare, replaced, failed, malformed, foreign, first } = intake;
  const at = (kind: keyof typeof first) => {
    const { line, words } = first[kind]!;
    return ` (${intake[kind] > 1 ? "the first: " : ""}line ${whole(line)}${words === null ? "" : `: ${printable(words, 200)}`})`;
  };
  const parts = [
    extra > 0 ? `${plural(extra, "answer")} to prompts that this command does not ask` : "",
    spare > 0 ? `${plural(spare, "answer")} beyond the draws that are wanted` : "",
    replaced > 0 ? `${plural(replaced, "answer")} replaced by a later one of the same draw` : "",
    malformed > 0 ? `${plural(malformed, "line")} not readable${at("malformed")}` : "",
    foreign > 0 ? `${plural(foreign, "line")} whose key is not of a prompt${at("foreign")}` : "",
    failed > 0 ? `${plural(failed, "line")} with an error instead of an answer${at("failed")}` : "",
  ].filter(Boolean);
  return parts.length > 0 ? `\nNot used: ${parts.join("; ")}.` : "";
}

/** Most causes named. */
const CAUSES = 3;

/** Why audits of this command have no verdict, and how to retry errors. */
function retryHint({ remarks, counts }: AuditResult): string {
  return `${causesText(remarks.causes, counts.unscored + counts.errors)}${counts.errors > 0 ? `\n--retry-errors audits again what ended in an error.` : ""}`;
}

/** Counts every audit without a verdict once: under a common cause, under the other causes, or as one of an earlier command. `all`: their number. */
export function causesText(causes: Remarks["causes"], all: number): string {
  const [first] = causes;
  if (!first) return "";
  const shown = causes.slice(0, CAUSES).map(({ code, count }) => `${whole(count)} × ${printable(code, 60)}`);
  const others = causes.slice(CAUSES).reduce((sum, { count }) => sum + count, 0);
  if (others > 0) shown.push(`${whole(others)} for other causes`);
  const before = all - causes.reduce((sum, { count }) => sum + count, 0);
  if (before > 0) shown.push(`${whole(before)} before this command`);
  const why = first.message ? printable(first.message, 300) : "";
  const counted = `${shown.join(", ")}${why ? `; for instance, ${printable(first.code, 60)}: ${why}` : ""}`;
  return `\n${whole(all)} without a verdict: ${all === 1 && why ? why : counted}`;
}

/** Progress of a run: outcomes, levels, retries and cost. Most important first, since a narrow terminal cuts off the end. */
export function progressParts(
  done: Omit<RunCounts, "planned">,
  usage?: Readonly<Usage>,
  live?: Readonly<LiveCounts>,
): string[] {
  const scored = live ? live.levels.reduce((sum, n) => sum + n, 0) : 0;
  const mix = live?.levels.map((n, i) => `L${i + 1} ${Math.round((100 * n) / scored)}%`).join(" ");
  const outcomes = [
    `${plural(done.verdicts, "verdict")}${scored > 0 ? ` (${mix})` : ""}`,
    done.unscored ? `${done.unscored} unscored` : "",
    done.errors ? plural(done.errors, "error") : "",
    live?.retries ? plural(live.retries, "retry", "retries") : "",
  ];
  const cost = usage?.cost_usd ? dollars(usage.cost_usd) : "";
  const read = usage?.input_tokens ? `${tokens(usage.input_tokens)} tokens in` : "";
  return [outcomes.filter(Boolean).join(", "), cost, read].filter(Boolean);
}

export function spentText(usage: Readonly<Usage>): string {
  const cost = usage.cost_usd ? `, ${dollars(usage.cost_usd)}` : "";
  return `${tokens(usage.input_tokens ?? 0)} tokens in, ${tokens(usage.output_tokens ?? 0)} out${cost}`;
}

/** Estimated calls, tokens and cost of a run, in one or two lines. */
export function estimateText(estimate: RunEstimate, maxCost: number | null = null): string {
  const { calls, answers, input_tokens, cached_input_tokens, output_tokens, price } = estimate;
  const cached = input_tokens > 0 ? Math.round((100 * cached_input_tokens) / input_tokens) : 0;
  const how = estimate.exact ? `counted with ${estimate.tokenizer}` : "estimated from the length";
  const lines = [
    `${plural(calls, "call")}${answers > calls ? ` for ${plural(answers, "answer")}` : ""}: about ${tokens(input_tokens)} tokens in (${how} on a sample of ${estimate.sampled}; ${cached > 0 ? `up to ${cached}% from a prefix cache; ` : ""}answers in the response cache cost nothing), about ${tokens(output_tokens)} out (assumed).`,
  ];
  lines.push(
    `The prompt and its answer may have ${whole(estimate.context_tokens)} tokens together; --context sets another limit.`,
  );
  if (estimate.cost_usd === null) {
    lines.push(
      "Cost: the price of this model is not known; give it in defensible.yaml under `prices`, by the model's name.",
    );
  } else if (estimate.cost_usd > 0) {
    const source = price!.as_of === "override" ? "your own prices" : `prices as of ${price!.as_of}`;
    const limit =
      maxCost !== null && estimate.cost_usd > maxCost
        ? ` More than the limit of ${dollars(maxCost)}: it will stop before the end.`
        : "";
    lines.push(`Cost: about ${dollars(estimate.cost_usd)} (${source}).${limit}`);
  }
  return lines.join("\n");
}

/** 1.2 k, 3.4 M. */
function tokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 1e6) return `${(count / 1000).toPrecision(3)} k`;
  return `${(count / 1e6).toPrecision(3)} M`;
}

/** What the words about proposals need in addition to their counts. */
export interface DecideFacts {
  decider: string;
  /** The file with the proposals. */
  out: string;
  /** The new workspace around the file; undefined: no workspace was made. */
  into: string | undefined;
  dryRun: boolean;
  priceKnown: boolean;
  replicates: number;
  /** null: each decision was proposed once. */
  flips: ProposalFlips | null;
}

/** The outcome of a proposal run, as JSON. */
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

/** Why decisions got no proposal: the first reason and the commonest. */
export function failureLines({ failures: { count, first, commonest } }: DecideResult): string[] {
  if (!first || !commonest) return [];
  const lines = [`${plural(count, "decision")} got no proposal; the first: ${printable(first, 300)}`];
  if (count > 1)
    lines.push(`The commonest reason (${commonest.count} of ${count}): ${printable(commonest.reason, 300)}`);
  return lines;
}

/** The outcome of a proposal run, in a few lines. */
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
