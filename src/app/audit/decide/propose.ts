import { RunHalted } from "../../../audit/calls/budget.js";
import type { Called } from "../../../audit/calls/caller.js";
import type { Ask, Auditor } from "../../../auditors/auditor.js";
import type { Prompt } from "../../../auditors/output-format.js";
import { actionNames } from "../../../core/records/actions.js";
import { auditKey } from "../../../core/records/audit.js";
import type { CaseFrame, Generation } from "../../../core/records/case.js";
import type { ContentParts, Decision } from "../../../core/records/decision.js";
import { groundCitation } from "../../../measures/grounding/ground-citation.js";
import { alignTokens } from "../../../measures/signals/align-tokens.js";
import { isInformative } from "../../../measures/signals/candidates.js";
import { EQUAL_WEIGHTS } from "../../../measures/signals/components.js";
import { extractSignals } from "../../../measures/signals/extract-signals.js";
import { scanObject, unescapeString } from "../../../measures/signals/scan-object.js";
import { utf8Length } from "../../../text/printable.js";
import { unscrub } from "../../../text/scrub/scrub.js";

export type DecisionPrompter = (input: { frame: CaseFrame; content: ContentParts }) => Prompt;

export interface ProposeTools {
  decider: Auditor;
  ask: (ask: Ask) => Promise<Called[]>;
  /** null: the decider reads the case directly. */
  prompter: DecisionPrompter | null;
  temperature: number;
  logprobs: boolean;
  seed: number;
  /** Proposals per decision. */
  replicates: number;
}

/** Why an answer names no action, by how it ended. */
const NO_PROPOSAL: Record<Generation["finish"], string> = {
  stop: "the answer names none of the actions",
  length: "the answer was cut off at the most tokens it may have",
  refusal: "the model refused to answer",
  filter: "the provider's filter withheld the answer",
  too_long: "the answer is larger than what is read of one",
};

/** The proposed action, and how often each action was proposed if the decider is asked several times. */
interface Proposals {
  proposal: Proposal;
  /** Number of proposals per action; answers that name no action are not counted. */
  actions: Record<string, number>;
}

/** Asks the decider once per replicate. Throws if the first answer names no action. */
export async function propose(
  id: string,
  frame: CaseFrame,
  content: ContentParts,
  tools: ProposeTools,
): Promise<Proposals> {
  const ask = tools.prompter
    ? byPrompt(id, frame, content, tools, tools.prompter)
    : byBothSides(id, frame, content, tools);
  const answers = await Promise.all(
    chunks(tools.replicates, tools.decider.answersPerCall).map(async (replicates) => {
      try {
        return await ask(replicates);
      } catch (cause) {
        // A failed later replicate only lowers the count; without the first there is no proposal.
        if (cause instanceof RunHalted || replicates[0] === 0) throw cause;
        return [];
      }
    }),
  );
  const proposals = answers.flat();
  const [first] = proposals;
  if (typeof first === "string" || first === undefined) throw new Error(first ?? NO_PROPOSAL.stop);
  const actions = Object.fromEntries(actionNames(frame.actions).map((name) => [name, 0]));
  for (const one of proposals) if (typeof one !== "string") actions[one.decision]!++;
  return { proposal: first, actions };
}

/** Asks for these replicates in one call. Each result is a proposal, or the reason why it failed. */
type AskReplicates = (replicates: readonly number[]) => Promise<(Proposal | string)[]>;

function byPrompt(
  id: string,
  frame: CaseFrame,
  content: ContentParts,
  tools: ProposeTools,
  prompter: DecisionPrompter,
): AskReplicates {
  const prompt = prompter({ frame, content });
  const restored = (text: string | null) => text && unscrub(text, prompt.notes.scrubbed ?? {});
  return async (replicates) => {
    const called = await tools.ask({
      case: null,
      prompt,
      temperature: tools.temperature,
      logprobs: tools.logprobs,
      wanted: replicates.map((replicate) => wanted(id, "decide", replicate, tools)),
    });
    return called.map(({ generation }) => {
      const proposal = readProposal(generation, actionNames(frame.actions));
      if (proposal === null) return NO_PROPOSAL[generation.finish];
      return { ...proposal, rationale: restored(proposal.rationale), cited_rule: restored(proposal.cited_rule) };
    });
  };
}

interface Side {
  action: string;
  p: number;
  rationale: string | null;
  citation: string | null;
}

