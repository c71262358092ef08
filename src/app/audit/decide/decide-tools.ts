import { Budget, graceAfter } from "../../../audit/calls/budget.js";
import { Caller } from "../../../audit/calls/caller.js";
import { Patience } from "../../../audit/calls/patience.js";
import { Scheduler } from "../../../audit/calls/scheduler.js";
import type { Ask } from "../../../auditors/auditor.js";
import { InputError } from "../../../core/errors.js";
import type { Decision } from "../../../core/records/decision.js";
import type { Line } from "../../../io/read-lines.js";
import { type ActionFlips, actionFlips } from "../../../measures/stability/action-flips.js";
import { flipRate } from "../../../measures/stability/cell-stats.js";
import { type EstimateInputs, estimateRun, type RunEstimate } from "../estimate.js";
import type { DecisionPrompter, ProposeTools } from "./propose.js";
import type { DecideRequest, DecideResult } from "./run-decide.js";

/** Builds prompts that fit the decider; null: it reads cases, not prompts. Tokenizers are loaded only here. */
export async function decidePrompts({ decider, scrub }: Pick<DecideRequest, "decider" | "scrub">) {
  if (decider.readsPrompt === null) return null;
  const { createDecisionPrompter } = await import("../../../audit/prompt/audit-prompt.js");
  const { createTokenCounter } = await import("../../../audit/prompt/token-counter.js");
  const { tokenizer, contextTokens, outputTokens } = decider.readsPrompt;
  const counter = await createTokenCounter(tokenizer);
  return { counter, prompter: createDecisionPrompter({ counter, budget: contextTokens - outputTokens, scrub }) };
}

/** What proposals are made with. The usage of every answer is added to the result, even of those that name no action. */
export function decideTools(
  request: DecideRequest,
  found: { prompter: DecisionPrompter | null; logprobs: boolean; result: Pick<DecideResult, "usage" | "estimate"> },
): ProposeTools & { scheduler: Scheduler; release(): void } {
  const { decider, temperature, seed, replicates } = request;
  const { prompter, logprobs } = found;
  const { usage, estimate } = found.result;
  const grace = graceAfter(request.stop);
  const max = Math.min(request.concurrency, decider.maxConcurrency ?? request.concurrency);
  const scheduler = new Scheduler({ max, signal: grace.signal });
  const budget = new Budget(request.maxCost, 0, estimate?.cost_usd ? estimate.cost_usd / estimate.calls : 0);
  const patience = new Patience({ name: decider.name, limitMs: request.giveUpMs, tell: request.refused });
  const caller = new Caller({ auditor: decider, scheduler, cache: null, budget, signal: grace.signal, patience });
  const ask = async (question: Ask) => {
    const called = await caller.ask(question);
    for (const { generation } of called) {
      for (const name of Object.keys(usage) as (keyof typeof usage)[]) usage[name] += generation.usage[name] ?? 0;
    }
    return called;
  };
  const release = () => {
    grace.release();
    patience.release();
  };
  return { decider, scheduler, ask, prompter, temperature, logprobs, seed, replicates, release };
}

/** Tokens of a proposal, from the length that the instructions ask for: at most 60 words of reason, plus the rest of the object. */
const OUTPUT_TOKENS = 120;

/** Estimates proposing as an audit with as many answers, but shorter ones. */
export function estimateDecide(inputs: Pick<EstimateInputs, "plan" | "auditor" | "counter" | "promptOf">): RunEstimate {
  const estimate = estimateRun({
    ...inputs,
    settings: { signal: "none", samples: 1 },
    templateOf: () => "paper",
    batch: false,
    left: 1,
  });
  const output = estimate.answers * OUTPUT_TOKENS;
  const { price, cost_usd } = estimate;
  const shorter = estimate.output_tokens - output;
  const cost = price && cost_usd !== null ? cost_usd - (shorter * price.output) / 1e6 : cost_usd;
  return { ...estimate, output_tokens: output, cost_usd: cost };
}

/** Maximum number of decisions listed individually, most divided first. */
const LISTED = 1000;

