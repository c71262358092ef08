import { DefensibleError } from "../core/errors.js";
import type { Citation, SignalMode, Template } from "../core/records/audit.js";
import type { AuditCase, Generation } from "../core/records/case.js";
import type { Tier } from "../core/records/rule-set.js";
import type { SignalResult } from "../measures/signals/extract-sampled.js";
import type { Weights } from "../measures/signals/weights.js";
import type { Prompt } from "./output-format.js";

/** One wanted answer. `seed` is derived from the run's seed and the key: the same audit draws the same numbers in any order. */
export interface Wanted {
  key: string;
  seed: string;
  /** Number of this answer among all that the run wants to its question, counted from 1. Default: the first. */
  draw?: number;
}

/** One question to an auditor, to which several answers may be wanted. */
export interface Ask {
  /** For auditors that read the case itself. */
  case: AuditCase | null;
  /** For auditors that read a text (`readsPrompt`). */
  prompt: Prompt | null;
  temperature: number;
  /** Separates this question from others with the same prompt: an arm that sets its temperature draws its own answers. */
  variant?: string;
  /** Whether token probabilities are wanted: they make an answer twenty times as long. */
  logprobs: boolean;
  wanted: readonly Wanted[];
  /** Ends the call early. */
  signal?: AbortSignal;
}

export interface Answers {
  /** One per wanted answer, in order. There may be fewer, but at least one; the rest has to be asked for again. */
  generations: Generation[];
  /** What the server said about its limits. */
  pace?: Pace | null;
}

/** The signals of an answer. `citation` is set if it is known what the citation rests on, so that no search is needed. */
export type Measured = SignalResult & { citation?: Citation | null };

/** A model that audits: given (C, R, P, ŷ) it writes a reasoning trace, with token probabilities if it has them. */
export interface Auditor {
  /** As given on the command line: `baseline`, `openai:gpt-4.1-mini`, … */
  readonly name: string;
  /** Changes whenever the same question could get other answers for a reason on our side. */
  readonly version: string;
  /** Signal modes it supports, as far as is known before its probe. */
  readonly signals: readonly SignalMode[];
  /** True for an auditor that computes in this process at no cost: it is run in large batches. */
  readonly inProcess: boolean;
  /** Limits and tokenizer for the prompts it reads. null: it reads the case. */
  readonly readsPrompt: PromptNeeds | null;
  /** Most answers per call. */
  readonly answersPerCall: number;
  /** Most useful calls in flight; null: the server sets the limit. */
  readonly maxConcurrency: number | null;
  /** Throws a CallError if there is no answer. */
  ask(ask: Ask): Answers | Promise<Answers>;
  /**
   * For an auditor in this process whose answers are already measured: returns their signals, one per wanted answer, in order, without tokens. Used
   * instead of `ask` in signal mode `logprobs`, unless raw answers are to be kept. `weights` are the run's weights of S.
   */
  measure?(ask: Ask, weights: Weights): Measured[];
  /** One cheap call that finds out what the model supports. Absent: nothing to find out. */
  probe?(): Promise<Capabilities>;
  /** USD per million tokens; null: unknown; absent: free. */
  readonly price?: Price | null;
  /** The full request as it would be sent, for the response cache: the same text has the same distribution of answers. Absent: not cached. */
  requestText?(ask: Ask): string;
  readonly batch?: BatchClient;
  /** For an auditor whose answers already exist: the settings they were given under, which a run must use. */
  readonly given?: GivenSettings;
  /** For the same: whether it has an answer for a decision, under any arm or under this one. */
  knows?(decisionId: string, arm?: string): boolean;
  /** For an auditor whose answers arrive from elsewhere, a part at a time: what has arrived. */
  readonly intake?: Intake;
  close?(): Promise<void>;
}

/** Answers that have arrived. */
export interface Intake {
  /** Records that a question belongs to the run. Returns how many of its answers are missing. */
  expect(ask: Ask): number;
  /** Only what was expected counts as usable. */
  counts(): IntakeCounts;
}

export interface IntakeCounts {
  answers: number;
  used: number;
  /** To questions that were not asked. */
  extra: number;
  /** More draws than were wanted of their question. */
  spare: number;
  /** Replaced by a later answer with the same number. */
  replaced: number;
  /** Not answers: the call failed. */
  failed: number;
  malformed: number;
  /** With a key that is not that of a question. */
  foreign: number;
  /** The first unusable line of each kind. */
  first: Partial<Record<"failed" | "malformed" | "foreign", { line: number; words: string | null }>>;
}

