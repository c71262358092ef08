import { checkPrice } from "../../../audit/arms.js";
import { RunHalted } from "../../../audit/calls/budget.js";
import { type PatienceOptions, probePatiently } from "../../../audit/calls/patience.js";
import { Frames } from "../../../audit/frames.js";
import { type DecisionSource, inPrefixOrder, RuleBook } from "../../../audit/rules-in-force.js";
import type { Auditor, Capabilities } from "../../../auditors/auditor.js";
import { DefensibleError, InputError } from "../../../core/errors.js";
import type { Usage } from "../../../core/records/audit.js";
import { contentParts, type Decision, type Precedent } from "../../../core/records/decision.js";
import type { Tier } from "../../../core/records/rule-set.js";
import type { Context } from "../../../store/context.js";
import type { Scrub } from "../../../text/scrub/scrub.js";
import { nothingToAudit, type Selection, selectDecisions } from "../audit-request.js";
import type { RunEstimate } from "../estimate.js";
import { planRun } from "../plan.js";
import { checkAnyRules, checkRuleSets } from "../prepare.js";
import { decidePrompts, decideTools, estimateDecide, type ProposalTarget, proposalsIn } from "./decide-tools.js";
import { propose, proposedDecision } from "./propose.js";

/** Why decisions got no proposal. */
class Failures {
  count = 0;
  /** The first decision that failed, and why. */
  first: string | null = null;
  private readonly reasons = new Map<string, { reason: string; count: number }>();

  note(id: string, cause: Error): void {
    this.count++;
    this.first ??= `${id}: ${cause.message}`;
    // A server may word the same error differently from call to call.
    const key = cause instanceof DefensibleError ? cause.code : cause.message;
    const known = this.reasons.get(key);
    if (known) known.count++;
    else this.reasons.set(key, { reason: cause.message, count: 1 });
  }

  /** null: no failures. */
  get commonest(): { reason: string; count: number } | null {
    return [...this.reasons.values()].reduce<{ reason: string; count: number } | null>(
      (best, next) => (best && best.count >= next.count ? best : next),
      null,
    );
  }
}

export interface DecideRequest {
  decider: Auditor;
  selection: Selection;
  tier: Tier;
  temperature: number;
  /** Proposals per decision; the first one is the decision. */
  replicates: number;
  seed: number;
  concurrency: number;
  /** Propose even if the workspace has rules for communities without decisions. */
  allowUnusedRules?: boolean;
  scrub: Scrub | null;
  /** Cost limit of this command in USD; null: no limit. */
  maxCost: number | null;
  dryRun: boolean;
  /** Decisions that already have a proposal here are not asked again. */
  target: ProposalTarget;
  stop: AbortSignal;
  /** Called once, before the first call. */
  estimated: (estimate: RunEstimate) => void;
  /** How long a server may refuse every call, in ms. Default: ten minutes. */
  giveUpMs?: number | undefined;
  /** Called every second while the server refuses every call, and with null when that ends. */
  refused?: PatienceOptions["tell"];
  progress: (soFar: Readonly<DecideResult>) => void;
}

export interface DecideResult {
  planned: number;
  /** Number of these that were already in the file. */
  before: number;
  proposed: number;
  /** Answers that name no action, and calls that failed; repeating the command asks again. */
  failures: Failures;
  /** Proposals that differ from the existing decision. */
  changed: number;
  /** null: the decider works in this process, or nothing is left to do. */
  estimate: RunEstimate | null;
  /** Usage of this command; unknown amounts count as 0. */
  usage: Record<keyof Usage, number>;
  /** Why it stopped; null: it did not stop, or the user stopped it. */
  reason: DefensibleError | null;
  stopped: boolean;
}