interface FlippedDecision {
  id: string;
  community: string;
  /** The first proposal; it is the decision. */
  decision: string;
  /** Share of proposals per action. */
  shares: Record<string, number>;
  proposals: number;
  flip_rate: number;
}

export interface ProposalFlips extends ActionFlips {
  /** Decisions in the file, including those proposed only once. */
  of: number;
  /** Fewest and most proposals among decisions that have several; null: no decision has. */
  proposals: { least: number; most: number } | null;
  /** Decisions with more than one proposed action, most divided first; at most 1,000. */
  decisions: FlippedDecision[];
}

/** How often proposals differ for the same content; null: there are no proposals. A line torn by a killed process is left out. */
export async function readFlips(batches: AsyncIterable<Line[]>): Promise<ProposalFlips | null> {
  const counted: { community: string; counts: number[] }[] = [];
  const flipped: FlippedDecision[] = [];
  let of = 0;
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for await (const lines of batches) {
    for (const { text, ended } of lines) {
      if (!ended) continue;
      const { id, community, decision, decider } = JSON.parse(text) as Decision;
      of++;
      const actions = decider?.replicates;
      if (!actions) continue;
      const counts = Object.values(actions);
      counted.push({ community, counts });
      const proposals = counts.reduce((sum, count) => sum + count, 0);
      const rate = flipRate(counts);
      if (rate === null) continue;
      least = Math.min(least, proposals);
      most = Math.max(most, proposals);
      if (rate === 0) continue;
      const shares = Object.fromEntries(Object.entries(actions).map(([name, count]) => [name, count / proposals]));
      flipped.push({ id, community, decision, shares, proposals, flip_rate: rate });
    }
  }
  if (of === 0) return null;
  flipped.sort((a, b) => b.flip_rate - a.flip_rate || (a.id < b.id ? -1 : 1));
  const proposals = most === 0 ? null : { least, most };
  return { ...actionFlips(counted), of, proposals, decisions: flipped.slice(0, LISTED) };
}

export interface ProposalTarget {
  /** Name used in messages. */
  readonly name: string;
  /** Existing proposals as lines of JSON; empty before the target is created. */
  lines(): AsyncIterable<Line[]>;
  /** Creates the target if needed, and locks it for other writers until it is closed. */
  open(): Promise<ProposalLog>;
}

interface ProposalLog {
  append(lines: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Ids of existing proposals. Proposals of another decider are refused, because mixed ones could not be told apart later. A decision with more
 * proposals than requested is refused, too. Fewer are accepted, because answers that name no action are not counted.
 */
export async function proposalsIn(
  target: Pick<ProposalTarget, "name" | "lines">,
  decider: string,
  replicates: number,
): Promise<Set<string>> {
  const { name } = target;
  const ids = new Set<string>();
  for await (const lines of target.lines()) {
    for (const { text, ended } of lines) {
      let record: Partial<Decision> | null = null;
      try {
        record = JSON.parse(text) as Partial<Decision> | null;
      } catch {
        // Torn by a killed process; it is cut off before anything is appended.
        if (!ended && text.startsWith("{")) continue;
      }
      if (typeof record?.id !== "string") {
        throw new InputError("no_proposals", `decide: ${name} is no file of proposals`, "Name another file.");
      }
      const by = record.decider?.kind === "model" ? record.decider.id : null;
      if (by !== decider) throw otherDecider(name, record.decider?.id ?? "someone else", decider);
      const proposals = Object.values(record.decider?.replicates ?? {}).reduce((sum, count) => sum + count, 0);
      if (replicates > 1 && proposals > replicates) throw otherReplicates(name, proposals, replicates);
      if (ended) ids.add(record.id);
    }
  }
  return ids;
}

export function otherDecider(name: string, there: string, decider: string): InputError {
  return new InputError(
    "other_decider",
    `decide: ${name} has decisions by ${there}, and the decider is ${decider}`,
    "Name another folder or file; what is there stays as it is.",
  );
}

function otherReplicates(name: string, there: number, asked: number): InputError {
  return new InputError(
    "other_replicates",
    `decide: ${name} has decisions with ${there} proposals, and ${asked} are asked for: its flips are those of other proposals`,
    `Ask for as many replicates as the file was made with, at least ${there}, or name another place.`,
  );
}