/** Settings of kept answers, where known. */
export interface GivenSettings {
  template?: Template;
  tier?: Tier;
  temperature?: number;
  signal?: SignalMode;
  samples?: number;
  promptVersion?: string;
}

export interface PromptNeeds {
  /** `o200k`, `cl100k`, or any other name: counted as bytes / 4 and reported as an estimate. */
  tokenizer: string;
  /** Token limit of prompt and answer together. */
  contextTokens: number;
  /** Tokens reserved for the answer. */
  outputTokens: number;
}

/** USD per million tokens. */
export interface Price {
  input: number;
  cached_input: number | null;
  output: number;
  /** Price of a batch as a share of the ordinary one. */
  batch: number | null;
  /** When the price was looked up, `yyyy-mm-dd`; `override` for the user's own. */
  as_of: string;
}

/** The limits a server stated. null: not stated. */
export interface Pace {
  limitRequests: number | null;
  remainingRequests: number | null;
  /** Milliseconds until the request quota is full again. */
  resetRequestsMs: number | null;
  limitTokens: number | null;
  remainingTokens: number | null;
  resetTokensMs: number | null;
}

/** What one cheap call showed that a model supports. */
export interface Capabilities {
  /** Token probabilities were returned. An answer whose probabilities are null counts as no. */
  logprobs: boolean;
  /** Most candidates seen for a token. */
  topLogprobs: number;
  answersPerCall: number;
  /** It adheres to a JSON schema. */
  structuredOutput: boolean;
  space: "raw" | "tempered" | "unknown";
  /** Which server's habits apply. */
  dialect: string;
  /** The model as the server names it. */
  model: string;
  /** What a user should know, in sentences: what was refused, and in which words. */
  notes: string[];
  costUsd: number | null;
}

/** One question of a batch. `id` is ours (letters and digits, at most 64 characters), and the provider returns it. */
export interface BatchItem {
  id: string;
  ask: Ask;
}

/** A submitted part of a batch. Plain data, stored in the run's folder. */
export interface BatchHandle {
  /** The provider's name for it. */
  id: string;
  /** Number of questions in it. */
  items: number;
  submitted_at: string;
}

export interface BatchStatus {
  state: "running" | "finished" | "expired" | "failed" | "cancelled";
  done: number;
  failed: number;
  /** The provider's own words, if it gave any. */
  message: string | null;
}

export interface BatchResult {
  id: string;
  answer: { generations: Generation[] } | { error: CallError };
}

/** A provider's service that takes many questions at once and answers within a day, for less. */
export interface BatchClient {
  /**
   * Sends the questions in as few parts as the provider's limits allow and yields each part once the provider has it. `label`
   * names the run at the provider, so that a part whose receipt was lost can be found again with `find`.
   */
  submit(items: AsyncIterable<BatchItem>, label: string): AsyncIterable<BatchHandle>;
  /** Parts at the provider with this label. */
  find(label: string): Promise<BatchHandle[]>;
  status(handle: BatchHandle): Promise<BatchStatus>;
  /** The results of a part that is no longer running, in any order, at the ordinary price. A part that expired gives what it finished. */
  results(handle: BatchHandle): AsyncIterable<BatchResult>;
}

/**
 * Why a call failed and what to do about it: ask `again`; ask again with all calls `slower`; `never` ask again for this decision;
 * or `halt`, because no call of the run can succeed.
 */
const TO_DO = {
  rate_limited: "slower",
  overloaded: "slower",
  timeout: "again",
  connection: "again",
  server: "again",
  /** A torn or foreign response body. */
  bad_answer: "again",
  bad_request: "never",
  /** The body exceeds the size limit of one answer. */
  too_long: "never",
  auth: "halt",
  /** A daily quota or an exhausted credit. */
  quota: "halt",
  /** The model or the address does not exist. */
  not_found: "halt",
  /** A feature that was requested. */
  unsupported: "halt",
  /** Ended by us. */
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
    /** How long the server asks callers to wait. */
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

/** What is known of an answer that was not read to its end. It was paid for; the amount is unknown. */
export function tooLongAnswer({
  model,
  space,
  temperature,
}: Pick<Generation, "model" | "space" | "temperature">): Generation {
  const usage = { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null };
  return { text: "", tokens: null, finish: "too_long", space, temperature, support: "top_k", model, usage };
}

/** The answer has not arrived yet. Not an outcome: the run stays open until it has. */
export class AnswerPending extends DefensibleError {
  constructor(message: string) {
    super("answer_pending", message, "Add the answer to the file, and repeat the command.");
  }
}