/** Proposes a decision for each stored content, using only rules and precedents: the paper's M_c. */
export async function runDecide(context: Context, request: DecideRequest): Promise<DecideResult> {
  const { decider, target } = request;
  const { records } = context;
  checkPrice(decider, request.maxCost);
  const known = await proposalsIn(target, decider.name, request.replicates);
  const ruleFiles = await records.rules();
  const rules = new RuleBook(ruleFiles.map(({ set }) => set));
  const precedents: Precedent[] = [];
  for await (const batch of records.precedents()) precedents.push(...batch);
  const frames = new Frames(precedents, request.tier, context.config.actions);
  const there = new Set<string>();
  const left = without(await selectDecisions(context, request.selection), known, there);
  const wanted = { replicates: request.replicates, humans: false };
  const plan = await planRun(records, { source: left, hash: null, rules, wanted, auditor: decider.name });
  if (plan.decisions > 0) {
    await checkRuleSets(records, ruleFiles, plan.communities.sizes.keys(), request.allowUnusedRules ?? false);
    if (there.size === 0) checkAnyRules(plan, []);
  }
  if (there.size + plan.decisions === 0) {
    throw nothingToAudit({ selection: request.selection, auditor: decider });
  }
  const prompts = await decidePrompts(request);
  const frameOf = (decision: Decision) => frames.of(decision.community, rules.inForce(decision)).frame;
  const promptOf = (decision: Decision) =>
    prompts!.prompter({ frame: frameOf(decision), content: contentParts(decision.content) });
  const result: DecideResult = {
    planned: there.size + plan.decisions,
    before: there.size,
    proposed: 0,
    failures: new Failures(),
    changed: 0,
    estimate: prompts && plan.decisions > 0 ? estimateDecide({ ...prompts, plan, promptOf, auditor: decider }) : null,
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    reason: null,
    stopped: false,
  };
  if (request.dryRun || plan.decisions === 0) return result;
  if (result.estimate) request.estimated(result.estimate);
  let capabilities: Capabilities | null;
  try {
    capabilities = await probePatiently(decider, request.stop, { limitMs: request.giveUpMs, tell: request.refused });
  } catch (cause) {
    if (cause instanceof RunHalted && cause.reason === null) return { ...result, stopped: true };
    throw cause;
  }
  const log = await target.open();
  // Another process may have written since the first read.
  const written = await proposalsIn(target, decider.name, request.replicates);
  const logprobs = capabilities?.logprobs ?? decider.signals.includes("logprobs");
  const tools = decideTools(request, { prompter: prompts?.prompter ?? null, logprobs, result });
  const inHand = new Set<Promise<void>>();
  let failure: unknown = null;

  const proposalFor = async (decision: Decision) => {
    try {
      const frame = frameOf(decision);
      if (frame.rules.length === 0) throw new InputError("no_rules", "rules: none is in force for this decision");
      return await propose(decision.id, frame, contentParts(decision.content), tools);
    } catch (cause) {
      if (cause instanceof RunHalted) {
        result.stopped = true;
        result.reason ??= cause.reason;
      } else result.failures.note(decision.id, cause as Error);
      return null;
    }
  };
  const decideOne = async (decision: Decision) => {
    const proposals = await proposalFor(decision);
    if (proposals) {
      try {
        log.append([JSON.stringify(proposedDecision(decision, proposals, decider.name, request.replicates))]);
      } catch (cause) {
        // A full disk ends the command: answers that cannot be stored must not be paid for.
        failure ??= cause;
        return;
      }
      result.proposed++;
      if (proposals.proposal.decision !== decision.decision) result.changed++;
    }
    request.progress(result);
  };

  try {
    outer: for await (const batch of decider.readsPrompt ? inPrefixOrder(left, plan.communities, rules) : left()) {
      for (const decision of batch) {
        if (written.has(decision.id)) continue;
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

/** Decisions without a proposal yet; ids of those that have one are added to `there`. */
function without(source: DecisionSource, known: ReadonlySet<string>, there: Set<string>): DecisionSource {
  return async function* () {
    for await (const batch of source()) {
      const left = batch.filter(({ id }) => !known.has(id));
      for (const { id } of batch) if (known.has(id)) there.add(id);
      if (left.length > 0) yield left;
    }
  };
}
