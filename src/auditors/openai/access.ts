import { EnvironmentError, InputError } from "../../core/errors.js";
import type { AuditorOptions } from "../create-auditor.js";
import { type BaseUrl, parseBaseUrl } from "./base-url.js";
import { dialectOfUrl } from "./detect-dialect.js";
import { type Dialect, dialectOf } from "./dialects.js";

/** Where to ask and with what. */
export interface Access {
  url: BaseUrl;
  /** null: to be found out from the server. */
  dialect: Dialect | null;
  /** A function, so that nobody who prints or writes down an auditor has the key with it. */
  key(): string;
  /** The environment variable that the key is from, or should be. */
  keyVariable: string;
  keyFound: boolean;
  /** Values that must never be shown. */
  secrets(): readonly string[];
}

const OPENAI_URL = "https://api.openai.com/v1";
/** Servers on one's own machine want none, the SDK wants something. */
const NO_KEY = "none";

export type AccessOptions = Pick<AuditorOptions, "baseUrl" | "dialect" | "offline">;

export type OpenAIKind = "openai" | "openai-compatible";

/** What options and environment give, or an error that says what is missing. */
export function openaiAccess(kind: OpenAIKind, name: string, options: AccessOptions): Access {
  const given = options.baseUrl ?? (kind === "openai" ? OPENAI_URL : variable("OPENAI_BASE_URL"));
  if (given === null) {
    throw new InputError(
      "no_base_url",
      `${name}: the address of the server is missing; expected --base-url`,
      "For example --base-url http://localhost:11434/v1 (Ollama) or http://localhost:8000/v1 (vLLM), or set OPENAI_BASE_URL.",
    );
  }
  const url = parseBaseUrl(given);
  // Behind another address, what calls itself OpenAI is taken at its word; a gateway that differs is named with a dialect.
  const dialect = dialectOfUrl(url, options.dialect) ?? (kind === "openai" ? dialectOf("openai") : null);
  const variables = dialect?.keys ?? ["OPENAI_API_KEY"];
  const found = variables.find((candidate) => variable(candidate) !== null);
  const key = found === undefined ? null : variable(found);
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    throw new EnvironmentError(
      "bad_key",
      `${name}: ${found} holds characters that no key has`,
      `Set ${found} again, without quotes, spaces and line breaks.`,
    );
  }
  if (key === null && !options.offline && (kind === "openai" || dialect?.batch)) {
    throw new EnvironmentError(
      "missing_key",
      `${name}: ${variables.join(" and ")} ${variables.length > 1 ? "are" : "is"} not set`,
      `Set ${variables[0]} to your key: export ${variables[0]}=…`,
    );
  }
  const secrets = [...new Set([...variables, "OPENAI_API_KEY"].map(variable).filter((value) => value !== null))];
  return {
    url,
    dialect,
    key: () => key ?? NO_KEY,
    keyVariable: found ?? variables[0]!,
    keyFound: key !== null,
    secrets: () => secrets,
  };
}

function variable(name: string): string | null {
  return process.env[name]?.trim() || null;
}
