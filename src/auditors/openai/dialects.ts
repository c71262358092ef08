/**
 * The habits of one kind of server behind the OpenAI interface. All that is special about a server is here as data; nothing else asks
 * which server it is.
 */
export interface Dialect {
  name: string;
  /** For messages. */
  label: string;
  /** Whether logprobs are of the model's own distribution or of the one after temperature. */
  space: "raw" | "tempered" | "unknown";
  /** `true`: a token's own bytes, also of half a character. `lossy`: made from its text again, so they say nothing new. */
  bytes: "true" | "lossy" | "absent";
  /** Where logprobs are to be had. Without them every server is asked for chat completions. */
  endpoint: "chat" | "responses";
  /** How logprobs are asked for: `flag` = `logprobs: true, top_logprobs: k`; `count` = `logprobs: k`; `include` as Responses do; `none`: never. */
  logprobs: "flag" | "count" | "include" | "none";
  /** Most candidates per token that it gives. */
  topLogprobs: number;
  /** Most answers to one call (`n`); 1: it has no `n`. `sure` is false where one has to try. */
  answers: { most: number; sure: boolean };
  /** How an answer's form is asked for. `json_object` promises JSON, but not which. */
  structured: "json_schema" | "json_schema_twice" | "vllm" | "json_object" | "none";
  maxTokens: "max_completion_tokens" | "max_tokens";
  seed: boolean;
  /** It has `reasoning_effort`, as OpenAI's own models do. */
  reasoningEffort: boolean;
  /** It has `prompt_cache_key`. */
  cacheKey: boolean;
  /** Fields that every request carries. */
  extra: Readonly<Record<string, unknown>>;
  /** Environment variables that may hold its key, best first. */
  keys: readonly string[];
  /** Tokens that prompt and answer may have together, where nothing better is known. */
  contextTokens: number;
  /** It has the batch API. */
  batch: boolean;
  /** What a user should know before a run. */
  notes: readonly string[];
}

const LOCAL: Dialect = {
  name: "generic",
  label: "the server",
  space: "unknown",
  bytes: "lossy",
  endpoint: "chat",
  logprobs: "flag",
  topLogprobs: 20,
  answers: { most: 4, sure: false },
  structured: "json_schema",
  maxTokens: "max_tokens",
  seed: true,
  reasoningEffort: false,
  cacheKey: false,
  extra: {},
  keys: ["OPENAI_API_KEY"],
  contextTokens: 8192,
  batch: false,
  notes: [],
};

const OPENAI: Dialect = {
  ...LOCAL,
  name: "openai",
  label: "OpenAI",
  space: "raw",
  bytes: "true",
  answers: { most: 128, sure: true },
  maxTokens: "max_completion_tokens",
  reasoningEffort: true,
  cacheKey: true,
  contextTokens: 128_000,
  batch: true,
};

/** Models that think before they answer would put their thoughts in front of the labels; templates without the switch ignore it. */
const NO_THINKING = { chat_template_kwargs: { enable_thinking: false } };

const ROWS: readonly Dialect[] = [
  OPENAI,
  {
    ...OPENAI,
    name: "azure",
    label: "Azure OpenAI",
    keys: ["AZURE_OPENAI_API_KEY", "OPENAI_API_KEY"],
    cacheKey: false,
  },
  {
    ...LOCAL,
    name: "vllm",
    label: "vLLM",
    space: "raw",
    answers: { most: 128, sure: true },
    structured: "vllm",
    extra: NO_THINKING,
    notes: ["A server whose logprobs mode is processed_logprobs reports other values than assumed here."],
  },
  {
    ...LOCAL,
    name: "sglang",
    label: "SGLang",
    space: "tempered",
    answers: { most: 128, sure: true },
    extra: NO_THINKING,
    notes: ["A server started with SGLANG_RETURN_ORIGINAL_LOGPROB=1 reports other values than assumed here."],
  },
  {
    ...LOCAL,
    name: "llamacpp",
    label: "llama.cpp",
    space: "raw",
    bytes: "true",
    extra: { ...NO_THINKING, cache_prompt: true },
  },
  {
    ...LOCAL,
    name: "ollama",
    label: "Ollama",
    space: "raw",
    answers: { most: 1, sure: true },
    notes: [
      "Ollama cuts prompts that exceed its context without a word; raise OLLAMA_CONTEXT_LENGTH if rules are long.",
    ],
  },
  {
    ...LOCAL,
    name: "lmstudio",
    label: "LM Studio",
    endpoint: "responses",
    logprobs: "include",
    answers: { most: 1, sure: true },
  },
  {
    ...LOCAL,
    name: "openrouter",
    label: "OpenRouter",
    answers: { most: 1, sure: true },
    // Without it, what a host cannot do is silently left out.
    extra: { provider: { require_parameters: true } },
    keys: ["OPENROUTER_API_KEY", "OPENAI_API_KEY"],
    contextTokens: 32_768,
    notes: ["Hosts behind OpenRouter differ in what their logprobs mean."],
  },
  {
    ...LOCAL,
    name: "together",
    label: "Together",
    bytes: "absent",
    logprobs: "count",
    answers: { most: 128, sure: false },
    structured: "json_schema_twice",
    keys: ["TOGETHER_API_KEY", "OPENAI_API_KEY"],
    contextTokens: 32_768,
  },
  {
    ...LOCAL,
    name: "fireworks",
    label: "Fireworks",
    answers: { most: 128, sure: false },
    keys: ["FIREWORKS_API_KEY", "OPENAI_API_KEY"],
    contextTokens: 32_768,
  },
  {
    ...LOCAL,
    name: "deepseek",
    label: "DeepSeek",
    answers: { most: 1, sure: true },
    structured: "json_object",
    seed: false,
    extra: { thinking: { type: "disabled" } },
    keys: ["DEEPSEEK_API_KEY", "OPENAI_API_KEY"],
    contextTokens: 65_536,
  },
  { ...LOCAL, name: "litellm", label: "LiteLLM", bytes: "absent", contextTokens: 32_768 },
  {
    ...LOCAL,
    name: "anthropic",
    label: "Anthropic",
    logprobs: "none",
    topLogprobs: 0,
    answers: { most: 1, sure: true },
    structured: "none",
    seed: false,
    keys: ["ANTHROPIC_API_KEY"],
    contextTokens: 200_000,
  },
  {
    ...LOCAL,
    name: "mistral",
    label: "Mistral",
    logprobs: "none",
    topLogprobs: 0,
    seed: false,
    keys: ["MISTRAL_API_KEY"],
    contextTokens: 32_768,
  },
  LOCAL,
];

/** All dialects by name. */
export const DIALECTS: ReadonlyMap<string, Dialect> = new Map(ROWS.map((row) => [row.name, row]));

export function dialectOf(name: string): Dialect {
  const dialect = DIALECTS.get(name);
  if (!dialect) throw new Error(`dialect: unknown; got "${name}"`);
  return dialect;
}
