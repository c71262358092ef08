import type { Auditor, Price } from "../../auditors/auditor.js";
import { createAuditor } from "../../auditors/create-auditor.js";
import { serverFromEnvironment } from "../../auditors/openai/access.js";
import type { Config } from "../../core/config.js";

/** What may be said of a model's server; each goes before the workspace's settings. */
export interface ModelSettings {
  baseUrl?: string;
  dialect?: string;
  /** Seconds. */
  timeout?: number;
  /** Tokens of prompt and answer together. */
  context?: number;
}

/** The auditor of that name, with these settings and, behind them, the workspace's. `offline`: nothing will be asked of it. */
export async function auditorFrom(
  name: string,
  options: ModelSettings,
  config: Config | null,
  offline = false,
  /** The workspace's folder, for an auditor of a simulated world. */
  folder?: string,
): Promise<Auditor> {
  // A server set for every run must never be sent another vendor's key.
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

/** How long a server may refuse every call, where the workspace says so. */
export function giveUpMsOf(config: Config): number | undefined {
  return config.give_up_minutes === undefined ? undefined : config.give_up_minutes * 60_000;
}

const AUDITOR_KIND = /^(?:openai-compatible|openai|gemini|vertex):/;

function pricesOf(config: Config | null): Record<string, Price> {
  const entries = Object.entries(config?.prices ?? {});
  return Object.fromEntries(
    entries.map(([model, { input, cached_input, output, batch }]) => [
      // Written as the model or as the auditor: `llama3.1`, `openai-compatible:llama3.1`.
      model.slice(AUDITOR_KIND.exec(model)?.[0].length ?? 0),
      { input, cached_input: cached_input ?? null, output, batch: batch ?? null, as_of: "override" },
    ]),
  );
}

/** The server that a run's auditor is asked at; null: its vendor's own. */
export function endpointOf(name: string, options: ModelSettings, config: Config): string | null {
  const anywhere = name.startsWith("openai-compatible:");
  const url = options.baseUrl ?? (anywhere ? (config.base_url ?? serverFromEnvironment()) : null);
  return url === null ? null : publicAddress(url);
}

/** A server's address as it may be written down: without a password in it, and one spelling for the same place. */
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
