import type { Auditor } from "../../auditors/auditor.js";
import { contentParts } from "../../domain/content.js";
import type { Decision } from "../../domain/decision.js";
import type { Precedent } from "../../domain/precedent.js";
import type { Tier } from "../../domain/rule-set.js";
import type { DefensibleError } from "../../errors.js";
import { LineLog } from "../../ledger/line-log.js";
import { readLines } from "../../ledger/read-lines.js";
import type { Scrub } from "../../prompt/scrub.js";
import { readPrecedents } from "../../workspace/records.js";
import { loadRuleSets } from "../../workspace/rule-files.js";
import type { Workspace } from "../../workspace/workspace.js";
import { Budget } from "../calls/budget.js";
import { Caller } from "../calls/caller.js";
import { graceAfter } from "../calls/grace.js";
import { probePatiently } from "../calls/probe-patiently.js";
import { RunHalted } from "../calls/run-halted.js";
import { Scheduler } from "../calls/scheduler.js";
import { Frames } from "../frames.js";
import { CommunitySizes, inPrefixOrder } from "../prefix-order.js";
import { RuleBook } from "../rules-in-force.js";
import { type Selection, selectDecisions } from "../selection.js";
import { propose } from "./propose.js";
import { proposedDecision } from "./proposed-decision.js";

export interface DecideRequest {
  decider: Auditor;
  selection: Selection;
  tier: Tier;
  temperature: number;
  seed: number;
  concurrency: number;
  scrub: Scrub | null;
  /** The file of proposals; what is in it already is not asked again. */
  out: string;
  stop: AbortSignal;
  progress: (done: number, failed: number, planned: number) => void;
}

export interface DecideResult {
  planned: number;
  /** In the file before. */
  before: number;
  proposed: number;
  /** Answers that name no action, and calls without an answer; repeating the command asks them again. */
  failed: number;
  /** Proposals that differ from the decision that was there. */
  changed: number;
  firstFailure: string | null;
  reason: DefensibleError | null;
  stopped: boolean;
}

/** Proposes a decision for each content of a workspace, from its rules and precedents alone: the paper's M_c. */
export async function runDecide(workspace: Workspace, request: DecideRequest): Promise<DecideResult> {
  const { decider } = request;
  const rules = new RuleBook(loadRuleSets(workspace).map(({ set }) => set));
  const precedents: Precedent[] = [];
  for await (const batch of readPrecedents(workspace)) precedents.push(...batch);
  const frames = new Frames(precedents, request.tier, workspace.config.actions);
  const source = await selectDecisions(workspace, request.selection);
  const communities = new CommunitySizes();
  const result: DecideResult = {
    planned: 0,
    before: 0,
    proposed: 0,
    failed: 0,
    changed: 0,
    firstFailure: null,
    reason: null,
    stopped: false,
  };
  for await (const batch of source()) {
    result.planned += batch.length;
    for (const decision of batch) communities.add(decision);
  }
  const capabilities = await probePatiently(decider, request.stop);
  const tools = await decideTools(request, capabilities?.logprobs ?? decider.signals.includes("logprobs"));
  const log = new LineLog(request.out);
  const known = await knownIds(request.out);
  result.before = known.size;
  const inHand = new Set<Promise<void>>();
  let failure: unknown = null;

  const decideOne = async (decision: Decision) => {
    try {
      const { frame } = frames.of(decision.community, rules.inForce(decision));
      const proposal = await propose(decision.id, frame, contentParts(decision.content), tools);
      if (proposal === null) throw new Error("the answer names none of the actions");
      log.append([JSON.stringify(proposedDecision(decision, proposal, decider.name))]);
      result.proposed++;
      if (proposal.decision !== decision.decision) result.changed++;
    } catch (cause) {
      if (cause instanceof RunHalted) {
        result.stopped = true;
        result.reason ??= cause.reason;
      } else if ((cause as { code?: string }).code === "ENOSPC") failure ??= cause;
      else {
        result.failed++;
        result.firstFailure ??= `${decision.id}: ${(cause as Error).message}`;
      }
    }
    request.progress(known.size + result.proposed, result.failed, result.planned);
  };

  try {
    const decisions = decider.readsPrompt ? inPrefixOrder(source, communities, rules) : source();
    outer: for await (const batch of decisions) {
      for (const decision of batch) {
        if (known.has(decision.id)) continue;
        while (inHand.size >= tools.scheduler.width && !result.stopped) await Promise.race(inHand);
        if (request.stop.aborted) result.stopped = true;
        if (result.stopped || failure !== null) break outer;
        const done = decideOne(decision).finally(() => inHand.delete(done));
        inHand.add(done);
      }
    }
    await Promise.all(inHand);
    if (failure !== null) throw failure;
    return result;
  } finally {
    tools.release();
    await log.close();
  }
}

async function decideTools(request: DecideRequest, logprobs: boolean) {
  const { decider, temperature, seed, scrub, stop } = request;
  const grace = graceAfter(stop);
  const max = Math.min(request.concurrency, decider.maxConcurrency ?? request.concurrency);
  const scheduler = new Scheduler({ max, signal: grace.signal });
  const caller = new Caller({
    auditor: decider,
    scheduler,
    cache: null,
    budget: new Budget(null, 0, 0),
    signal: grace.signal,
  });
  return {
    decider,
    scheduler,
    ask: caller.ask.bind(caller),
    prompter: await decisionPrompter(decider, scrub),
    temperature,
    logprobs,
    seed,
    release: grace.release,
  };
}

async function decisionPrompter(decider: Auditor, scrub: Scrub | null) {
  if (decider.readsPrompt === null) return null;
  const { createDecisionPrompter, createTokenCounter } = await import("../../prompt/index.js");
  const { tokenizer, contextTokens, outputTokens } = decider.readsPrompt;
  const counter = await createTokenCounter(tokenizer);
  return createDecisionPrompter({ counter, budget: contextTokens - outputTokens, scrub });
}

async function knownIds(file: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      try {
        ids.add((JSON.parse(line.text) as { id: string }).id);
      } catch {
        // A line that is no record is no proposal either.
      }
    }
  }
  return ids;
}
