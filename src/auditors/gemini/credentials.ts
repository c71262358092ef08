import { EnvironmentError, InputError } from "../../core/errors.js";
import type { GeminiKind } from "./probe.js";

/** Where to ask and with what. Project and location mean the machine's own credentials, which the SDK looks up itself. */
export interface GeminiAccess {
  kind: GeminiKind;
  apiKey: string | null;
  project: string | null;
  location: string | null;
  /** Without a trailing slash. */
  baseUrl: string;
  /** False: the SDK may choose the address. */
  ownBaseUrl: boolean;
}

/** What the environment gives, or an error that says what is missing. */
export function geminiAccess(
  kind: GeminiKind,
  name: string,
  baseUrl: string | undefined,
  offline = false,
): GeminiAccess {
  const set = baseUrl ?? variable(kind === "gemini" ? "GOOGLE_GEMINI_BASE_URL" : "GOOGLE_VERTEX_BASE_URL");
  const own = checkedUrl(set, name);
  const common = { kind, apiKey: null, project: null, location: null, ownBaseUrl: own !== null };
  // Nothing will be asked, so that any key will do.
  const googleKey = key("GOOGLE_API_KEY", name) ?? (offline ? "offline" : null);
  if (kind === "gemini") {
    const apiKey = key("GEMINI_API_KEY", name) ?? googleKey;
    if (apiKey) return { ...common, apiKey, baseUrl: own ?? "https://generativelanguage.googleapis.com" };
    throw missing(
      name,
      "GEMINI_API_KEY and GOOGLE_API_KEY are not set",
      "Set GEMINI_API_KEY to a key from https://aistudio.google.com/apikey.",
    );
  }
  const project = variable("GOOGLE_CLOUD_PROJECT");
  const location = variable("GOOGLE_CLOUD_LOCATION");
  // As the SDK has it: project and location go before a key.
  if (project && location) {
    const region = location === "global" ? "" : `${location}-`;
    return { ...common, project, location, baseUrl: own ?? `https://${region}aiplatform.googleapis.com` };
  }
  if (googleKey) return { ...common, apiKey: googleKey, baseUrl: own ?? "https://aiplatform.googleapis.com" };
  const absent = [...(project ? [] : ["GOOGLE_CLOUD_PROJECT"]), ...(location ? [] : ["GOOGLE_CLOUD_LOCATION"])];
  throw missing(
    name,
    `${absent.join(" and ")} ${absent.length > 1 ? "are" : "is"} not set, nor is GOOGLE_API_KEY`,
    `Set ${absent.join(" and ")} and run \`gcloud auth application-default login\`, or set GOOGLE_API_KEY to a Vertex AI key.`,
  );
}

/** Every key of the environment, for they must not show up in anything that is printed. */
export function secretsOf(access: GeminiAccess): string[] {
  const found = [access.apiKey, variable("GEMINI_API_KEY"), variable("GOOGLE_API_KEY")];
  return [...new Set(found.filter((secret) => secret !== null))];
}

function variable(name: string): string | null {
  return process.env[name]?.trim() || null;
}

/** What no header can hold is no key; sent nevertheless, it would be quoted in the error. */
function key(name: string, auditor: string): string | null {
  const value = variable(name);
  if (value === null || /^[\x21-\x7e]+$/.test(value)) return value;
  throw missing(
    auditor,
    `${name} holds characters that no key has`,
    `Set ${name} again, without quotes, spaces and line breaks.`,
  );
}

function checkedUrl(address: string | null, name: string): string | null {
  if (address === null) return null;
  if (URL.canParse(address)) {
    const { protocol, username, password, search, hash } = new URL(address);
    // A password or a key in an address would end up in messages and logs; `fetch` refuses the former, the SDK breaks the latter.
    if (/^https?:$/.test(protocol) && username + password + search + hash === "") return address.replace(/\/+$/, "");
  }
  throw new InputError(
    "bad_base_url",
    `base URL of ${name}: not a plain address; expected one such as https://generativelanguage.googleapis.com`,
    "Correct `baseUrl`, or leave it out. Keys go into the environment, not into the address.",
  );
}

function missing(name: string, what: string, remedy: string): EnvironmentError {
  return new EnvironmentError("no_key", `${name}: no access; ${what}`, remedy);
}
