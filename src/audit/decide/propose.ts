import type { Ask, Auditor } from "../../auditors/auditor.js";
import type { CaseFrame } from "../../domain/case.js";
import type { ContentParts } from "../../domain/content.js";
import type { Generation } from "../../domain/generation.js";
import { groundCitation } from "../../grounding/ground-citation.js";
import type { Prompt } from "../../prompt/prompt.js";
import { unscrub } from "../../prompt/scrub.js";
import { extractSignals } from "../../signals/extract-signals.js";
import { EQUAL_WEIGHTS } from "../../signals/weights.js";
import type { Called } from "../calls/caller.js";
import { type Proposal, readProposal } from "./read-proposal.js";

export type DecisionPrompter = (input: { frame: CaseFrame; content: ContentParts }) => Prompt;

export interface ProposeTools {
  decider: Auditor;
  ask: (ask: Ask) => Promise<Called[]>;
  /** null: the decider reads the case. */
  prompter: DecisionPrompter | null;
  temperature: number;
  logprobs: boolean;
  seed: number;
}

/** Why an answer that names no action does not, by how it ended. */
const NO_PROPOSAL: Record<Generation["finish"], string> = {
  stop: "the answer names none of the actions",
  length: "the answer was cut off at the most tokens it may have",
  refusal: "the model refused to answer",
  filter: "the provider's filter withheld the answer",
};

/** What the decider would do. Throws where its answer names no action. */
export function propose(id: string, frame: CaseFrame, content: ContentParts, tools: ProposeTools): Promise<Proposal> {
  return tools.prompter ? byPrompt(id, frame, content, tools, tools.prompter) : byBothSides(id, frame, content, tools);
}

async function byPrompt(
  id: string,
  frame: CaseFrame,
  content: ContentParts,
  tools: ProposeTools,
  prompter: DecisionPrompter,
): Promise<Proposal> {
  const prompt = prompter({ frame, content });
  const [called] = await tools.ask({
    case: null,
    prompt,
    temperature: tools.temperature,
    logprobs: tools.logprobs,
    wanted: [wanted(id, "decide", tools)],
  });
  const { generation } = called!;
  const proposal = readProposal(generation, [frame.actions.positive, frame.actions.negative]);
  if (proposal === null) throw new Error(NO_PROPOSAL[generation.finish]);
  const restored = (text: string | null) => text && unscrub(text, prompt.notes.scrubbed ?? {});
  return { ...proposal, rationale: restored(proposal.rationale), cited_rule: restored(proposal.cited_rule) };
}

/** An auditor that reads no prompt decides by auditing both actions: the more defensible one, and of two equals the one that restricts nobody. */
async function byBothSides(
  id: string,
  frame: CaseFrame,
  content: ContentParts,
  tools: ProposeTools,
): Promise<Proposal> {
  const sides: { action: string; p: number; rationale: string | null; citation: string | null }[] = [];
  for (const action of [frame.actions.negative, frame.actions.positive]) {
    const [called] = await tools.ask({
      case: { frame, content, decision: action, template: "paper" },
      prompt: null,
      temperature: tools.temperature,
      logprobs: true,
      wanted: [wanted(id, action, tools)],
    });
    const signals = extractSignals(called!.generation, { weights: EQUAL_WEIGHTS });
    if (signals.p_defensible === null) throw new Error(NO_PROPOSAL[called!.generation.finish]);
    const { logic_chain, policy_citation } = signals.trace;
    sides.push({ action, p: signals.p_defensible, rationale: logic_chain, citation: policy_citation });
  }
  const [negative, positive] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const chosen = positive.p > negative.p ? positive : negative;
  const total = positive.p + negative.p;
  return {
    decision: chosen.action,
    rationale: chosen.rationale,
    cited_rule: chosen.citation ? groundCitation(chosen.citation, frame).rule_id : null,
    confidence: total > 0 ? chosen.p / total : null,
  };
}

function wanted(id: string, part: string, { seed }: ProposeTools) {
  return { key: `${id}\u0000${part}\u00000000000`, seed: `${seed}:${id}:${part}:0` };
}
