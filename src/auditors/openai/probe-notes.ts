import { familyOf } from "./families.js";
import type { Refused } from "./probe.js";
import type { RequestShape } from "./request-shape.js";

/** Candidates a token that every signal is made for. */
const FULL_LIST = 20;

export interface Findings {
  model: string;
  shape: RequestShape;
  refused: readonly Refused[];
  /** Tokens that came with a probability. */
  tokens: number;
  topLogprobs: number;
  /** Why what came are no log probabilities; null: they may be some. */
  problem: string | null;
  structuredOutput: boolean;
}

/** What a user should know before a run, in sentences. */
export function probeNotes(found: Findings): string[] {
  const { model, shape, refused, topLogprobs } = found;
  const { dialect } = shape;
  const notes: string[] = [];
  const words = (parameter: Refused["parameter"]): string => {
    const told = refused.findLast((one) => one.parameter === parameter);
    return told ? ` (${told.words})` : "";
  };
  if (!shape.logprobs) notes.push(`${model} ${whyNone(found)}. ${INSTEAD}`);
  else if (topLogprobs < FULL_LIST) {
    notes.push(
      `${dialect.label} lists at most ${topLogprobs} candidates a token instead of ${FULL_LIST}${words("top_logprobs")}: ` +
        "entropies are lower bounds, and labels outside the list are flagged censored.",
    );
  }
  if (shape.logprobs && dialect.space === "unknown") {
    notes.push(
      `It is not known whether the logprobs of ${dialect.label} are before or after temperature: records are flagged unknown_space. ` +
        "Temperature 1 makes both the same.",
    );
  }
  if (!found.structuredOutput) notes.push(`${structureNote(found)}${words("response_format")}`);
  if (!shape.temperature) notes.push(`${model} takes no temperature${words("temperature")}; its own is used.`);
  if (shape.answersPerCall === 1 && dialect.answers.most > 1) {
    notes.push(`${dialect.label} gives one answer a call${words("n")}: replicates read the prompt again each time.`);
  }
  const shutDown = familyOf(model)?.shutDown ?? null;
  if (shutDown !== null && dialect.reasoningEffort) {
    notes.push(`OpenAI has announced to shut ${model} down on ${shutDown}; audits after that need another auditor.`);
  }
  return [...notes, ...dialect.notes];
}

const INSTEAD =
  "Use --signal sampling (repeated draws) or --signal none (levels only), or a model that gives token probabilities: " +
  "vLLM, llama.cpp or Ollama on your machine, or gguf:<path>.";

function whyNone({ shape, refused, tokens, problem }: Findings): string {
  if (problem !== null) return `gives no token probabilities but other scores, such as logits: ${problem}`;
  const told = refused.findLast(({ parameter }) => parameter === "logprobs" || parameter === "top_logprobs");
  if (told) return `refuses to give token probabilities (${told.words})`;
  if (shape.dialect.logprobs === "none") return `gives no token probabilities: ${shape.dialect.label} has none`;
  if (tokens > 0) return "gives the probability of the chosen token only, without candidates";
  return "gives no token probabilities: the request was taken, and the answer came without them";
}

function structureNote({ model, shape }: Findings): string {
  if (shape.dialect.structured === "none")
    return `${shape.dialect.label} does not keep to a JSON schema; answers are read as they come.`;
  if (shape.dialect.structured === "json_object")
    return `${shape.dialect.label} promises JSON, but not its fields; answers are read as they come.`;
  if (!shape.structured) return `${model} takes no JSON schema; answers are read as they come.`;
  return `${model} was given a JSON schema and did not keep to it; answers are read as they come.`;
}
