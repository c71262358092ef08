import prices from "../../data/prices.json" with { type: "json" };
import type { Config } from "../core/config.js";
import { InputError } from "../core/errors.js";
import { nearestName } from "../core/text-checks.js";
import type { Auditor, Price } from "./auditor.js";
import { serverFromEnvironment } from "./openai/access.js";

/** What a model's client needs in addition to its name. Keys come only from the environment. */
export interface AuditorOptions {
  baseUrl?: string;
  /** Which server's habits apply; detected if absent. */
  dialect?: string;
  /** The user's own prices, by model. */
  prices?: Readonly<Record<string, Price>>;
  /** Nothing will be asked, so no key is needed. */
  offline?: boolean;
  timeoutMs?: number;
  /** Token limit of prompt and answer together, if the model's own is not known. */
  contextTokens?: number;
  /** Largest body of one answer, after decompression. Default: 8 MB. */
  answerBytes?: number;
  /** The workspace folder, for an auditor that reads its world's truth. */
  workspace?: string;
}

type Load = (model: string, options: AuditorOptions) => Promise<Auditor>;

/** Auditors by the word before the colon. Each is loaded on demand: a report on a file must not pay for loading a model's client. */
const AUDITORS: Readonly<Record<string, Load>> = {
  answers: async (file, options) => (await import("./answers/auditor.js")).createAnswersAuditor(file, options),
  baseline: async () => (await import("./baseline/baseline-auditor.js")).createBaselineAuditor(),
  gemini: async (model, options) =>
    (await import("./gemini/auditor.js")).createGeminiAuditor(`gemini:${model}`, "gemini", model, options),
  openai: async (model, options) =>
    (await import("./openai/auditor.js")).createOpenAIAuditor(`openai:${model}`, model, options),
  "openai-compatible": async (model, options) =>
    (await import("./openai/auditor.js")).createOpenAIAuditor(`openai-compatible:${model}`, model, options),
  replay: async (file, options) =>
    (await import("./recorded/raw-reader.js")).createReplayAuditor(`replay:${file}`, file, options),
  vertex: async (model, options) =>
    (await import("./gemini/auditor.js")).createGeminiAuditor(`vertex:${model}`, "vertex", model, options),
  simulated: async (text, options) =>
    (await import("./simulated/auditor.js")).createSimulatedAuditor(
      text ? `simulated:${text}` : "simulated",
      text,
      options,
    ),
  gguf: async (path, options) => (await import("./gguf/auditor.js")).createGgufAuditor(`gguf:${path}`, path, options),
};

/** How each auditor is written, for help and errors. */
export const AUDITOR_FORMS = [
  "baseline",
  "openai:<model>",
  "openai-compatible:<model> (with the address of its server)",
  "gemini:<model>",
  "vertex:<model>",
  "gguf:<file>",
  "answers:<file> (to the prompts of `defensible prompts`)",
  "replay:<file>",
  "simulated (in a world of `defensible simulate`; simulated:columns is fast)",
] as const;

/** Creates an auditor by name. Nothing is sent before its first question or probe. */
export async function createAuditor(auditor: string, options: AuditorOptions = {}): Promise<Auditor> {
  // A JavaScript caller may pass something other than a string.
  const name = String(auditor);
  const colon = name.indexOf(":");
  const kind = colon < 0 ? name : name.slice(0, colon);
  const model = colon < 0 ? "" : name.slice(colon + 1).trim();
  const wellFormed = kind === "simulated" || (kind === "baseline") === (model === "");
  if (!Object.hasOwn(AUDITORS, kind) || !wellFormed) {
    throw new InputError(
      "unknown_auditor",
      `auditor: unknown; got "${name}", expected one of: ${AUDITOR_FORMS.join(", ")}`,
      `${guess(kind, model)}Name one of them as \`auditor\`, or in defensible.yaml.`,
    );
  }
  return AUDITORS[kind]!(model, options);
}

/** "Did you mean openai:gpt-4.1? ", or "". */
function guess(kind: string, model: string): string {
  if (model === "") {
    const [provider] = (["openai", "gemini"] as const).filter((one) => priceOf(one, kind) !== null);
    if (provider) return `Did you mean ${provider}:${kind}? `;
  }
  const meant = nearestName(kind, Object.keys(AUDITORS));
  if (meant === null) return "";
  return `Did you mean ${meant}${model === "" ? "" : `:${model}`}? `;
}

/** Providers with known prices by model. */
type PricedKind = "openai" | "gemini";

/** Both providers charge half the price for a batch. */
const BATCH_SHARE = 0.5;

