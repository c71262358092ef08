import { CallError, tooLong } from "../call-error.js";
import { printable } from "../http/printable.js";
import type { CallContext } from "./openai-errors.js";

const TIMEOUTS = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const CERTIFICATES = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/;
const OTHER_PROTOCOL = /^(HPE_|ERR_SSL_|EPROTO)/;

/** A call that got no answer at all. */
export function networkFault(error: Error, context: CallContext): CallError {
  const { address } = context;
  const seconds = `${context.timeoutMs / 1000} s`;
  if (error.name === "AbortError" || error.constructor.name === "APIUserAbortError") {
    return new CallError("aborted", "call: ended by us");
  }
  const code = codeOf(error);
  if (error.constructor.name === "APIConnectionTimeoutError" && !TIMEOUTS.has(code)) {
    return new CallError("timeout", `${context.model}: no answer within ${seconds}`, "A longer --timeout may help.");
  }
  if (TIMEOUTS.has(code)) return new CallError("timeout", `${address}: no answer in time (${code})`);
  if (code === "ECONNREFUSED") {
    return new CallError(
      "connection",
      `${address}: refused the connection; is the server running?`,
      "Start the server, or check host and port of --base-url.",
    );
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new CallError("connection", `${address}: no such host (${code})`, "Check --base-url and your network.");
  }
  if (CERTIFICATES.test(code)) {
    return new CallError(
      "connection",
      `${address}: its certificate is not trusted (${code})`,
      "Name your organisation's root certificate in NODE_EXTRA_CA_CERTS.",
    );
  }
  if (OTHER_PROTOCOL.test(code)) {
    return new CallError(
      "connection",
      `${address}: does not speak this protocol (${code})`,
      "Check whether --base-url has to begin with http: or https:.",
    );
  }
  if (code === "BODY_TOO_LARGE") return tooLong(`${address}: ${deepest(error).message}`);
  if (/^Z_|^ERR__ERROR_FORMAT/.test(code)) {
    return new CallError("bad_answer", `${address}: the answer is badly compressed (${code})`);
  }
  const words = printable(deepest(error).message, 200);
  return new CallError("connection", `${address}: the connection failed${code === "" ? "" : ` (${code})`}: ${words}`);
}

/** The code of the error at the bottom: the SDK and undici wrap what happened. */
function codeOf(error: Error): string {
  for (const layer of layers(error).reverse()) {
    const { code } = layer as { code?: unknown };
    if (typeof code === "string") return code;
  }
  return "";
}

function deepest(error: Error): Error {
  return layers(error).at(-1)!;
}

export function layers(error: Error): Error[] {
  const found = [error];
  for (let next: unknown = error; found.length < 8; ) {
    // Both addresses of a host failing is one error with several inside.
    const inner = next as { cause?: unknown; errors?: unknown };
    next = Array.isArray(inner.errors) ? inner.errors[0] : inner.cause;
    if (!(next instanceof Error)) break;
    found.push(next);
  }
  return found;
}
