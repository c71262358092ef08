import { DefensibleError } from "../errors.js";

/**
 * Why a call failed, by what there is to do about it.
 *
 * `rate_limited`, `overloaded`: ask more slowly, then again. `timeout`, `connection`, `server`, `bad_answer` (a torn or foreign body):
 * again. `bad_request`: never again for this decision. `auth`, `quota` (daily quota, exhausted credit), `not_found` (model or address),
 * `unsupported` (a feature asked for): the whole run is in vain. `aborted`: we ended it.
 */
export const CALL_FAULTS = [
  "rate_limited",
  "overloaded",
  "timeout",
  "connection",
  "server",
  "bad_answer",
  "bad_request",
  "auth",
  "quota",
  "not_found",
  "unsupported",
  "aborted",
] as const;

export type CallFault = (typeof CALL_FAULTS)[number];

const AGAIN: ReadonlySet<CallFault> = new Set([
  "rate_limited",
  "overloaded",
  "timeout",
  "connection",
  "server",
  "bad_answer",
]);
const SLOWER: ReadonlySet<CallFault> = new Set(["rate_limited", "overloaded"]);
const FINAL: ReadonlySet<CallFault> = new Set(["auth", "quota", "not_found", "unsupported"]);

/** A call to a model that gave no answer. Its code is its fault. */
export class CallError extends DefensibleError {
  constructor(
    readonly fault: CallFault,
    message: string,
    remedy?: string,
    /** How long the server asks to be left alone. */
    readonly retryAfterMs: number | null = null,
    readonly status: number | null = null,
  ) {
    super(fault, message, remedy);
  }

  /** The same call may succeed later. */
  get again(): boolean {
    return AGAIN.has(this.fault);
  }

  /** The server wants fewer calls. */
  get slower(): boolean {
    return SLOWER.has(this.fault);
  }

  /** No call of this run can succeed. */
  get final(): boolean {
    return FINAL.has(this.fault);
  }
}
