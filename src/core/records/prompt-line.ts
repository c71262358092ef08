import { z } from "zod";
import { tierSchema } from "./rule-set.js";

/** One question of `defensible prompts`, to be answered elsewhere. */
export const promptLineSchema = z.object({
  /** Identifies the messages and the schema. */
  key: z.string(),
  /** `key` and `draw`: unique in a file. */
  id: z.string(),
  /** Number of the answer to the same question, from 1. */
  draw: z.number().int().min(1),
  messages: z.array(z.object({ role: z.enum(["system", "user"]), content: z.string() })),
  response_name: z.string(),
  /** JSON Schema of the answer, in the form that strict modes take. */
  response_schema: z.record(z.string(), z.unknown()),
  settings: z.object({
    temperature: z.number().min(0),
    seed: z.number().int(),
    max_tokens: z.number().int(),
    logprobs: z.boolean().optional(),
    top_logprobs: z.number().int().optional(),
  }),
  prompt_version: z.string(),
  decision_id: z.string(),
  community: z.string(),
  /** The action that is audited. */
  action: z.string(),
  arm: z.string(),
  tier: tierSchema,
  replicate: z.number().int().min(0),
  /** Index of the audit's draw in signal mode `sampling`; null in the others. */
  sample: z.number().int().min(0).nullable(),
});

export type PromptLine = z.infer<typeof promptLineSchema>;

const count = z.number().int().min(0).nullish();

/** One answer, as `--auditor answers:FILE` reads it. It needs one of `text`, `answer`, `refusal` and `error`; other members are ignored. */
export const answerLineSchema = z.looseObject({
  /** A prompt's `key`, or its `id`. */
  key: z.string(),
  /** Default: that of an `id`, otherwise the lowest free number. */
  draw: z.number().int().min(1).max(1_000_000).nullish(),
  /** What the model wrote. */
  text: z.string().nullish(),
  /** The same as an object. */
  answer: z.record(z.string(), z.unknown()).nullish(),
  /** The model's words if it refused to answer. */
  refusal: z.string().nullish(),
  /** Why there is no answer; the prompt remains open. */
  error: z.unknown().optional(),
  /** `length` and `content_filter` are interpreted; anything else counts as a complete answer. */
  finish_reason: z.string().nullish(),
  model: z.string().nullish(),
  /** Token probabilities as OpenAI's chat completions have them: a list of tokens under `content`. */
  logprobs: z.unknown().optional(),
  logprob_space: z.enum(["raw", "tempered", "unknown"]).nullish(),
  /** The temperature at which it was drawn, if different from that of the prompt. */
  temperature: z.number().min(0).max(2).nullish(),
  usage: z
    .looseObject({ prompt_tokens: count, completion_tokens: count, input_tokens: count, output_tokens: count })
    .nullish(),
});