/**
 * USD per million tokens at the ordinary service tier (input, cached input, output), as published on each one's date. A model
 * that is not listed has an unknown price, and is reported as such. Not included: surcharges for prompts above 200,000 tokens,
 * and OpenAI's for writing into the prefix cache (gpt-5.6 and later).
 *
 * Sources: OpenAI's page developers.openai.com/api/docs/pricing and Google's ai.google.dev/gemini-api/docs/pricing as quoted,
 * with date, in public price tables (github/docs data/tables/copilot/models-and-pricing.yml and others that agree with it).
 */
const TABLES: Readonly<Record<PricedKind, ReadonlyMap<string, Price>>> = {
  openai: tableOf(prices.openai),
  gemini: tableOf(prices.gemini),
};

function tableOf(rows: object): ReadonlyMap<string, Price> {
  const all = Object.entries(rows as Record<string, [number, number, number, string]>);
  return new Map(
    all.map(([model, [input, cached_input, output, as_of]]) => [
      model,
      { input, cached_input, output, batch: BATCH_SHARE, as_of },
    ]),
  );
}

/** The published price of a model; null: unknown. A dated snapshot (`gpt-4.1-mini-2025-04-14`) costs what its model costs. */
export function priceOf(kind: PricedKind, model: string): Price | null {
  const table = TABLES[kind];
  return table.get(model) ?? table.get(model.replace(/-\d{4}-\d{2}-\d{2}$/, "")) ?? null;
}

/** USD for the tokens of a call; null if the price or a count is unknown. `cached` is part of `input`. */
export function costOf(
  price: Price | null,
  tokens: { input: number | null; cached: number | null; output: number | null },
): number | null {
  if (price === null || tokens.input === null || tokens.output === null) return null;
  const cached = Math.min(tokens.cached ?? 0, tokens.input);
  const input = (tokens.input - cached) * price.input + cached * (price.cached_input ?? price.input);
  return (input + tokens.output * price.output) / 1_000_000;
}

/** Settings for a model's server; each overrides the workspace's. */
export interface ModelSettings {
  baseUrl?: string;
  dialect?: string;
  /** Seconds. */
  timeout?: number;
  /** Token limit of prompt and answer together. */
  context?: number;
}

/** Creates an auditor with these settings, falling back to the workspace's. `offline`: it will not be asked anything. */
export async function auditorFrom(
  name: string,
  options: ModelSettings,
  config: Config | null,
  offline = false,
  /** The workspace folder, for an auditor of a simulated world. */
  folder?: string,
): Promise<Auditor> {
  // Only for `openai-compatible:`. Otherwise a server set for every run could receive another vendor's key.
  const anywhere = name.startsWith("openai-compatible:");
  return createAuditor(name, {
    ...optional("baseUrl", options.baseUrl ?? (anywhere ? config?.base_url : undefined)),
    ...optional("dialect", options.dialect ?? (anywhere ? config?.dialect : undefined)),
    ...optional("timeoutMs", options.timeout === undefined ? undefined : options.timeout * 1000),
    ...optional("contextTokens", options.context ?? config?.context_tokens),
    ...optional("answerBytes", config?.max_answer_mb === undefined ? undefined : config.max_answer_mb * 1024 * 1024),
    prices: pricesOf(config),
    ...(offline ? { offline } : {}),
    ...optional("workspace", folder),
  });
}

function optional<K extends string, V>(name: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]?: V });
}

/** How long a server may refuse every call, if the workspace sets it. */
export function giveUpMsOf(config: Config): number | undefined {
  return config.give_up_minutes === undefined ? undefined : config.give_up_minutes * 60_000;
}

const AUDITOR_KIND = /^(?:openai-compatible|openai|gemini|vertex):/;

function pricesOf(config: Config | null): Record<string, Price> {
  const entries = Object.entries(config?.prices ?? {});
  return Object.fromEntries(
    entries.map(([model, { input, cached_input, output, batch }]) => [
      // Named as the model or as the auditor: `llama3.1`, `openai-compatible:llama3.1`.
      model.slice(AUDITOR_KIND.exec(model)?.[0].length ?? 0),
      { input, cached_input: cached_input ?? null, output, batch: batch ?? null, as_of: "override" },
    ]),
  );
}

/** The server a run's auditor uses; null: its vendor's own. */
export function endpointOf(name: string, options: ModelSettings, config: Config): string | null {
  const anywhere = name.startsWith("openai-compatible:");
  const url = options.baseUrl ?? (anywhere ? (config.base_url ?? serverFromEnvironment()) : null);
  return url === null ? null : publicAddress(url);
}

/** A server's address in a form that may be recorded: without a password, and with one spelling for the same place. */
function publicAddress(url: string): string {
  try {
    const parsed = new URL(url);
    parsed.username = "";
    parsed.password = "";
    parsed.search = "";
    return parsed.toString().replace(/\/+$/, "");
  } catch {
    return url;
  }
}
