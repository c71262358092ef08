import { DefensibleError } from "../core/errors.js";
import type { Generation } from "../core/records/case.js";

/**
 * Why a call failed, and what there is to do about it: ask `again`; again, but all calls `slower`; `never` for this decision; or `halt`, because no
 * call of the run can succeed.
 */
const TO_DO = {
  rate_limited: "slower",
  overloaded: "slower",
  timeout: "again",
  connection: "again",
  server: "again",
  /** A torn or foreign body. */
  bad_answer: "again",
  bad_request: "never",
  /** The body exceeds what is held of one answer. */
  too_long: "never",
  auth: "halt",
  /** A daily quota, an exhausted credit. */
  quota: "halt",
  /** The model or the address. */
  not_found: "halt",
  /** A feature that was asked for. */
  unsupported: "halt",
  /** We ended it. */
  aborted: "never",
} as const;

export type CallFault = keyof typeof TO_DO;

export const CALL_FAULTS = Object.keys(TO_DO) as CallFault[];

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
    return TO_DO[this.fault] === "again" || this.slower;
  }

  /** The server wants fewer calls. */
  get slower(): boolean {
    return TO_DO[this.fault] === "slower";
  }

  /** No call of this run can succeed. */
  get final(): boolean {
    return TO_DO[this.fault] === "halt";
  }
}

export function tooLong(message: string): CallError {
  return new CallError(
    "too_long",
    message,
    "If the model really writes that much, raise `max_answer_mb` in defensible.yaml.",
  );
}

/** What is known of an answer that was not read to its end. It was paid; the amount is unknown. */
export function tooLongAnswer({
  model,
  space,
  temperature,
}: Pick<Generation, "model" | "space" | "temperature">): Generation {
  const usage = { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null };
  return { text: "", tokens: null, finish: "too_long", space, temperature, support: "top_k", model, usage };
}

/** The answer has not come in yet. Not an outcome: the run stays open until it has. */
export class AnswerPending extends DefensibleError {
  constructor(message: string) {
    super("answer_pending", message, "Add the answer to the file, and repeat the command.");
  }
}