/** An auditor that reads no prompt audits both actions and takes the more defensible one; on a tie, the one that does not restrict. */
function byBothSides(id: string, frame: CaseFrame, content: ContentParts, tools: ProposeTools): AskReplicates {
  const sidesOf = async (action: string, replicates: readonly number[]): Promise<(Side | string)[]> => {
    const called = await tools.ask({
      case: { frame, content, decision: action, template: "paper" },
      prompt: null,
      temperature: tools.temperature,
      logprobs: true,
      wanted: replicates.map((replicate) => wanted(id, action, replicate, tools)),
    });
    return called.map(({ generation }) => {
      const signals = extractSignals(generation, { weights: EQUAL_WEIGHTS });
      if (signals.p_defensible === null) return NO_PROPOSAL[generation.finish];
      const { logic_chain, policy_citation } = signals.trace;
      return { action, p: signals.p_defensible, rationale: logic_chain, citation: policy_citation };
    });
  };
  return async (replicates) => {
    const negatives = await sidesOf(frame.actions.negative, replicates);
    const positives = await sidesOf(frame.actions.positive, replicates);
    return negatives.map((negative, i) => {
      const positive = positives[i]!;
      if (typeof negative === "string") return negative;
      return typeof positive === "string" ? positive : moreDefensible(negative, positive, frame);
    });
  };
}

function moreDefensible(negative: Side, positive: Side, frame: CaseFrame): Proposal {
  const chosen = positive.p > negative.p ? positive : negative;
  const total = positive.p + negative.p;
  return {
    decision: chosen.action,
    rationale: chosen.rationale,
    cited_rule: chosen.citation ? groundCitation(chosen.citation, frame).rule_id : null,
    confidence: total > 0 ? chosen.p / total : null,
  };
}

function wanted(id: string, part: string, replicate: number, { seed }: ProposeTools) {
  return { key: auditKey(id, part, replicate), seed: `${seed}:${id}:${part}:${replicate}` };
}

/** 0 … count − 1 in chunks of at most `size`. */
function chunks(count: number, size: number): number[][] {
  const all = Array.from({ length: count }, (_, i) => i);
  const parts: number[][] = [];
  for (let i = 0; i < count; i += size) parts.push(all.slice(i, i + size));
  return parts;
}

/**
 * The record of a proposed decision: the same content under another decider. Gold is kept only if it is for the same action; an appeal never is.
 * If a person made the earlier decision, it becomes the human label. With several proposals, the first is the decision, and all of them are
 * counted per action.
 */
export function proposedDecision(
  earlier: Decision,
  { proposal, actions }: Proposals,
  decider: string,
  replicates: number,
): Decision {
  const { appeal: _, gold, rationale: __, cited_rule: ___, decider: by, ...kept } = earlier;
  const human = earlier.human_label ?? (by?.kind === "human" ? earlier.decision : null);
  return {
    ...kept,
    decision: proposal.decision,
    ...(human ? { human_label: human } : {}),
    decider: {
      kind: "model",
      id: decider,
      ...(proposal.confidence === null ? {} : { confidence: proposal.confidence }),
      ...(replicates > 1 ? { replicates: actions } : {}),
    },
    ...(proposal.rationale ? { rationale: proposal.rationale } : {}),
    ...(proposal.cited_rule ? { cited_rule: proposal.cited_rule } : {}),
    ...(gold && proposal.decision === earlier.decision ? { gold } : {}),
  };
}

interface Proposal {
  decision: string;
  rationale: string | null;
  cited_rule: string | null;
  /** Probability of the action's tokens in the answer; null: unknown. */
  confidence: number | null;
}

/** Parses a decider's answer; null: it names no action. If several objects name one, the last counts. */
export function readProposal(generation: Generation, actions: readonly string[]): Proposal | null {
  const { text } = generation;
  let found: Proposal | null = null;
  for (let at = text.indexOf("{"); at >= 0; ) {
    const object = scanObject(text, at);
    const fields = new Map(object?.members.filter((member) => member.complete).map((member) => [member.key, member]));
    const value = (name: string) => {
      const member = fields.get(name);
      return member?.kind === "string" ? unescapeString(text.slice(member.start, member.end)) : null;
    };
    const said = value("decision")?.trim().toLowerCase();
    const decision = actions.find((action) => action.toLowerCase() === said);
    if (decision !== undefined) {
      const { start, end } = fields.get("decision")!;
      const confidence = probabilityOf(generation, start, end);
      found = { decision, rationale: value("rationale"), cited_rule: value("cited_rule") || null, confidence };
    }
    at = text.indexOf("{", object === null ? at + 1 : object.end);
  }
  return found;
}

/** Joint probability of the tokens that hold a value; null: unknown. */
function probabilityOf(generation: Generation, start: number, end: number): number | null {
  const { tokens, text, space } = generation;
  if (!tokens || tokens.length === 0 || space !== "raw") return null;
  const alignment = alignTokens(tokens, text, undefined, generation.joined);
  const from = utf8Length(text, 0, start);
  const to = from + utf8Length(text, start, end);
  let logprob = 0;
  for (let i = 0; i < tokens.length; i++) {
    if (alignment.ends[i]! <= from || alignment.starts[i]! >= to) continue;
    if (!isInformative(tokens[i]!.logprob)) return null;
    logprob += tokens[i]!.logprob;
  }
  const probability = Math.exp(logprob);
  return probability >= 0 && probability <= 1 ? probability : null;
}
