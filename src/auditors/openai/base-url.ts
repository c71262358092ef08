import { InputError } from "../../core/errors.js";

/** A server's address, taken apart as its client needs it. */
export interface BaseUrl {
  /** Without query and without a slash at its end. */
  address: string;
  host: string;
  port: string;
  /** Kept on every request: Azure has its `api-version` there. */
  query: Readonly<Record<string, string>>;
}

const SECRET_PARAMETER = /key|token|secret|sig|password/i;

/** What was given as --base-url. Forgives a pasted `/chat/completions` at its end and a missing path of Azure's. */
export function parseBaseUrl(given: string): BaseUrl {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !(url.protocol === "http:" || url.protocol === "https:")) {
    throw new InputError(
      "bad_base_url",
      `base URL: not an address; got "${withoutSecrets(given)}", expected something like http://localhost:11434/v1`,
      "Give the address of the server's OpenAI-compatible API with --base-url.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new InputError(
      "bad_base_url",
      "base URL: holds a user name or password, which would end up in records; expected none",
      "Give the key in the environment variable OPENAI_API_KEY instead.",
    );
  }
  const query = Object.fromEntries(url.searchParams);
  for (const name of Object.keys(query)) {
    if (!SECRET_PARAMETER.test(name)) continue;
    throw new InputError(
      "bad_base_url",
      `base URL: its parameter "${name}" looks like a key, which would end up in records; expected none`,
      "Give the key in the environment variable OPENAI_API_KEY instead.",
    );
  }
  let path = url.pathname.replace(/\/+$/, "").replace(/\/(chat\/completions|responses|models)$/, "");
  if (path === "" && isAzure(url.hostname)) path = "/openai/v1";
  return { address: `${url.origin}${path}`, host: url.hostname, port: url.port, query };
}

export function isAzure(host: string): boolean {
  return /(^|\.)(openai\.azure\.(com|us|cn)|services\.ai\.azure\.com|cognitiveservices\.azure\.(com|us|cn))$/.test(
    host,
  );
}

/** One line for messages and keys of the response cache. */
export function showBaseUrl(url: BaseUrl): string {
  const query = new URLSearchParams(url.query).toString();
  return query === "" ? url.address : `${url.address}?${query}`;
}

function withoutSecrets(given: string): string {
  return given.replace(/\/\/[^/@\s]*@/, "//").slice(0, 200);
}
